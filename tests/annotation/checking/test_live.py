"""Live checks: the newest draft wins, untouched fields are left in peace, and lost messages are found."""

from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone

from annotation.checking import gate, jobs, live
from annotation.checking.models import LiveCheck
from annotation.hits import working
from annotation.hits.models import Assignment
from annotation.hits.sheets import sheet_of
from tests.factories import make_assignment, make_hit, make_item, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment():
    project = make_project()
    hit = make_hit(project, make_item(project), make_item(project))
    return make_assignment(hit, state="open", handed_over_at=None, submitted_at=None)


def typed(assignment, text, category="", base=0):
    """Saves an answer to the first question and checks it, as the job does."""
    item = assignment.hit.items.first().pk
    values = {f"{item}.answers": [text]} | ({f"{item}.category": [category]} if category else {})
    working.save_draft(assignment_pk=assignment.pk, worker_pk=assignment.worker_id, base_revision=base, values=values)
    jobs.check_draft(assignment.pk, base + 1)
    return LiveCheck.objects.get(assignment=assignment)


def spoken(check):
    return {finding["check"] for finding in check.findings if not finding.get("quiet")}


def test_a_finding_names_item_field_level_version_and_message(assignment):
    check = typed(assignment, "I don't know", "single")
    [finding] = [each for each in check.findings if each["check"] == "disagrees_with_category"]
    assert finding["item"] == assignment.hit.items.first().pk
    assert (finding["field"], finding["level"], finding["version"]) == ("category", "block", 1)
    assert "no answer" in finding["message"]


def test_what_is_still_empty_is_marked_quiet(assignment):
    check = typed(assignment, "gravity")
    assert spoken(check) == set()
    assert {each["check"] for each in check.findings} == {"no_category", "nothing_answered"}


def test_the_newest_revision_is_checked_whichever_message_comes(assignment):
    typed(assignment, "gravity", "single")
    working.save_draft(assignment_pk=assignment.pk, worker_pk=assignment.worker_id, base_revision=1, values={})
    working.save_draft(assignment_pk=assignment.pk, worker_pk=assignment.worker_id, base_revision=2, values={})
    jobs.check_draft(assignment.pk, 2)
    assert LiveCheck.objects.get(assignment=assignment).revision == 3


def test_an_older_check_that_ends_later_changes_nothing(assignment):
    live.keep(assignment_pk=assignment.pk, revision=5, findings=[])
    live.keep(assignment_pk=assignment.pk, revision=4, findings=[{"item": 1}])
    check = LiveCheck.objects.get(assignment=assignment)
    assert (check.revision, check.findings) == (5, [])


def test_a_draft_that_is_handed_over_is_not_checked(assignment):
    Assignment.objects.filter(pk=assignment.pk).update(state="handed_over", draft_revision=1)
    jobs.check_draft(assignment.pk, 1)
    assert not LiveCheck.objects.exists()


def test_a_check_that_breaks_is_logged_and_the_others_speak(assignment, monkeypatch, caplog):
    kind = live.sheet_of(assignment.hit.token).kind
    broken = type(kind.checks[0])(lambda item, answer, context: 1 / 0, "block", "answers")
    monkeypatch.setattr(type(kind), "checks", [broken, *kind.checks])
    assert "disagrees_with_category" in spoken(typed(assignment, "?", "single"))
    assert "broke" in caplog.text


def test_checks_that_take_too_long_are_ended_and_not_tried_for_ever(assignment, monkeypatch):
    def endless(*args, **kwargs):
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(live, "findings_of", endless)
    check = typed(assignment, "gravity")
    assert (check.revision, check.findings) == (1, live.UNFINISHED)


def test_the_sweep_finds_a_draft_whose_message_was_lost_and_no_other(assignment, monkeypatch):
    working.save_draft(assignment_pk=assignment.pk, worker_pk=assignment.worker_id, base_revision=0, values={})
    monkeypatch.setattr(jobs.check_draft, "apply_async", lambda args, **options: jobs.check_draft(*args))
    jobs.sweep()
    assert not LiveCheck.objects.exists(), "its message may still be on the way"
    Assignment.objects.filter(pk=assignment.pk).update(draft_saved_at=timezone.now() - timedelta(seconds=20))
    jobs.sweep()
    assert LiveCheck.objects.get().revision == 1
    assert not live.behind().exists()


def test_after_very_many_drafts_the_checks_rest_and_the_gate_does_not(assignment, monkeypatch):
    monkeypatch.setattr(live, "MOST_CHECKS", 2)
    for base, text in enumerate(["?", "??"]):
        assert "disagrees_with_category" in spoken(typed(assignment, text, "single", base))
    resting = typed(assignment, "???", "single", 2)
    assert (resting.findings, resting.revision) == (live.RESTING, 3)
    assert not live.behind().exists(), "no sweep waits for it either"
    item = assignment.hit.items.first().pk
    values = {f"{item}.answers": ["???"], f"{item}.category": ["single"]}
    row = working.assignment_to_hand_over(assignment.pk)
    verdict = gate.examine(sheet=sheet_of(assignment.hit.token), assignment=row, values=values)
    assert "disagrees_with_category" in {finding["check"] for finding in verdict.blocks}
