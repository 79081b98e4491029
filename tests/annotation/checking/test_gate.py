"""The gate: the same checks, nothing left unsaid, and slow checks not done twice for the same draft."""

import pytest

from annotation.checking import context, gate, live
from annotation.checking.actions import keep_findings
from annotation.checking.models import CheckResult
from annotation.hits import working
from annotation.hits.sheets import sheet_of
from tasks.base import Check
from tests.factories import make_assignment, make_hit, make_item, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment():
    project = make_project()
    return make_assignment(make_hit(project, make_item(project)), state="open", handed_over_at=None, submitted_at=None)


def examine(assignment, values):
    assignment.refresh_from_db()
    return gate.examine(sheet=sheet_of(assignment.hit.token), assignment=assignment, values=form(assignment, values))


def form(assignment, values):
    item = assignment.hit.items.get().pk
    return {f"{item}.{name}": [text] for name, text in values.items()}


def test_an_empty_form_is_blocked_at_every_field(assignment):
    verdict = examine(assignment, {})
    assert {finding["check"] for finding in verdict.blocks} == {"nothing_answered", "no_category"}
    assert not any("quiet" in finding for finding in verdict.findings)
    assert not verdict.lets_pass("")


def test_a_good_form_passes_and_gives_the_answers(assignment):
    verdict = examine(assignment, {"answers": "gravity; weight", "category": "wordings"})
    assert verdict.lets_pass("")
    [answer] = verdict.answers.values()
    assert answer.answers == ["gravity", "weight"]


def test_a_warning_wants_to_be_confirmed_and_the_confirmation_is_for_these_warnings_alone(assignment):
    first = examine(assignment, {"answers": "gravity; weight", "category": "single"})
    assert first.warnings
    assert not first.lets_pass("")
    assert first.lets_pass(first.confirmation)
    other = examine(assignment, {"answers": "leaf", "category": "many"})
    assert not other.lets_pass(first.confirmation)


def test_a_value_of_the_wrong_shape_is_blocked_with_a_message(assignment):
    verdict = examine(assignment, {"answers": "gravity", "category": "invented"})
    [finding] = verdict.blocks
    assert (finding["check"], finding["field"]) == ("has_the_wrong_shape", "category")


@pytest.fixture
def slow_check(assignment, monkeypatch):
    """A check that leans on something slow; `asked` counts how often."""
    asked = []

    def is_dull(item, answer, given):
        asked.append(given["oracle"])
        return "Dull." if "dull" in answer.answers else None

    monkeypatch.setitem(context.NEEDS, "oracle", context.Need(lambda scope: "the oracle", is_slow=True))
    kind = sheet_of(assignment.hit.token).kind
    monkeypatch.setattr(type(kind), "checks", [*kind.checks, Check(is_dull, "warn", "answers", needs=("oracle",))])
    return asked


def test_what_the_live_check_learnt_of_the_same_words_is_not_asked_again(assignment, slow_check):
    values = {"answers": "dull", "category": "single"}
    working.save_draft(
        assignment_pk=assignment.pk, worker_pk=assignment.worker_id, base_revision=0, values=form(assignment, values)
    )
    live.check_draft(assignment_pk=assignment.pk)
    assert len(slow_check) == 1
    assert [finding["check"] for finding in examine(assignment, values).warnings] == ["is_dull"]
    assert len(slow_check) == 1


@pytest.mark.parametrize("unfinished", [False, True])
def test_other_words_or_an_unfinished_live_check_are_asked_about_at_the_gate(assignment, slow_check, unfinished):
    working.save_draft(
        assignment_pk=assignment.pk,
        worker_pk=assignment.worker_id,
        base_revision=0,
        values=form(assignment, {"answers": "bright"}),
    )
    live.keep(assignment_pk=assignment.pk, revision=1, findings=live.UNFINISHED if unfinished else [])
    verdict = examine(assignment, {"answers": "dull", "category": "single"})
    assert [finding["check"] for finding in verdict.warnings] == ["is_dull"]
    assert slow_check == ["the oracle"]


def test_kept_findings_replace_those_of_replaced_answers(assignment):
    first = examine(assignment, {"answers": "gravity; weight", "category": "single"})
    keep_findings(assignment=assignment, findings=first.findings)
    assert CheckResult.objects.get().check_name == "more_answers_than_announced"
    second = examine(assignment, {"answers": "leaf", "category": "many"})
    keep_findings(assignment=assignment, findings=second.findings, replaces=True)
    assert CheckResult.objects.get().check_name == "fewer_answers_than_announced"
