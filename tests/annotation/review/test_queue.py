"""The expert's queue: whose, in which order, and what comes next."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotation.review.actions import decide, hold
from annotation.review.models import UNKNOWN_DOUBT, Outcome
from annotation.review.queries import after_place, first_of, next_outcome, queue
from tests.factories import make_item, make_outcome

VALUE = {"question": "What falls?", "answers": [{"text": "gravity", "from_answers": [], "origin": "worker"}]}


def outcome_with(project, agreement, **fields):
    doubt = UNKNOWN_DOUBT if agreement is None else 1 - agreement
    return make_outcome(make_item(project), VALUE, agreement=agreement, doubt=doubt, **fields)


@pytest.fixture
def outcomes(project):
    """By agreement, in no order."""
    return {agreement: outcome_with(project, agreement) for agreement in [0.5, None, 1.0, 0.1]}


def test_the_least_agreed_comes_first_and_the_unknown_before_it(project, outcomes, expert):
    assert [outcome.agreement for outcome in queue(expert, project)] == [None, 0.1, 0.5, 1.0]


def test_only_what_waits_is_in_the_queue(project, outcomes, expert):
    decide(outcome=outcomes[0.1], reviewer=expert, decision="accept", version=0, confirmed=True)
    assert [outcome.agreement for outcome in queue(expert, project)] == [None, 0.5, 1.0]
    assert [outcome.agreement for outcome in queue(expert, project, show="accepted")] == [0.1]
    assert [outcome.agreement for outcome in queue(expert, project, show="mine")] == [0.1]


def test_search_finds_by_key_and_by_words_of_the_question(project, expert):
    wanted = make_outcome(make_item(project, "ARCCH_77"), VALUE)
    other = make_outcome(make_item(project, "ARCEZ_1", payload={"question": "Who eats plants?"}), VALUE)
    assert first_of(queue(expert, project), 9, search="cch_7") == [wanted]
    assert first_of(queue(expert, project), 9, search="eats plants") == [other]


@pytest.mark.parametrize("words", ["Crème brûlée", "BRÛLÉE", "日本", 'say "no"', "a\\b"])
def test_search_finds_words_that_databases_store_each_in_their_way(project, expert, words):
    payload = {"question": 'Is crème brûlée known in 日本, and do they say "no" or a\\b?'}
    outcome_with(project, 0.5)
    wanted = make_outcome(make_item(project, payload=payload), VALUE)
    assert first_of(queue(expert, project), 9, search=words) == [wanted]


@pytest.mark.parametrize("words", ["answer_key", "choices", "a\x00b", "\ud800"])
def test_search_finds_no_names_of_fields_and_nothing_by_what_is_no_text(project, expert, words):
    outcome_with(project, 0.5)
    assert first_of(queue(expert, project), 9, search=words) == []


def test_the_next_one_lies_behind_and_then_at_the_beginning(project, outcomes, expert):
    order = list(queue(expert, project))
    for here, following in zip(order, [*order[1:], order[0]], strict=True):
        assert next_outcome(expert, project=project, after=here) == following
    assert next_outcome(expert, project=project) == order[0]


def test_after_the_last_one_there_is_none(project, expert):
    only = outcome_with(project, 0.5)
    assert next_outcome(expert, project=project, after=only) is None


def test_what_a_colleague_has_open_is_passed_over_until_the_lease_ends(project, outcomes, expert, colleague):
    hold(outcome=outcomes[None], by=colleague)
    assert next_outcome(expert, project=project) == outcomes[0.1]
    assert next_outcome(colleague, project=project) == outcomes[None]
    Outcome.objects.update(held_until=timezone.now() - timedelta(seconds=1))
    assert next_outcome(expert, project=project) == outcomes[None]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's plan")
def test_the_queue_is_read_from_an_index_and_never_sorted(project, expert):
    first = outcome_with(project, 0.5)
    for rows in [queue(expert, project), after_place(queue(expert, project), first.doubt, first.pk)]:
        plan = rows[:1].explain()
        assert "outcomes_by_doubt" in plan
        assert "TEMP B-TREE" not in plan
    blind = queue(expert, project, show="blind")[:1].explain()
    assert "outcomes_wanting_blind_review" in blind
    assert "USE TEMP B-TREE" not in blind
