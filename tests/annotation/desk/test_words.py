import pytest

from annotation.desk import requirements, words
from annotation.desk.numbers import plain_text, whole_number
from annotation.events.models import Event


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "$0.00"), (5, "$0.05"), (123_456, "$1,234.56"), (-50, "−$0.50"), (None, "unknown")]
)
def test_money(cents, text):
    assert words.dollars(cents) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (89, "89 s"),
        (90, "2 min"),
        (3_599, "1 h"),
        (3_660, "1 h 1 min"),
        (86_400, "24 h"),
        (200_000, "2 days"),
        (None, "unknown"),
    ],
)
def test_spans_of_time(seconds, text):
    assert words.span(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (3, "3"), (3.0, "3"), (2_647, "2,647"), (2.754, "2.75"), (0.3958, "0.396")]
)
def test_numbers_of_tables(value, text):
    assert words.number(value) == text


def test_the_same_thing_several_times_is_said_once():
    events = [Event(verb="outcome.accepted", actor="clock", data={})] * 3 + [
        Event(verb="project.paused", actor="clock")
    ]
    first, second = words.happenings(events)
    assert (first.who, first.what, first.times) == ("the clock", "accepted an outcome", 3)
    assert (second.what, second.times) == ("paused the project", 1)


@pytest.mark.django_db
def test_changes_are_said_with_before_and_after_and_strangers_keep_their_names():
    changed = Event(verb="stage.changed", actor="user:77", data={"changed": {"reward_cents": [50, 1_000]}})
    worked = Event(verb="assignment.opened", actor="worker:w-inside", data={})
    commanded = Event(verb="hits.planned", actor="command:publish", data={"hits": 2, "items": 7, "cents": 600})
    a, b, c = words.happenings([changed, worked, commanded], {"w-inside": "w-outside"}.get)
    assert a.more == "reward cents: 50 → 1,000"
    assert b.who == "worker w-outside"
    assert (c.who, c.more) == ("the command publish", "2 HITs, 7 items, for $6.00")
    assert words.happenings([worked])[0].who == "a worker"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("0", 0),
        ("", None),
        (None, None),
        ("-1", None),
        ("1.5", None),
        ("٣", None),
        ("9" * 19, None),
        ("1e3", None),
    ],
)
def test_whole_numbers_from_addresses(text, number):
    assert whole_number(text) == number


def test_plain_text_has_nothing_that_no_database_takes():
    assert plain_text("a\x00b\ud800c", 10) == "abc"
    assert plain_text("abc", 2) == "ab"


ROUND_TRIPS = [
    {"approval_rate": 95, "approved_count": 100, "countries": ["US", "US-CA"], "others": []},
    {"approval_rate": None, "approved_count": None, "countries": [], "others": []},
    {
        "approval_rate": None,
        "approved_count": 5,
        "countries": [],
        "others": [{"QualificationTypeId": "X", "Comparator": "Exists"}],
    },
]


@pytest.mark.parametrize("parts", ROUND_TRIPS)
def test_requirements_survive_the_form(parts):
    assert requirements.take_apart(requirements.build(**parts)) == parts


@pytest.mark.parametrize(
    ("requirement", "sentence"),
    [
        (
            {
                "QualificationTypeId": requirements.LOCALE,
                "Comparator": "NotIn",
                "LocaleValues": [{"Country": "US", "Subdivision": "CA"}],
            },
            "Does not live in US-CA.",
        ),
        (
            {
                "QualificationTypeId": "QX",
                "Comparator": "GreaterThan",
                "IntegerValues": [80],
                "ActionsGuarded": "DiscoverPreviewAndAccept",
            },
            "Has a value of more than 80 in the qualification QX. Others don't see the HIT at all.",
        ),
        ({"QualificationTypeId": "QX", "Comparator": "DoesNotExist"}, "Does not have the qualification QX."),
    ],
)
def test_requirements_are_said_in_sentences(requirement, sentence):
    assert requirements.sentence(requirement) == sentence


def test_a_requirement_that_also_guards_the_preview_is_not_put_into_the_plain_form():
    guarded = {
        "QualificationTypeId": requirements.APPROVAL_RATE,
        "Comparator": "GreaterThanOrEqualTo",
        "IntegerValues": [95],
        "ActionsGuarded": "PreviewAndAccept",
    }
    parts = requirements.take_apart([guarded])
    assert parts["approval_rate"] is None and parts["others"] == [guarded]
