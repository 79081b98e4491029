"""What the desk shows of assignments: a table that stays fast, and all about one of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet

from annotation.checking.models import CheckResult
from annotation.desk import words
from annotation.desk.queries import Slice, label_of
from annotation.events.models import Event
from annotation.hits import paying
from annotation.hits.models import HIT, Answer, Assignment, HITItem
from annotation.hits.queries import calls_for, rejections_of
from annotation.projects.models import Item, Project
from annotation.providers.models import Intent
from annotation.providers.queries import COMMITTING
from annotation.workers.models import Worker
from annotation.workers.queries import release_pseudonym

# --- The table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """An assignment in a table. `items`: how many its HIT has; `findings`: how many checks objected or remarked."""

    assignment: Assignment
    worker: str
    items: int
    findings: int


def assignments_of(
    project: Project, *, stage: str = "", state: str = "", worker: Worker | None = None
) -> QuerySet[Assignment]:
    # As a list of HITs and not as a join: so an index alone finds the rows of a page.
    hits = HIT.objects.filter(project=project)
    if stage:
        hits = hits.filter(stage__name=stage)
    rows = Assignment.objects.filter(hit__in=hits.values("pk"))
    if state:
        rows = rows.filter(state=state)
    return rows if worker is None else rows.filter(worker=worker)


def slice_assignments(
    project: Project,
    rows: QuerySet[Assignment],
    *,
    after: int | None = None,
    before: int | None = None,
    size: int = 50,
) -> Slice:
    """A part of the table, newest first: `after` an id are older ones. Ids are found before any row is read."""
    backwards = before is not None
    if backwards:
        rows = rows.filter(pk__gt=before)
    elif after is not None:
        rows = rows.filter(pk__lt=after)
    ids = list(rows.order_by("pk" if backwards else "-pk").values_list("pk", flat=True)[: size + 1])
    more, ids = len(ids) > size, ids[:size]
    if backwards:
        ids.reverse()
    has_older = backwards or more
    has_newer = more if backwards else after is not None
    return Slice(
        rows=rows_of(project, ids),
        after=ids[-1] if ids and has_older else None,
        before=ids[0] if ids and has_newer else None,
    )


def rows_of(project: Project, ids: list[int]) -> list[Row]:
    """What a table shows of these assignments, in this order."""
    found = Assignment.objects.select_related("hit__stage", "worker").defer("draft").in_bulk(ids)
    hits = {assignment.hit_id for assignment in found.values()}
    items = dict(HITItem.objects.filter(hit__in=hits).order_by().values_list("hit").annotate(Count("id")))
    said = CheckResult.objects.filter(assignment__in=ids).order_by().values_list("assignment").annotate(Count("id"))
    findings = dict(said)
    return [
        Row(
            assignment=assignment,
            worker=release_pseudonym(project, assignment.worker.pseudonym),
            items=items.get(assignment.hit_id, 0),
            findings=findings.get(assignment.pk, 0),
        )
        for assignment in (found[pk] for pk in ids if pk in found)
    ]


# --- All about one --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Given:
    """What was asked and answered: an item with the answer to it, or without one."""

    item: Item
    label: str
    answer: Answer | None
    findings: list[CheckResult]


CALL_STATES = {
    Intent.State.PLANNED: ("on its way", "warn"),
    Intent.State.SENDING: ("being sent", "warn"),
    Intent.State.UNKNOWN: ("no answer yet, it is looked up", "warn"),
    Intent.State.CONFIRMED: ("done", "good"),
    Intent.State.REFUSED: ("refused", "bad"),
    Intent.State.ABSENT: ("never seen there", "bad"),
    Intent.State.WITHDRAWN: ("called off", ""),
}


@dataclass(frozen=True)
class Call:
    """Something that was asked of the marketplace for an assignment, in words."""

    intent: Intent
    what: str
    state: str
    tone: str


@dataclass(frozen=True)
class Work:
    """One assignment with all that a person needs to decide on it. The `why_not_`s are empty where it may be done."""

    assignment: Assignment
    worker: str
    given: list[Given]
    calls: list[Call]
    events: list[Event]
    look_until: datetime | None
    override_until: datetime | None
    rejected_lately: int
    why_not_approved: str
    why_not_rejected: str
    why_no_bonus: str

    @property
    def is_under_way(self) -> bool:
        """Whether a decision on it left and has not come back."""
        return any(
            call.intent.kind in ("approve", "reject")
            and call.intent.state in COMMITTING
            and call.intent.absorbed_at is None
            for call in self.calls
        )


def find_assignment(project: Project, pk: int) -> Assignment | None:
    rows = Assignment.objects.select_related("hit__stage", "hit__project", "worker")
    return rows.filter(hit__project=project, pk=pk).first()


def work_of(assignment: Assignment) -> Work:
    project = assignment.hit.project
    is_rejected = assignment.state == Assignment.State.REJECTED
    is_submitted = assignment.state == Assignment.State.SUBMITTED
    return Work(
        assignment=assignment,
        worker=release_pseudonym(project, assignment.worker.pseudonym),
        given=_given(assignment),
        calls=[_call(intent) for intent in calls_for(assignment)],
        events=history_of(assignment),
        look_until=paying.look_until(assignment) if is_submitted else None,
        override_until=paying.override_until(assignment) if is_rejected else None,
        rejected_lately=rejections_of(assignment.worker, project),
        why_not_approved=paying.why_not_approved(assignment, project),
        why_not_rejected=paying.why_not_rejected(assignment),
        why_no_bonus=paying.why_no_bonus(assignment),
    )


def _given(assignment: Assignment) -> list[Given]:
    answers = {answer.item_id: answer for answer in assignment.answers.all()}
    findings: dict[int, list[CheckResult]] = {}
    for result in CheckResult.objects.filter(assignment=assignment).order_by("pk"):
        findings.setdefault(result.item_id, []).append(result)
    places = assignment.hit.places.select_related("item__stage", "item__project").order_by("position")
    return [
        Given(place.item, label_of(place.item), answers.get(place.item_id), findings.get(place.item_id, []))
        for place in places
    ]


def _call(intent: Intent) -> Call:
    what = {"approve": "Approve and pay", "reject": "Reject", "bonus": "Pay a bonus"}.get(intent.kind, intent.kind)
    if intent.request.get("override"):
        what = "Turn the rejection round and pay"
    if intent.kind == "bonus":
        what = f"Pay a bonus of {words.dollars(intent.request['cents'])}"
    state, tone = CALL_STATES.get(intent.state, (intent.state, ""))
    if intent.kind != "bonus" and intent.state == Intent.State.CONFIRMED and intent.result.get("already"):
        state = "was so there already"
    return Call(intent, what, state, tone)


def history_of(assignment: Assignment) -> list[Event]:
    """What happened to an assignment, to its calls, and to its worker in this project."""
    subjects = [f"assignment:{assignment.pk}", f"worker:{assignment.worker_id}"]
    subjects += [f"intent:{intent.pk}" for intent in calls_for(assignment)]
    rows = Event.objects.filter(subject__in=subjects, project_id=assignment.hit.project_id)
    return list(rows.order_by("pk"))
