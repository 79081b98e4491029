"""Whatever somebody sends to the graders' doors or in a file of items, it is refused with its reason."""

import json

import pytest
from django.urls import reverse

from annotation.projects.actions import Refused
from annotation.trials.models import Grade
from annotation.trials.programmes import add_items, read_items
from tests.annotation.trials.test_grading_page import form, page
from tests.factories import QUESTION

LINE = {"key": "known-1", "item": QUESTION}


@pytest.mark.parametrize(
    "sent",
    [
        {"feedback": "a\x00b"},
        {"verdict": "\x00"},
        {"points.right": "9" * 5_000},
        {"points.right": "٢"},
        {"points.\x00": "1"},
        {"feedback": "x" * 100_000},
    ],
    ids=lambda sent: next(iter(sent)),
)
def test_a_bad_grade_is_refused_and_not_kept(client, take, graders, sent) -> None:
    trial = take()
    client.force_login(graders[0])

    assert client.post(page(trial), form("fail", feedback="Read again.") | sent).status_code == 422
    assert not Grade.objects.exists()


@pytest.mark.parametrize("name", ["seconds", "show", "done"])
@pytest.mark.parametrize("text", ["\x00", "9" * 5_000, "-1", "١", ""])
def test_whatever_stands_beside_a_grade_is_left_aside(client, take, graders, name, text) -> None:
    trial = take()
    client.force_login(graders[0])

    assert client.post(page(trial), form("pass") | {name: text}).status_code == 302


@pytest.mark.parametrize("name", ["project", "show", "done"])
@pytest.mark.parametrize("text", ["%00", "%ED%A0%80", "9" * 5_000, "x", ""])
def test_a_strange_address_is_a_page_or_not_found(client, take, graders, name, text) -> None:
    trial = take()
    client.force_login(graders[0])

    for place in (page(trial), reverse("admin:trials_trial_changelist"), reverse("admin:trials_trial_next")):
        assert client.get(f"{place}?{name}={text}").status_code in (200, 302, 404), place


@pytest.mark.parametrize("number", ["0", "9" * 5_000, "٣", "-1", "%00"])
def test_a_number_of_nothing_is_not_found(client, take, graders, number) -> None:
    take()
    client.force_login(graders[0])

    assert client.get(f"/admin/trials/trial/{number}/change/").status_code == 404


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (json.dumps({"item": {}})[:-1] + ', "deep": ' + "[" * 100_000, "known.jsonl:2: nested too deeply"),
        (json.dumps(LINE | {"item": QUESTION | {"question": "a\x00b"}}), "known.jsonl:2: a text holds U+0000"),
        (json.dumps(LINE | {"key": "a\ud800"}), "known.jsonl:2: a text holds U+D800"),
        (json.dumps(LINE | {"key": "k" * 121}), "at most 120 characters, found 121"),
        (json.dumps(LINE | {"key": ["k"]}), "known.jsonl:2: a key is a text"),
        (json.dumps(LINE | {"item": []}), "known.jsonl:2: expected"),
        ("[]", "known.jsonl:2: expected"),
        ("{", "known.jsonl:2: not JSON"),
        ("9" * 5_000, "known.jsonl:2: not JSON"),
    ],
    ids=["deep", "NUL", "surrogate", "long key", "list for a key", "list for an item", "a list", "cut off", "digits"],
)
def test_a_bad_line_is_refused_with_its_place_and_brings_nothing(programme, tmp_path, line, words) -> None:
    path = tmp_path / "known.jsonl"
    path.write_text(json.dumps(LINE | {"key": "fine"}) + "\n" + line + "\n")
    before = programme.trial_items.count()

    with pytest.raises(Refused) as refused:
        add_items(programme=programme, items=read_items(programme, path))

    assert words in str(refused.value)
    assert programme.trial_items.count() == before


def test_line_ends_are_those_of_the_format_not_of_every_script(programme, tmp_path) -> None:
    item = QUESTION | {"question": "What\u2028falls?"}
    path = tmp_path / "known.jsonl"
    path.write_bytes("\ufeff".encode() + json.dumps({"key": "k", "item": item}, ensure_ascii=False).encode() + b"\r\n")

    assert [known.key for known in read_items(programme, path)] == ["k"]
