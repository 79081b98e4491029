"""The same checks at submit, in the request. `block` sends a page back, `warn` wants one confirmation."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from annotation.checking.context import is_slow
from annotation.checking.judging import findings_of
from annotation.checking.live import RESTING, UNFINISHED
from annotation.checking.models import LiveCheck
from annotation.hits.models import Assignment
from annotation.hits.sheets import Answers, Sheet, Values, answers_of
from annotation.hits.working import typed


@dataclass(frozen=True)
class Verdict:
    """What the gate says of a form, and the answers that it read there."""

    findings: list[dict]
    answers: Answers

    @property
    def blocks(self) -> list[dict]:
        return [finding for finding in self.findings if finding["level"] == "block"]

    @property
    def warnings(self) -> list[dict]:
        return [finding for finding in self.findings if finding["level"] == "warn"]

    @property
    def confirmation(self) -> str:
        """What the page sends back to say that the worker has read exactly these warnings; empty without any."""
        if not self.warnings:
            return ""
        said = sorted([f["item"], f["field"], f["check"], f["message"]] for f in self.warnings)
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:24]

    def lets_pass(self, confirmed: str) -> bool:
        """`confirmed`: what the page sent back. Without warnings there is nothing to confirm."""
        return not self.blocks and (not self.warnings or confirmed == self.confirmation)


def examine(*, sheet: Sheet, assignment: Assignment, values: Values) -> Verdict:
    """What all checks say of a form that a worker wants to hand over."""
    checks = sheet.kind.checks
    answers = answers_of(sheet, values)
    slow = {check.name for check in checks if check.live and is_slow(check)}
    learnt = _learnt(assignment, values) if slow else None
    if learnt is not None:
        checks = [check for check in checks if check.name not in slow]
    found = findings_of(sheet, values, checks, answers, assignment_pk=assignment.pk)
    if learnt is not None:
        numbers = {place.item_id: place.number for place in sheet.places}
        found += [finding for finding in learnt if finding["check"] in slow]
        found.sort(key=lambda finding: numbers.get(finding["item"], 0))
    return Verdict([_spoken(finding) for finding in found], answers)


def _learnt(assignment: Assignment, values: Values) -> list[dict] | None:
    """The live findings, if they are about exactly this form."""
    known = LiveCheck.objects.filter(assignment=assignment.pk).first()
    if known is None or known.revision != assignment.draft_revision or known.findings in (UNFINISHED, RESTING):
        return None
    given = {name: texts for name, texts in values.items() if any(texts)}
    checked = {name: texts for name, texts in typed(assignment.draft).items() if any(texts)}
    return known.findings if given == checked else None


def _spoken(finding: dict) -> dict:
    """At the gate nothing is left unsaid."""
    return {name: value for name, value in finding.items() if name not in ("quiet", "may_wait")}
