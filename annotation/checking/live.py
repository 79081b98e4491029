"""Checks a draft while its worker types, and keeps what was found for the page to fetch."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from annotation.checking.judging import findings_of
from annotation.checking.models import LiveCheck
from annotation.hits.models import Assignment
from annotation.hits.sheets import sheet_of
from annotation.hits.working import typed

# A draft that nobody has touched for so long has no page that waits for its findings.
PAGE_IS_GONE_AFTER = timedelta(hours=2)
# Younger drafts have a message on its way.
MESSAGE_IS_LATE_AFTER = timedelta(seconds=5)
# What stands for findings where the checks took too long: nothing to show, and nothing learnt.
UNFINISHED = [{"item": 0, "field": "", "check": "took_too_long", "level": "note", "message": "", "version": 1}]
# So many drafts of one assignment are checked: a page asks when its worker pauses, the rarer the more there were, and
# nobody can try a check out by typing at it all day.
MOST_CHECKS = 30
# What stands for findings after that: the page says so, and the gate still checks everything.
RESTING = [{"item": 0, "field": "", "check": "checks_rest", "level": "note", "message": "", "version": 1}]


def check_draft(*, assignment_pk: int) -> int:
    """Check an assignment's newest draft, unless that is done already. Returns the revision that stands checked."""
    assignment = Assignment.objects.select_related("hit", "live_check").filter(pk=assignment_pk).first()
    if assignment is None or assignment.state != Assignment.State.OPEN:
        return 0
    revision = assignment.draft_revision
    known = getattr(assignment, "live_check", None)
    if known is not None and known.revision >= revision:
        return known.revision
    if known is not None and known.count >= MOST_CHECKS:
        keep(assignment_pk=assignment_pk, revision=revision, findings=RESTING)
        return revision
    sheet = sheet_of(assignment.hit.token)
    checks = [check for check in sheet.kind.checks if check.live]
    found = findings_of(sheet, typed(assignment.draft), checks, assignment_pk=assignment_pk)
    keep(assignment_pk=assignment_pk, revision=revision, findings=found)
    return revision


def keep(*, assignment_pk: int, revision: int, findings: list[dict]) -> None:
    """Store what the checks said of a revision. The newest revision wins, whichever job ends last."""
    mine = LiveCheck.objects.filter(assignment=assignment_pk)
    news = {"revision": revision, "findings": findings, "count": F("count") + 1, "at": timezone.now()}
    if mine.filter(revision__lt=revision).update(**news) or mine.exists():
        return
    try:
        with transaction.atomic():
            LiveCheck.objects.create(assignment_id=assignment_pk, revision=revision, findings=findings, count=1)
    except IntegrityError:  # another job was first
        mine.filter(revision__lt=revision).update(**news)


def behind() -> QuerySet[Assignment]:
    """Drafts with a page that still waits for findings, because a message was lost."""
    now = timezone.now()
    return Assignment.objects.filter(
        Q(live_check=None) | Q(live_check__revision__lt=F("draft_revision")),
        state=Assignment.State.OPEN,
        draft_revision__gt=0,
        draft_saved_at__gt=now - PAGE_IS_GONE_AFTER,
        draft_saved_at__lt=now - MESSAGE_IS_LATE_AFTER,
    ).order_by("draft_saved_at")
