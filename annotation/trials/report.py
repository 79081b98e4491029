"""What came of a qualification test, in numbers: who came, who passed, how far its graders agree."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from annotation.hits.models import Assignment
from annotation.projects.models import Project
from annotation.trials.models import Application, Grade, Programme, Trial, Verdict
from annotation.trials.queries import programmes_of
from annotation.workers.queries import standing_grants
from tasks.metrics.agreement import alpha
from tasks.metrics.intervals import Interval, mean

LEVELS = {Verdict.FAIL: 0, Verdict.AGAIN: 1, Verdict.PASS: 2}


@dataclass(frozen=True)
class GraderCount:
    """What one grader gave, talks left out. `points`: mean share of the rubric's."""

    grader: str
    grades: int
    passed: int
    again: int
    failed: int
    points: float
    seconds: float | None


@dataclass(frozen=True)
class GraderAgreement:
    """How far independent grades of one trial agree: equal verdicts, and Krippendorff's alpha."""

    trials: int
    equal: Interval
    nominal: Interval
    ordinal: Interval
    talks: int


@dataclass(frozen=True)
class Report:
    """A test's way from who came to who passed. All but trials and grades count workers, each once.

    `applied`: asked for the qualification, or accepted a trial. `admitted`: passed the gate, and accepted one.
    `took`: handed one in. `waiting`: without a verdict yet. `again`: may try once more.
    """

    qualification: str
    stage: str
    state: str
    graders_wanted: int
    cents_per_item: int
    items_per_trial: int
    gate: list[dict]
    applied: int
    admitted: int
    took: int
    trials: int
    waiting: int
    talk: int
    passed: int
    again: int
    failed: int
    passed_share: Interval
    holders: int
    revoked: int
    agreement: GraderAgreement
    graders: tuple[GraderCount, ...]

    def as_dict(self) -> dict[str, Any]:
        """As JSON: intervals by the names of their parts."""
        shown = asdict(self)
        shown["passed_share"] = self.passed_share._asdict()
        shown["agreement"] |= {
            name: getattr(self.agreement, name)._asdict() for name in ("equal", "nominal", "ordinal")
        }
        shown["graders"] = [asdict(one) for one in self.graders]
        return shown


def report_of(programme: Programme) -> Report:
    """A test's numbers as they stand now."""
    qualification = programme.qualification
    began = set(
        Assignment.objects.filter(hit__trial_of=qualification)
        .exclude(state=Assignment.State.SUPERSEDED)
        .values_list("worker_id", flat=True)
    )
    asked = set(Application.objects.filter(programme=programme).values_list("worker_id", flat=True))
    latest = _latest(programme)
    states = Counter(latest.values())
    passed = [state == Trial.State.PASSED for state in latest.values()]
    grades = list(Grade.objects.filter(trial__programme=programme).select_related("grader").order_by("trial_id", "id"))
    return Report(
        qualification=qualification.name,
        stage=programme.stage.name,
        state=qualification.state,
        graders_wanted=programme.graders,
        cents_per_item=programme.cents_per_item,
        items_per_trial=programme.items_per_trial,
        gate=programme.gate,
        applied=len(began | asked),
        admitted=len(began),
        took=len(latest),
        trials=programme.trials.count(),
        waiting=states[Trial.State.WAITING],
        talk=states[Trial.State.TALK],
        passed=states[Trial.State.PASSED],
        again=states[Trial.State.AGAIN],
        failed=states[Trial.State.FAILED],
        passed_share=mean(passed),
        holders=standing_grants(qualification).count(),
        revoked=qualification.grants.filter(revoked_at__isnull=False, may_retake=False).count(),
        agreement=_agreement(grades),
        graders=tuple(_by_grader(programme, grades)),
    )


def reports_of(project: Project) -> list[Report]:
    return [report_of(programme) for programme in programmes_of(project)]


def _latest(programme: Programme) -> dict[int, str]:
    """Where each worker stands: by their last trial."""
    rows = programme.trials.order_by("attempt").values_list("worker_id", "state")
    return dict(rows)


def _agreement(grades: list[Grade]) -> GraderAgreement:
    by_trial: dict[int, list[str]] = {}
    for one in grades:
        if not one.is_joint:
            by_trial.setdefault(one.trial_id, []).append(one.verdict)
    pairs = [verdicts for verdicts in by_trial.values() if len(verdicts) > 1]
    units = [[LEVELS[verdict] for verdict in verdicts] for verdicts in pairs]
    return GraderAgreement(
        trials=len(pairs),
        equal=mean([len(set(verdicts)) == 1 for verdicts in pairs]),
        nominal=alpha(units),
        ordinal=alpha(units, "ordinal"),
        talks=sum(one.is_joint for one in grades),
    )


def _by_grader(programme: Programme, grades: list[Grade]) -> list[GraderCount]:
    given: dict[str, list[Grade]] = {}
    for one in grades:
        if not one.is_joint:
            given.setdefault(one.grader.get_username(), []).append(one)
    found = []
    for name, own in sorted(given.items()):
        verdicts = Counter(one.verdict for one in own)
        seconds = [one.seconds for one in own if one.seconds]
        found.append(
            GraderCount(
                grader=name,
                grades=len(own),
                passed=verdicts[Verdict.PASS],
                again=verdicts[Verdict.AGAIN],
                failed=verdicts[Verdict.FAIL],
                points=sum(sum(one.points.values()) / programme.most_points for one in own) / len(own),
                seconds=statistics.median(seconds) if seconds else None,
            )
        )
    return found
