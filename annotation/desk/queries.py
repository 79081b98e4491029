"""What the desk asks beyond single rooms: the next thing to do, tables that stay fast, all about one item.

No statistics here: those are in `annotation.review.figures`, which releases read too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from annotation.checking.models import CheckResult
from annotation.desk import words
from annotation.desk.access import Access
from annotation.desk.remembering import remembered
from annotation.events.models import Event
from annotation.hits.models import HIT, Answer, Assignment, HITItem
from annotation.hits.publishing import Quote, quote
from annotation.hits.queries import unplaced
from annotation.projects.models import Item, Project, Stage
from annotation.projects.queries import holding, in_order, item_shape, task_type_of
from annotation.providers.actions import HARMLESS_TWICE, HELD
from annotation.providers.models import Intent
from annotation.providers.queries import unsettled
from annotation.releases.emptiness import nothing_to_release
from annotation.releases.models import Release
from annotation.releases.queries import failed_and_not_rebuilt, newest_release, released_stage
from annotation.review.board import feedback_on
from annotation.review.models import Feedback, Outcome, Review
from annotation.solving.models import Challenge
from annotation.solving.queries import challenges_of
from annotation.workers.models import Grant
from annotation.workers.queries import release_pseudonym

# --- Tables ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slice:
    """Part of a long table: its rows, and the ids to ask the next and the previous part with."""

    rows: list[Any]
    after: int | None
    before: int | None


def items_of(project: Project, *, stage: str = "", state: str = "", split: str = "") -> QuerySet[Item]:
    items = project.items.select_related("stage")
    for name, value in (("stage__name", stage), ("state", state), ("split", split)):
        if value:
            items = items.filter(**{name: value})
    return items


def slice_items(
    items: QuerySet[Item], *, text: str = "", after: int | None = None, before: int | None = None, size: int = 50
) -> Slice:
    """A part of a table by id, so that it costs the same anywhere in a long table."""
    backwards = before is not None
    there, order = ({"pk__lt": before}, "-pk") if backwards else ({"pk__gt": after or 0}, "pk")
    items = items.filter(**there).order_by(order)
    found = in_order(items, holding(items, text), size + 1) if text.strip() else list(items[: size + 1])
    more, rows = len(found) > size, found[:size]
    if backwards:
        rows.reverse()
    has_next = backwards or more
    has_previous = more if backwards else bool(after)
    return Slice(
        rows=rows,
        after=rows[-1].pk if rows and has_next else None,
        before=rows[0].pk if rows and has_previous else None,
    )


def label_of(item: Item) -> str:
    """One line that names an item, in its task type's words."""
    return task_type_of(item.stage).label(item_shape(item))


# --- All about one item ---------------------------------------------------------------------------


@dataclass(frozen=True)
class GivenAnswer:
    answer: Answer
    worker: str
    findings: list[CheckResult]


@dataclass(frozen=True)
class Tried:
    """A text that was put to the solvers, with what each of them answered."""

    challenge: Challenge
    worker: str

    @property
    def right(self) -> int:
        """How many solvers found the answer."""
        return sum(attempt.is_right for attempt in self.challenge.attempts.all())


@dataclass(frozen=True)
class ItemStory:
    """An item at one stage: what it is, what was answered, what that adds up to, what experts said."""

    item: Item
    label: str
    answers: list[GivenAnswer]
    outcome: Outcome | None
    reviews: list[Review]
    reviews_hidden: bool
    got: list[Feedback]
    gave: list[Feedback]
    successor: Item | None
    tried: list[Tried]


