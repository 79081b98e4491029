"""A HIT's sheet, and the copy of the work that the marketplace keeps."""

import json

import pytest
from pydantic import ValidationError

from annotation.hits.models import HIT
from annotation.hits.sheets import answers_of, read_copy, sheet_of, values_of
from tests.factories import QUESTION, make_hit, make_item, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def sheet():
    project = make_project()
    items = [make_item(project, payload={**QUESTION, "question": f"Question {number}?"}) for number in range(3)]
    return sheet_of(make_hit(project, *items).token)


def test_places_stand_in_the_order_of_the_hit(sheet):
    assert [(place.number, place.item.question) for place in sheet.places] == [
        (1, "Question 0?"),
        (2, "Question 1?"),
        (3, "Question 2?"),
    ]


def test_a_sheet_is_read_once(sheet, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert sheet_of(sheet.token) is sheet


def test_an_unknown_token_is_no_hit():
    with pytest.raises(HIT.DoesNotExist):
        sheet_of("nothing")


def test_a_form_and_its_answers_say_the_same(sheet):
    stored = {place.item_id: {"answers": ["a b", "c"], "category": "several"} for place in sheet.places}
    read = answers_of(sheet, values_of(sheet, stored))
    assert {item: answer.model_dump() for item, answer in read.items()} == stored


@pytest.mark.parametrize("shape", ["answers", "values", "bare"])
def test_every_shape_of_copy_is_read(sheet, shape):
    stored = {place.item_id: {"answers": ["gravity"], "category": "single"} for place in sheet.places}
    by_name = {str(item): data for item, data in stored.items()}
    copy = {
        "answers": {"answers": by_name, "comment": "hm"},
        "values": {"values": values_of(sheet, stored)},
        "bare": by_name,
    }
    assert read_copy(sheet, json.dumps(copy[shape])).answers == stored


@pytest.mark.parametrize(
    "copy",
    [
        "",
        "[]",
        "null",
        '{"answers": {"ITEM": {"answers": 3}}}',
        '{"answers": {"ITEM": {"answers": ["a\\u0000"]}}}',
        '{"answers": [], "comment": ""}',
        '{"answers": {}, "comment": 3}',
        '{"values": {"ITEM.category": ["x"]}}',
        '{"values": {"ITEM.answers": 3}}',
        '{"values": []}',
    ],
)
def test_a_copy_that_is_none_is_an_error(sheet, copy):
    with pytest.raises((ValueError, ValidationError)):
        read_copy(sheet, copy.replace("ITEM", str(sheet.places[0].item_id)))
