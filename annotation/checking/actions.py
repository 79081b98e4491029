from __future__ import annotations

from collections.abc import Collection

from annotation.checking.models import CheckResult, WrittenText
from annotation.hits.models import HIT, Assignment
from annotation.hits.sheets import Answers, Sheet
from tasks.checks.repetition import marks_of


def keep_findings(*, assignment: Assignment, findings: Collection[dict], replaces: bool = False) -> None:
    """Store what the gate said of the answers just handed over; `replaces`: instead of what it said of others.

    Called inside the transaction of the handing over.
    """
    if replaces:
        CheckResult.objects.filter(assignment=assignment.pk).delete()
    if not findings:
        return
    CheckResult.objects.bulk_create(
        CheckResult(
            assignment_id=assignment.pk,
            item_id=finding["item"],
            check_name=finding["check"],
            version=finding["version"],
            level=finding["level"],
            field=finding["field"],
            message=finding["message"],
        )
        for finding in findings
    )


def keep_written(*, sheet: Sheet, assignment: Assignment, answers: Answers, replaces: bool = False) -> None:
    """Make the texts just handed over findable as near-duplicates; `replaces`: instead of earlier ones of this page."""
    texts = [text for answer in answers.values() if (text := sheet.kind.written(answer))]
    if texts and HIT.objects.filter(pk=sheet.hit_id, trial_of__isnull=False).exists():
        # Everybody who wants to qualify writes about the same few items.
        return
    if replaces:
        WrittenText.objects.filter(assignment=assignment.pk).delete()
    if texts:
        WrittenText.objects.bulk_create(
            WrittenText(project_id=sheet.project_id, assignment_id=assignment.pk, mark=mark, text=text)
            for text in texts
            for mark in sorted(set(marks_of(text)))
        )
