"""Whatever somebody sends to the reviewers' doors, the answer is a refusal or a page, on both databases alike."""

import json

import pytest
from django.urls import reverse

from annotation.review.actions import settle
from annotation.review.models import Outcome, Review


@pytest.fixture
def outcome(project, answered):
    answered()
    settle(project=project)
    return Outcome.objects.get()


@pytest.fixture
def desk(client, expert):
    client.force_login(expert)
    return client


def address(name, *args):
    return reverse(f"admin:review_outcome_{name}", args=args)


OPERATIONS = {
    "not JSON": "{",
    "a number": "7",
    "null": "null",
    "deep arrays": "[" * 100_000,
    "deep closed arrays": "[" * 100_000 + "]" * 100_000,
    "5,000 digits": '[{"op": "remove", "index": ' + "9" * 5_000 + "}]",
    "NaN for an index": '[{"op": "remove", "index": NaN}]',
    "infinity for an index": '[{"op": "remove", "index": 1e999}]',
    "a negative index": '[{"op": "remove", "index": -1}]',
    "NUL in a text": '[{"op": "add", "text": "a\\u0000b"}]',
    "lone surrogate in a text": '[{"op": "add", "text": "a\\ud800b"}]',
    "NUL in the question": '[{"op": "reword", "text": "What\\u0000?"}]',
    "no name": '[{"text": "x"}]',
    "a list for a name": '[{"op": ["add"], "text": "x"}]',
    "NUL in a name": '[{"op": "a\\u0000dd", "text": "x"}]',
    "an object for a field": '[{"op": "add", "field": {}, "text": "x"}]',
    "texts for operations": '["add"]',
    "a great many": json.dumps([{"op": "add", "text": "x"}] * 1_001),
}
FIELDS = {
    "5,000 digits": {"answers.remove": "9" * 5_000},
    "digits of another script": {"answers.remove": "١"},
    "NUL in the question": {"question": "What\x00?"},
    "NUL in an answer": {"answers.add": "a\x00b"},
    "NUL in a short version": {"answers.short.0": "a\x00b"},
    "NUL in the preset": {"decision": "reject", "reason": "too\x00open"},
    "NUL in the words": {"decision": "reject", "reason_text": "too\x00open"},
    "NUL for a decision": {"decision": "\x00"},
}
BODIES = {name: {"operations": text} for name, text in OPERATIONS.items()} | FIELDS


@pytest.mark.parametrize("sent", BODIES.values(), ids=BODIES.keys())
def test_a_bad_decision_is_refused_and_nothing_changes(desk, outcome, sent):
    body = {"decision": "accept", "version": "0", "confirmed": "1", "answers.add": "typed"} | sent
    for headers in ({}, {"HTTP_ACCEPT": "application/json"}):
        assert desk.post(address("change", outcome.pk), body, **headers).status_code == 422
    assert desk.post(address("check", outcome.pk), body).status_code == 200
    assert not Review.objects.exists()
    outcome.refresh_from_db()
    assert (outcome.state, outcome.version) == ("pending", 0)


def test_of_an_operation_only_its_own_parts_are_kept(desk, outcome):
    sent = '[{"op": "add", "field": "answers", "text": "typed", "index": NaN, "why": "\\u0000", "for": [[[]]]}]'
    answer = desk.post(address("change", outcome.pk), {"decision": "accept", "version": "0", "operations": sent})
    assert answer.status_code == 302
    assert Review.objects.get().operations == [{"op": "add", "field": "answers", "text": "typed"}]


@pytest.mark.parametrize("name", ["seconds", "version", "stage", "show", "done", "mode", "take_over"])
@pytest.mark.parametrize("text", ["\x00", "9" * 5_000, "-1", "١", "x", ""])
def test_whatever_stands_beside_a_decision_is_taken_or_refused(desk, outcome, name, text):
    body = {"decision": "accept", "version": "0", "confirmed": "1"} | {name: text}
    assert desk.post(address("change", outcome.pk), body).status_code in (302, 409)
    assert desk.post(address("skip", outcome.pk), {name: text}).status_code == 302


@pytest.mark.parametrize("name", ["project", "stage", "show", "q", "after", "done"])
@pytest.mark.parametrize("text", ["%00", "%ED%A0%80", "9" * 5_000, "nan:1", "1:99999999999999999999999", "x", ""])
def test_a_strange_address_is_a_page_or_not_found(desk, outcome, name, text):
    for place in (address("changelist"), address("next"), address("change", outcome.pk)):
        assert desk.get(f"{place}?{name}={text}").status_code in (200, 302, 404), place


@pytest.mark.parametrize("number", ["0", "9" * 5_000, "٣", "-1", "%00"])
@pytest.mark.parametrize("place", ["change", "check", "skip"])
def test_a_number_of_nothing_is_not_found(desk, outcome, number, place):
    page = f"/admin/review/outcome/{number}/{place}/"
    assert desk.post(page, {"decision": "accept"}).status_code in (302, 404)
    assert not Review.objects.exists()