def story_of(item: Item, access: Access, user: Any) -> ItemStory:
    answers = list(item.answers.select_related("assignment__worker").order_by("pk"))
    findings: dict[int, list[CheckResult]] = {}
    for result in CheckResult.objects.filter(item=item).order_by("pk"):
        findings.setdefault(result.assignment_id, []).append(result)
    outcome = Outcome.objects.filter(item=item).first()
    reviews = list(outcome.reviews.select_related("reviewer").order_by("pk")) if outcome else []
    feedback = list(feedback_on([item.pk]))
    hidden = bool(outcome) and not access.may("run") and must_stay_blind(outcome, reviews, user)
    return ItemStory(
        item=item,
        label=label_of(item),
        answers=[
            GivenAnswer(
                answer,
                release_pseudonym(item.project, answer.assignment.worker.pseudonym),
                findings.get(answer.assignment_id, []),
            )
            for answer in answers
        ],
        outcome=outcome,
        reviews=[] if hidden else reviews,
        reviews_hidden=hidden,
        got=[one for one in feedback if one.about_id == item.pk and not (hidden and outcome.decided_at)],
        gave=[one for one in feedback if one.item_id == item.pk],
        successor=None if hidden else Item.objects.filter(replaces=item).first(),
        tried=[
            Tried(one, release_pseudonym(item.project, one.assignment.worker.pseudonym)) for one in challenges_of(item)
        ],
    )


def stories_of(item: Item, access: Access, user: Any) -> list[ItemStory]:
    """An item's story, and of what it came from and what came of it.

    What came of one whose decision must not be seen is left out: it would tell that there is one.
    """
    related = related_items(item)
    till_here, unseen, found = related.index(item) + 1, set(), []
    for number, one in enumerate(related, start=1):
        story = story_of(one, access, user)
        is_left_out = number > till_here and one.origin_id in unseen
        if story.outcome and (story.reviews_hidden or is_left_out):
            unseen.add(story.outcome.pk)
        if not is_left_out:
            found.append(story)
    return found


def must_stay_blind(outcome: Outcome, reviews: list[Review], user: Any) -> bool:
    """Whether a reviewer may yet be asked for a blind review, and must not see the first decision before."""
    standing = [review for review in reviews if review.undone_at is None]
    if not outcome.wants_blind_review or any(review.is_blind for review in standing):
        return False
    return all(review.reviewer_id != user.pk for review in standing)


def related_items(item: Item) -> list[Item]:
    """The item with what it came from and what came of it, stage by stage; first those in whose place it stands."""
    chain, current = [item], item
    while current.origin_id:
        current = Item.objects.select_related("stage", "project").filter(outcome=current.origin_id).first()
        if current is None or current.project_id != item.project_id:
            break
        chain.insert(0, current)
    for earlier in _predecessors(chain):
        chain.insert(0, earlier)
    parents = [item.pk]
    while parents:
        outcomes = Outcome.objects.filter(item__in=parents).values_list("pk", flat=True)
        children = list(
            Item.objects.select_related("stage", "project")
            .filter(origin_id__in=list(outcomes), project=item.project)
            .order_by("stage__position", "pk")
        )
        chain += children
        parents = [child.pk for child in children]
    return chain


def _predecessors(chain: list[Item]) -> list[Item]:
    """The items in whose place the oldest of a chain and the items after it stand, newest first."""
    found, known = [], {one.pk for one in chain}
    for one in chain:
        current = one
        while current.replaces_id and current.replaces_id not in known:
            current = Item.objects.select_related("stage", "project").get(pk=current.replaces_id)
            known.add(current.pk)
            found.append(current)
    return found


def history_of(item: Item) -> list[Event]:
    """What happened to an item, its outcome and its HITs."""
    subjects = [f"item:{item.pk}"]
    subjects += [f"outcome:{pk}" for pk in Outcome.objects.filter(item=item).values_list("pk", flat=True)]
    subjects += [f"hit:{pk}" for pk in item.hits.values_list("pk", flat=True)]
    subjects += [f"assignment:{pk}" for pk in item.answers.values_list("assignment_id", flat=True)]
    return list(Event.objects.filter(subject__in=subjects, project_id=item.project_id).order_by("pk"))


# --- What needs a person --------------------------------------------------------------------------


