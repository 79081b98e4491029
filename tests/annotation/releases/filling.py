"""A project with all that a release can hold, the same to the byte wherever it is filled in.

Rows are written in bulk, so that the same lines serve a test of twelve questions and a benchmark of
20,000. Nothing comes from a clock or from chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.contrib.auth import get_user_model

from annotation.checking.models import CheckResult
from annotation.events.actions import record
from annotation.events.models import Event
from annotation.hits.models import HIT, Answer, Assignment, HITItem
from annotation.projects.models import Item, Membership, Project, Stage
from annotation.review.models import Outcome, Review
from annotation.workers.models import Worker, WorkerIdentity
from tests.factories import make_project

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SPLITS = ("train", "dev", "test")
FORCES = ["gravity", "friction", "magnetism", "electricity", "inertia", "pressure", "buoyancy"]
CATEGORIES = ["single", "wordings", "single", "several", "single"]
REWORDED = 5
ITEMS_A_HIT = 5
BATCH = 2_000


def fill(
    *,
    items: int = 12,
    workers: int = 7,
    answers_per_item: int = 5,
    rejected: int = 2,
    excluded: int = 2,
    open_items: int = 1,
    slug: str = "forces",
) -> Project:
    """A project with so many accepted items, and some rejected, excluded and open ones."""
    project = make_project(slug, name="Forces, asked directly", release_key="a key of the tests", budget_cap_cents=0)
    Project.objects.filter(pk=project.pk).update(created_at=NOON)
    stage = project.stages.get()
    crowd = _workers(workers)
    expert, second = _people(project)
    judged = _items(stage, items + rejected, excluded, open_items)
    hits = _hits(stage, judged)
    _answers(stage, judged, hits, crowd, answers_per_item)
    _outcomes(stage, judged, items, expert, second)
    for verb in ("project.created", "items.imported", "outcome.accepted"):
        record(verb, project_id=project.pk)
    Event.objects.filter(project_id=project.pk).update(at=NOON + timedelta(days=9))
    project.refresh_from_db()
    return project


def _workers(count: int) -> list[Worker]:
    there = Worker.objects.count()
    numbers = range(there, there + count)
    crowd = Worker.objects.bulk_create(Worker(environment="own", pseudonym=f"w-made{n:06}") for n in numbers)
    WorkerIdentity.objects.bulk_create(
        WorkerIdentity(worker=worker, environment="own", provider_id=f"A3F{n:04}QW7XK2")
        for n, worker in zip(numbers, crowd, strict=True)
    )
    return crowd


def _people(project: Project) -> list:
    people = [
        get_user_model().objects.create(username=f"{name.lower()}@{project.slug}.example", first_name=name)
        for name in ("Olga", "Piet")
    ]
    Membership.objects.create(project=project, user=people[0], role=Membership.Role.OWNER)
    return people


def _items(stage: Stage, judged: int, excluded: int, open_items: int) -> list[Item]:
    states = [*["accepted"] * judged, *["excluded"] * excluded, *["open"] * open_items]
    made = (
        Item(
            project_id=stage.project_id,
            stage=stage,
            # Keys that databases sort in different ways, and neither as they come in.
            key=f"ARCEZ_{'aBz_'[n % 4]}é{n:06}"[: 120 - n % 2],
            split=SPLITS[n % 3],
            payload=_question(n),
            state=state,
            reason="most|best" if state == "excluded" and n % 2 else "most" if state == "excluded" else "",
        )
        for n, state in enumerate(states)
    )
    return _bulk(Item, made)[:judged]


def _question(n: int) -> dict:
    force = FORCES[n % len(FORCES)]
    return {
        "question": f"What acts on ball number {n} when it is dropped near {force} “{n % 17}”?",
        "choices": [{"label": "A", "text": force}, {"label": "B", "text": "nothing"}],
        "answer_key": "A",
    }


def _hits(stage: Stage, items: list[Item]) -> list[HIT]:
    made = [
        HIT(
            project_id=stage.project_id,
            stage=stage,
            token=f"{stage.project.slug[:12]}-{n}",
            state=HIT.State.CLOSED,
            environment="own",
            remote_id=f"HIT{stage.project.slug}{n}",
            max_assignments=5,
            reward_cents=50,
            fee_cents=10,
            minutes_allowed=60,
        )
        for n in range(-(-len(items) // ITEMS_A_HIT))
    ]
    hits = _bulk(HIT, made)
    places = [HITItem(hit=hits[n // ITEMS_A_HIT], item=item, position=n % ITEMS_A_HIT) for n, item in enumerate(items)]
    _bulk(HITItem, places)
    return hits


def _answers(stage: Stage, items: list[Item], hits: list[HIT], crowd: list[Worker], answers_per_item: int) -> None:
    assignments = _bulk(
        Assignment,
        [
            Assignment(
                hit=hit,
                worker=crowd[(h * 3 + place) % len(crowd)],
                assignment_id=f"{stage.project.slug}-{h}-{place}",
                state=Assignment.State.APPROVED,
                handed_over_at=NOON + timedelta(minutes=h),
                submitted_at=NOON + timedelta(minutes=h),
                seconds_spent=120 + (h * 7 + place * 13) % 300,
            )
            for h, hit in enumerate(hits)
            for place in range(answers_per_item)
        ],
    )
    made = (
        Answer(
            assignment=assignments[n // ITEMS_A_HIT * answers_per_item + place],
            item=item,
            counts=True,
            data={
                "answers": [FORCES[(n + place % 2) % len(FORCES)], f"the pull of the Earth, {n}"],
                "category": CATEGORIES[(n + place) % 5],
            },
        )
        for n, item in enumerate(items)
        for place in range(answers_per_item)
    )
    answers = _bulk(Answer, made)
    _bulk(
        CheckResult,
        (
            CheckResult(
                assignment_id=answer.assignment_id,
                item_id=answer.item_id,
                check_name="answer_is_long",
                version=1,
                level="warn",
                field="answers",
                message="That is long.",
            )
            for answer in answers[::10]
        ),
    )


def _outcomes(stage: Stage, items: list[Item], accepted: int, expert, second) -> None:
    answers: dict[int, list[int]] = {}
    for pk, item in Answer.objects.filter(item__stage=stage).order_by("id").values_list("id", "item_id"):
        answers.setdefault(item, []).append(pk)
    made = [
        _outcome(stage, item, n, answers[item.pk], is_accepted=n < accepted, expert_decides=n % 2 == 0)
        for n, item in enumerate(items)
    ]
    outcomes = _bulk(Outcome, made)
    dropped = [outcome.item_id for outcome in outcomes if outcome.state == Outcome.State.REJECTED]
    for outcome in outcomes:
        if outcome.item_id in dropped:
            Item.objects.filter(pk=outcome.item_id).update(state=Item.State.REJECTED, reason=outcome.reason)
    reviews = []
    for n, outcome in enumerate(outcomes):
        if outcome.reason.startswith("too_open"):
            continue
        decision = "accept" if outcome.state == "accepted" else "reject"
        reviews.append(_review(outcome, expert, decision))
        if n % 10 == 0:
            reviews.append(_review(outcome, second, "accept", is_blind=True))
    _bulk(Review, reviews)


def _outcome(stage: Stage, item: Item, n: int, ids: list[int], *, is_accepted: bool, expert_decides: bool) -> Outcome:
    value = {
        "question": item.payload["question"],
        "answers": [
            {"text": FORCES[n % len(FORCES)], "from_answers": ids[::2], "origin": "worker"},
            {"text": f"the pull of the Earth, {n}", "from_answers": ids, "origin": "worker"},
        ],
    }
    reason = "" if is_accepted else "names many things" if expert_decides else "too_open: no two answers share a word"
    final = value if n % REWORDED else value | {"question": value["question"].replace("What acts", "Which force acts")}
    return Outcome(
        project_id=stage.project_id,
        stage=stage,
        item=item,
        value=value,
        final=final,
        state=Outcome.State.ACCEPTED if is_accepted else Outcome.State.REJECTED,
        agreement=(n % 11) / 10,
        is_disputed=n % 11 < 5,
        contributors=ids,
        reason=reason,
    )


def _review(outcome: Outcome, reviewer, decision: str, *, is_blind: bool = False) -> Review:
    return Review(
        outcome=outcome,
        reviewer=reviewer,
        decision=decision,
        reason=outcome.reason if decision == "reject" else "",
        value=outcome.final,
        operations=[{"op": "reword", "text": outcome.final["question"]}],
        is_blind=is_blind,
        seconds=20,
    )


def _bulk(model, rows: Iterable) -> list:
    return model.objects.bulk_create(rows, batch_size=BATCH)
