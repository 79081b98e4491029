"""Values as bytes: nothing that a reader, a spreadsheet or another machine takes in another way."""

import json
from typing import Annotated, Literal

import pyarrow
import pyarrow.parquet
import pytest
from pydantic import BaseModel, Field

from annotation.releases.croissant import _fields
from annotation.releases.documents import _feature
from annotation.releases.formats import csv_line, json_line, rounded
from annotation.releases.licences import licence_named
from annotation.releases.parquet import arrow_schema, write_parquet
from annotation.releases.spool import Spool


class Choice(BaseModel):
    text: str
    label: Literal["A", "B"]


class Row(BaseModel):
    id: str
    choices: list[Choice]
    score: float | None = None
    facts: Annotated[list[list[str]], Field(description="grouped")] = []


ROWS = [
    {"id": "1", "choices": [{"text": "x", "label": "A"}], "score": 0.5, "facts": [["a"], []]},
    {"id": "2", "choices": [], "score": None, "facts": []},
]


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "|calc", "%0A"])
def test_no_cell_is_a_formula(cell):
    assert csv_line([cell, "plain"]).lstrip('"').startswith("'")


def test_half_a_surrogate_pair_becomes_the_mark_for_what_can_not_be_read():
    assert json.loads(json_line({"text": "gra\ud800vity 🌍"})) == {"text": "gra\ufffdvity 🌍"}


def test_figures_have_six_decimals_and_no_nan():
    assert rounded({"a": 1 / 3, "b": [float("nan"), 2], "c": None}) == {"a": 0.333333, "b": [None, 2], "c": None}


def test_nested_rows_survive_parquet(tmp_path):
    write_parquet(tmp_path / "rows.parquet", ROWS, arrow_schema(Row))
    assert pyarrow.parquet.read_table(tmp_path / "rows.parquet").to_pylist() == ROWS


def test_the_card_names_nested_features_as_the_hub_does():
    choices, score, facts = (arrow_schema(Row).field(name) for name in ("choices", "score", "facts"))
    assert _feature(choices) == {
        "name": "choices",
        "list": [{"name": "text", "dtype": "string"}, {"name": "label", "dtype": "string"}],
    }
    assert _feature(score) == {"name": "score", "dtype": "float64"}
    assert _feature(facts) == {"name": "facts", "list": {"list": "string"}}


def test_croissant_reaches_into_nested_rows():
    choices = list(_fields(arrow_schema(Row), "train", "data/train.jsonl"))[1]
    assert [part["source"]["transform"]["jsonPath"] for part in choices["subField"]] == ["$[*].text", "$[*].label"]


def test_a_row_that_no_column_can_hold_is_refused():
    class Loose(BaseModel):
        anything: dict

    with pytest.raises(TypeError, match="no column of a Parquet file can hold"):
        arrow_schema(Loose)


def test_a_spool_reads_back_like_a_list(tmp_path):
    spool = Spool(tmp_path / "spool")
    for value in ROWS:
        spool.append(value)
    spool.close()
    assert list(spool) == list(spool) == ROWS
    assert (spool[1], spool[-1], spool[0:1], len(spool)) == (ROWS[1], ROWS[1], ROWS[:1], 2)


@pytest.mark.parametrize("words", ["CC BY-SA 4.0", "CC-BY-SA-4.0", "cc-by-sa-4.0"])
def test_a_licence_is_known_by_its_usual_names(words):
    assert licence_named(words).spdx == "CC-BY-SA-4.0"


def test_an_unknown_licence_keeps_its_own_words():
    assert licence_named("For  this class only")[:2] == ("For this class only", "")