@dataclass(frozen=True)
class Problems:
    """What nothing but a person can settle."""

    intents: list[Intent]
    quarantined: list[Assignment]
    refused_hits: list[HIT]
    failed_releases: list[Release]

    @property
    def count(self) -> int:
        return sum(map(len, (self.intents, self.quarantined, self.refused_hits, self.failed_releases)))


def problems_of(project: Project, most: int = 200) -> Problems:
    """Calls whose effect is unknown or was refused, work that can't be placed, HITs nobody took, failed releases."""
    return Problems(
        intents=list(_calls(project)[:most]),
        quarantined=list(unplaced(project).select_related("worker", "hit__stage").order_by("pk")[:most]),
        refused_hits=list(_refused_hits(project).select_related("stage").order_by("-pk")[:most]),
        failed_releases=list(failed_and_not_rebuilt(project)[:most]),
    )


def problem_count(project: Project) -> int:
    """The same, counted: every page of a project shows it."""
    rows = (_calls(project), unplaced(project), _refused_hits(project), failed_and_not_rebuilt(project))
    return sum(kind.count() for kind in rows)


def _calls(project: Project) -> QuerySet[Intent]:
    """Calls that a person should look at, those left out whose trouble is over or shown elsewhere."""
    # A refused HIT is shown as a HIT: its items are open again by themselves.
    rows = unsettled(project.pk).exclude(kind="create_hit", state=Intent.State.REFUSED)
    # What a worker holds is asked for anew by another call: only the newest refusal is still one.
    return rows.exclude(Q(kind__in=HELD) & ~Q(state=Intent.State.UNKNOWN) & ~Q(key__in=_refused_grants(project)))


def _refused_grants(project: Project) -> list[str]:
    rows = Grant.objects.filter(qualification__project=project).exclude(problem="")
    named = rows.values_list("qualification__environment", "pk", "settled_generation")
    return ["{}/grant/{}/{}".format(*row) for row in named]


def _refused_hits(project: Project) -> QuerySet[HIT]:
    """HITs that the marketplace refused and of whose items one still waits for another HIT."""
    again = HITItem.objects.filter(item=OuterRef("item"), hit_id__gt=OuterRef("hit_id"))
    waiting = HITItem.objects.filter(
        ~Exists(again), hit=OuterRef("pk"), item__state__in=[Item.State.OPEN, Item.State.TRIAL]
    )
    return project.hits.filter(Exists(waiting), state=HIT.State.REFUSED)


# --- What to do next ------------------------------------------------------------------------------


@dataclass(frozen=True)
class NextStep:
    """One thing that a person can do now to carry the project on."""

    text: str
    action: str
    address: str


def next_steps(access: Access, offers: dict[str, Quote], counts: dict[str, dict[str, int]]) -> list[NextStep]:
    """The things to do, the most pressing first. `offers`: a quote by stage name."""
    project, slug = access.project, access.project.slug
    if not access.may("run"):
        waiting = sum(states["settled"] for states in counts.values())
        return [_to_review(waiting)] if waiting else []
    if not any(sum(states.values()) for states in counts.values()):
        return [NextStep("There are no items yet.", "Import source files", reverse("desk:import", args=[slug]))]
    steps = []
    if project.state == Project.State.PAUSED:
        steps.append(NextStep("The project is paused: nothing is published.", "", ""))
    for name, offer in offers.items():
        if offer.items and project.state != Project.State.CLOSED:
            noun = "item waits" if offer.items == 1 else "items wait"
            text = f"{offer.items:,} {noun} to be offered to workers ({words.spaced(name)})."
            steps.append(NextStep(text, "See the quote", reverse("desk:quote", args=[slug, name])))
    if waiting := sum(states["settled"] for states in counts.values()):
        steps.append(_to_review(waiting))
    accepted = counts[released_stage(project).name]["accepted"]
    if accepted and not waiting and not any(offer.items for offer in offers.values()):
        text = "Everything that came back is decided."
        if newest_release(project) is None and not remembered(project, nothing_to_release):
            steps.append(NextStep(text, "Build a release", reverse("desk:releases", args=[slug])))
    return steps


