"""Hidden characters are shown as marks, and everything else as text."""

import re

import pytest

from annotation.marks import hidden_in, visible


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("gra\u202evity", "RLO"),
        ("gra\u200bvity", "zero-width space"),
        ("gra\u2066vity", "LRI"),
        ("gra\0vity", "U+0000"),
        ("gra\ufeffvity", "BOM"),
        ("gra\U000e0041vity", "U+E0041"),
    ],
)
def test_a_hidden_character_is_marked_where_it_stands(text, mark):
    shown = re.sub(r"<[^>]+>", "", visible(text))
    assert shown == f"gra{mark}vity"


def test_a_tower_of_combining_marks_becomes_one_short_mark():
    shown = visible("a" + "\u0301" * 100_000 + "b")
    assert len(shown) < 200
    assert "+100000 marks" in shown


def test_ordinary_text_of_any_script_is_left_as_it_is():
    for text in ["El Niño", "100 °C", "e\u0301te\u0301", "重力", "قوة الجاذبية", "two\nlines"]:
        assert visible(text) == f"<bdi>{text}</bdi>"
        assert hidden_in(text) == []


def test_markup_is_text():
    assert visible("<img src=x onerror=alert(1)>") == "<bdi>&lt;img src=x onerror=alert(1)&gt;</bdi>"
