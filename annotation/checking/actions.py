from __future__ import annotations

from collections.abc import Collection

from annotation.checking.models import CheckResult
from annotation.hits.models import Assignment


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
