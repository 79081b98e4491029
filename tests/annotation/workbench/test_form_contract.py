"""Every task type there is: its form takes each example, gives it back as an answer, and previews inert."""

import pytest
from bs4 import BeautifulSoup

from annotation.workbench.forms import item_form
from annotation.workbench.stencils import Stencil
from annotation.workbench.widgets import spots_of
from tasks.registry import task_types


def has_examples(kind):
    return (kind.folder / "examples.jsonl").is_file()


EXAMPLES = [
    (name, number)
    for name, kind in task_types().items()
    if has_examples(kind)
    for number in range(len(kind.examples()))
]


def example_of(name, number):
    kind = task_types()[name]
    return kind, kind.examples()[number]


def rendered(kind, example, key="7"):
    """One item's part of a page with the example's answer filled in."""
    item = kind.Item.model_validate(example.item)
    html = item_form(kind).render(
        key=key, number=1, total=1, item=kind.shown_to_workers(item), stage_settings=kind.Settings()
    )
    answer = kind.Answer.model_validate(example.answer)
    values = {f"{key}.{name}": field.values(getattr(answer, name)) for name, field in kind.fields.items()}
    return Stencil(html).fill(spots_of(values)), answer


def posted(soup, key):
    """What a browser would post of this form, without script."""
    form = {}
    for control in soup.select("input[name], textarea[name]"):
        field = control["name"].removeprefix(f"{key}.")
        if control.get("type") in ("radio", "checkbox"):
            if control.has_attr("checked"):
                form.setdefault(field, []).append(control["value"])
        else:
            form.setdefault(field, []).append(control.get("value", "") if control.name == "input" else control.text)
    return form


@pytest.mark.parametrize(("name", "number"), EXAMPLES)
def test_the_form_shows_each_example_and_reads_it_back(name, number):
    kind, example = example_of(name, number)
    html, answer = rendered(kind, example)
    soup = BeautifulSoup(html, "html.parser")
    read = kind.answer_from_form(posted(soup, "7"))
    expected = kind.answer_from_form(
        {field: kind_of.values(getattr(answer, field)) for field, kind_of in kind.fields.items()}
    )
    assert read == expected


@pytest.mark.parametrize("name", task_types())
def test_every_field_of_the_answer_has_a_label_and_a_place_for_findings(name):
    kind, example = example_of(name, 0)
    soup = BeautifulSoup(rendered(kind, example)[0], "html.parser")
    for field in kind.fields:
        element = soup.find(attrs={"data-field": f"7.{field}"})
        assert element, f"{name}: the form lacks {{% field {field!r} %}}"
        assert element.find(["label", "legend"]).get_text(strip=True), f"{field} has no label"
        assert soup.find(attrs={"data-findings": f"7.{field}"})
        assert soup.find(id=f"f-7-{field}"), f"the error summary links to {field}"
    ids = [tag["id"] for tag in soup.find_all(id=True)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", task_types())
def test_nothing_of_an_item_is_shown_but_what_workers_may_see(name):
    kind, example = example_of(name, 0)
    allowed = str(kind.shown_to_workers(kind.Item.model_validate(example.item)))
    html, _ = rendered(kind, example)
    shown = BeautifulSoup(html, "html.parser").select_one(".shown").get_text(" ", strip=True)
    hidden = [text for text in _texts(example.item) if len(text) > 3 and text.strip() not in allowed]
    assert not [text for text in hidden if text in shown]


@pytest.mark.parametrize("name", task_types())
def test_the_preview_s_worked_example_is_one_to_be_shown(name):
    kind = task_types()[name]
    assert has_examples(kind), f"{name} has no examples.jsonl"
    shown = [example for example in kind.examples() if example.shown]
    assert shown, f"{name}: examples.jsonl has no line with shown=true"
    assert not [example.finding for example in shown if example.finding]
    html = item_form(kind).render_example(shown[0], kind.Settings())
    assert "Worked example" in html
    assert "\ue000" not in html


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