def _to_review(waiting: int) -> NextStep:
    noun = "outcome waits" if waiting == 1 else "outcomes wait"
    return NextStep(f"{waiting:,} {noun} for an expert.", "Review", reverse("admin:index"))


def offers_of(project: Project) -> dict[str, Quote]:
    """A quote for every crowd stage, by name."""
    stages = project.stages.filter(crowd=True).select_related("project").order_by("position")
    return {stage.name: quote(stage) for stage in stages}


def names_in(project: Project) -> Callable[[str], str]:
    """What a worker is called in this project, by internal pseudonym: for the log's sentences."""
    return partial(release_pseudonym, project)


def size_of(release: Release | None) -> int | None:
    """How many rows a release publishes."""
    return release.counts.get("rows") if release else None


def stage_of(project: Project, name: str) -> Stage | None:
    return project.stages.select_related("project").filter(name=name).first()


def is_real_money(project: Project) -> bool:
    return bool(settings.MARKETPLACES.get(project.environment, {}).get("real_money"))


KINDS = {
    "create_hit": "Offering a HIT",
    "approve": "Approving and paying work",
    "reject": "Rejecting work",
    "bonus": "Paying a bonus",
    "expire_hit": "Taking a HIT off the market",
    "create_qualification": "Making a qualification",
    "grant": "Giving a worker a qualification",
    "revoke": "Taking a qualification from a worker",
    "answer_request": "Answering a worker who asked for a qualification",
    "notify": "Writing to a worker",
}
WHAT_NOW = {
    Intent.State.UNKNOWN: (
        "The call left, and no answer came. It is looked up and settled by itself; act only if it stays here for hours."
    ),
    Intent.State.ABSENT: (
        "The call left, and the marketplace never showed its effect. It will not be sent again by itself: "
        "look in the marketplace, then say below what you found."
    ),
    Intent.State.REFUSED: (
        "The marketplace said no; nothing happened there. The reason says what to change before it is asked once more."
    ),
}


def meaning_of(intent: Intent) -> tuple[str, str]:
    """An intent in words: what was wanted, and what a person should know of it now."""
    now = WHAT_NOW.get(intent.state, "")
    if intent.state == Intent.State.ABSENT and intent.kind in HELD | HARMLESS_TWICE:
        now = "The call left, and nobody can say whether it arrived. Asking once more does no harm."
    if intent.state == Intent.State.ABSENT and intent.kind == "create_hit":
        now = (
            "The call left, and the marketplace never showed the HIT. Its items are open here again. Look in the "
            "marketplace: should the HIT be there, take it off there; then say below that it is not there."
        )
    return KINDS.get(intent.kind, intent.kind.replace("_", " ")), now


@dataclass(frozen=True)
class Cell:
    """A figure as it is read, with its interval where it has one."""

    value: str
    interval: str = ""


@dataclass(frozen=True)
class Table:
    """A table of a release's statistics."""

    title: str
    columns: list[str]
    rows: list[tuple[str, list[Cell]]]


def tables_of(release: Release) -> list[Table]:
    """A release's figures as the tables that they name, in their own order."""
    titles: dict[str, dict[str, dict[str, Cell]]] = {}
    columns: dict[str, dict[str, None]] = {}
    for figure in release.figures:
        titles.setdefault(figure["table"], {}).setdefault(figure["row"], {})[figure["column"]] = _cell(figure)
        columns.setdefault(figure["table"], {})[figure["column"]] = None
    return [
        Table(
            title,
            list(columns[title]),
            [(name, [row.get(at, Cell("–")) for at in columns[title]]) for name, row in rows.items()],
        )
        for title, rows in titles.items()
    ]


def _cell(figure: dict) -> Cell:
    value, low, high = (figure.get(name) for name in ("value", "low", "high"))
    if low is None or high is None:
        return Cell(words.number(value))
    return Cell(words.number(value), f"{words.number(low)} to {words.number(high)}")
