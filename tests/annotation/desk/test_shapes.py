"""A Settings model of any pipeline as a form, and back."""

from enum import Enum
from typing import Literal

import pytest
from django import forms
from pydantic import BaseModel, Field

from annotation.desk import shapes
from tasks import registry


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Settings(BaseModel):
    reading: Literal["plain", "strict"] = Field(
        "plain", description="How texts are read: plain: as they are; strict: word by word"
    )
    size: Literal[1, 2, 3] = 2
    colour: Colour = Colour.RED
    least: int = Field(2, ge=1, description="How many at least.")
    share: float | None = 0.5
    is_on: bool = True
    name: str = "x"
    words: list[str] = ["a", "b"]
    table: dict[str, int] = {"a": 1}


GOOD = {
    "setting-reading": "strict",
    "setting-size": "3",
    "setting-colour": "blue",
    "setting-least": "4",
    "setting-share": "",
    "setting-name": " y ",
    "setting-words": "one\n\n two words \r\nthree",
    "setting-table": '{"b": 2}',
}


def form_of(shape, data=None, **stood):
    form = forms.Form(data)
    form.fields |= shapes.form_fields(shape, stood)
    return form


def test_a_form_reads_into_the_models_own_types():
    form = form_of(Settings, GOOD)
    assert form.is_valid(), form.errors
    assert shapes.read_settings(form, Settings, {}) == {
        "reading": "strict",
        "size": 3,
        "colour": "blue",
        "least": 4,
        "share": 0.5,
        "is_on": False,
        "name": "y",
        "words": ["one", "two words", "three"],
        "table": {"b": 2},
    }


def test_what_the_model_objects_to_stands_at_its_field():
    form = form_of(Settings, {**GOOD, "setting-least": "0"})
    assert form.is_valid()
    assert shapes.read_settings(form, Settings, {}) == {}
    assert list(form.errors) == ["setting-least"]


def test_hints_of_options_stand_at_the_options():
    field = form_of(Settings).fields["setting-reading"]
    assert field.choices == [("plain", "Plain: as they are"), ("strict", "Strict: word by word")]
    assert field.help_text == "How texts are read."


def test_values_that_stand_are_shown():
    form = form_of(Settings, words=["z"], least=9)
    assert form["setting-words"].value() == "z"
    assert form["setting-least"].value() == 9


@pytest.mark.parametrize(
    "shape", [kind.Settings for kind in (*registry.pipelines().values(), *registry.task_types().values())]
)
def test_every_kind_of_settings_that_there_is_survives_its_form(shape):
    shown = form_of(shape)
    data = {}
    for name, field in shown.fields.items():
        value = field.prepare_value(shown[name].value())
        if value is True:
            data[name] = "on"
        elif value is not False and value is not None:
            data[name] = value.value if isinstance(value, Enum) else value
    form = form_of(shape, data)
    assert form.is_valid(), form.errors
    assert shapes.read_settings(form, shape, {}) == shape().model_dump(mode="json")
