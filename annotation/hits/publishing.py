"""Offers items as HITs: what it will cost, planning within cap and wage floor, taking in what became of it."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.db.models.fields.json import KeyTextTransform
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from annotation.events.actions import record
from annotation.hits import queries
from annotation.hits.fees import MANY_ASSIGNMENTS, fee_cents
from annotation.hits.models import HIT, HITItem
from annotation.projects.actions import Refused
from annotation.projects.items import move_items
from annotation.projects.models import Item, Project, Stage
from annotation.projects.queries import task_type_of
from annotation.providers import jobs as provider_jobs
from annotation.providers.actions import absorb, plan, plan_all
from annotation.providers.models import Intent
from annotation.providers.queries import results
from annotation.waking import wake
from annotation.workers.models import Qualification
from annotation.workers.queries import not_ready, requirements_of

# Below ten, so that the fee stays at 20 % and a HIT can be extended; a worker meets an item once all the same.
MOST_ASSIGNMENTS = MANY_ASSIGNMENTS - 1
# What `_draw` chooses for, and what says nothing of the shares that were drawn so far.
FRESH, UNCOUNTED = [Item.State.OPEN, Item.State.TRIAL], [Item.State.REJECTED, Item.State.TRIAL]
MASTERS_TYPES = {"2F1QJWKUDD8XADTFD2Q0G6UTO95ALH", "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"}


@dataclass(frozen=True)
class PlannedHIT:
    item_ids: tuple[int, ...]
    max_assignments: int


@dataclass(frozen=True)
class Quote:
    """What publishing a stage's open items would cost, and whether it may be done. Money in cents.

    `digest` names the very HITs: what a person confirms is these, and not others that happen to cost the same.
    """

    digest: str
    items: int
    hits: int
    assignments: int
    reward_cents: int
    fee_cents: int
    total_cents: int
    committed_cents: int
    cap_cents: int
    hourly_cents: int | None
    floor_cents: int
    planned: tuple[PlannedHIT, ...] = field(repr=False, default=())
    problems: tuple[str, ...] = ()

    @property
    def fits(self) -> bool:
        return not self.problems

    @property
    def is_below_floor(self) -> bool:
        return self.hourly_cents is not None and self.hourly_cents < self.floor_cents


@dataclass(frozen=True)
class Terms:
    """What HITs promise their workers. `trial_of`: they are a test for this qualification, not collection."""

    title: str
    description: str
    keywords: str
    reward_cents: int
    minutes_allowed: int
    lifetime_days: int
    auto_approval_hours: int
    requirements: tuple[dict, ...]
    trial_of: Qualification | None = None

    @classmethod
    def of_stage(cls, stage: Stage) -> Terms:
        kind = task_type_of(stage)
        return cls(
            title=kind.title,
            description=kind.description,
            keywords=kind.keywords,
            reward_cents=stage.reward_cents,
            minutes_allowed=stage.minutes_allowed,
            lifetime_days=stage.lifetime_days,
            auto_approval_hours=stage.auto_approval_hours,
            requirements=(*stage.requirements, *requirements_of(stage)),
        )

    def fee_cents(self, max_assignments: int) -> int:
        masters = any(need.get("QualificationTypeId") in MASTERS_TYPES for need in self.requirements)
        return fee_cents(self.reward_cents, max_assignments, masters=masters)


def quote(stage: Stage, *, limit: int | None = None, only_unfinished: bool = False) -> Quote:
    """The cost of offering a stage's open items (the first `limit` of them), fees included, before anything is done."""
    planned = _plan(stage, limit, only_unfinished)
    problems = []
    if not stage.crowd:
        problems.append("this stage is the experts': its items go to the review queue by themselves")
    elif not planned:
        problems.append(
            "no open item of this stage was out before" if only_unfinished else "no item of this stage is open"
        )
    for missing in not_ready(stage):
        problems.append(f"the qualification {missing.name!r} that it asks for is not at the marketplace yet")
    return quote_of(stage, planned, Terms.of_stage(stage), hourly_cents=queries.hourly_cents(stage), problems=problems)


def quote_of(
    stage: Stage,
    planned: list[PlannedHIT],
    terms: Terms,
    *,
    hourly_cents: int | None,
    problems: list[str],
    planned_before: int = 0,
) -> Quote:
    """What HITs would cost on these terms, and what stands in their way beside the `problems` known already.

    `planned_before`: how many HITs there were of what may be offered more than once, so that each time is another.
    """
    fee = {size: terms.fee_cents(size) for size in {hit.max_assignments for hit in planned}}
    assignments = sum(hit.max_assignments for hit in planned)
    fees = sum(fee[hit.max_assignments] * hit.max_assignments for hit in planned)
    rewards = assignments * terms.reward_cents
    project = stage.project
    committed = queries.spending(project).committed_cents
    if project.state != Project.State.OPEN:
        problems.append(f"the project is {project.state}")
    if stage.state != Stage.State.OPEN:
        problems.append("the stage is paused")
    if committed + rewards + fees > project.budget_cap_cents:
        missing = committed + rewards + fees - project.budget_cap_cents
        problems.append(
            f"the budget cap of {money(project.budget_cap_cents)} would be exceeded by {money(missing)} "
            f"({money(committed)} is spent or committed already)"
        )
    if settings.MARKETPLACES[project.environment]["real_money"] and not settings.ALLOW_REAL_MONEY:
        problems.append(f"{project.environment} pays real money, and ALLOW_REAL_MONEY is off")
    return Quote(
        digest=_digest_of(planned, planned_before),
        items=len({pk for hit in planned for pk in hit.item_ids}),
        hits=len(planned),
        assignments=assignments,
        reward_cents=rewards,
        fee_cents=fees,
        total_cents=rewards + fees,
        committed_cents=committed,
        cap_cents=project.budget_cap_cents,
        hourly_cents=hourly_cents,
        floor_cents=project.wage_floor_cents,
        planned=tuple(planned),
        problems=tuple(problems),
    )


def _digest_of(planned: list[PlannedHIT], planned_before: int) -> str:
    hits = [[*hit.item_ids, hit.max_assignments] for hit in planned]
    return hashlib.sha256(json.dumps([planned_before, hits]).encode()).hexdigest()[:12]


def money(cents: int) -> str:
    return f"${cents / 100:,.2f}"


def _plan(stage: Stage, limit: int | None, only_unfinished: bool) -> list[PlannedHIT]:
    """Open items in order, those that want equally many answers together, split at nine assignments a HIT.

    What is reserved for somebody lies in a HIT of its own.
    """
    rows = stage.items.filter(state=Item.State.OPEN).order_by("id")
    if only_unfinished:
        rows = rows.filter(places__isnull=False).distinct()
    rows = rows.annotate(counting=Count("answers", filter=Q(answers__counts=True), distinct=True))
    by_wanted: dict[int, list[int]] = defaultdict(list)
    planned = []
    for pk, extra, counting, reserved in rows.values_list("id", "extra_answers", "counting", "reserved_for")[:limit]:
        wanted = max(1, stage.answers_per_item + extra - counting)
        if reserved:
            # Its own workers get it, so nothing else may lie in the same HIT.
            planned.append(PlannedHIT((pk,), wanted))
        else:
            by_wanted[wanted].append(pk)
    for wanted, ids in sorted(by_wanted.items(), reverse=True):
        for start in range(0, len(ids), stage.items_per_hit):
            group = tuple(ids[start : start + stage.items_per_hit])
            planned += [PlannedHIT(group, size) for size in shares(wanted)]
    return planned


def shares(wanted: int) -> list[int]:
    """12 → [6, 6]: as few HITs as nine assignments each allow, evenly filled."""
    count = -(-wanted // MOST_ASSIGNMENTS)
    return [wanted // count + (position < wanted % count) for position in range(count)]


def publish(
    *,
    stage: Stage,
    confirmed_cents: int,
    digest: str | None = None,
    limit: int | None = None,
    only_unfinished: bool = False,
    below_floor_ok: bool = False,
) -> list[HIT]:
    """Plans HITs for a stage's open items and writes the intents to create them; the dispatcher sends them.

    `confirmed_cents` is the total that the person saw in the quote: where it is not what it would cost
    now, nothing is published. `digest` is that quote's: so the same confirmation sent twice publishes once.
    Raises Refused, with the reason, where cap, floor or state forbid it.
    """
    with transaction.atomic():
        # Two publishers meet here: the second waits, then finds no open items.
        project = Project.objects.select_for_update().get(pk=stage.project_id)
        stage = Stage.objects.select_related("project").get(pk=stage.pk)
        stage.project = project
        offer = quote(stage, limit=limit, only_unfinished=only_unfinished)
        refuse_unless_agreed(offer, confirmed_cents=confirmed_cents, digest=digest, below_floor_ok=below_floor_ok)
        hits = write_hits(stage, offer, Terms.of_stage(stage))
        ids = {pk for planned in offer.planned for pk in planned.item_ids}
        moved = move_items(items=sorted(ids), to=Item.State.OFFERED, from_states=[Item.State.OPEN])
        if moved != len(ids):
            raise Refused("some of these items were published by someone else in this moment; look again")
    wake(provider_jobs.sweep)
    return hits


def _draw(stage: Stage, ids: Collection[int]) -> None:
    """Choose, once, what the task type draws for items that were never offered, against what stands so far."""
    kind = task_type_of(stage)
    if not kind.draws:
        return
    drawn = KeyTextTransform(kind.draws, "payload")
    standing = stage.items.filter(places__isnull=False).exclude(state__in=UNCOUNTED).order_by()
    counts = standing.annotate(drawn=drawn).values("drawn").annotate(count=Count("id", distinct=True))
    so_far = Counter({row["drawn"]: row["count"] for row in counts if row["drawn"]})
    fresh = stage.items.filter(state__in=FRESH, places__isnull=True).order_by("id")
    changed = []
    for item in fresh.iterator(chunk_size=500):
        if item.pk not in ids:
            continue
        # The same item of the same project always draws the same against the same counts.
        rng = random.Random(f"{stage.project.release_key} {stage.name} {item.key}")
        shape = kind.Item.model_validate(item.payload)
        if (chosen := kind.draw(shape, so_far, rng)) is not None:
            item.payload = chosen.model_dump(mode="json")
            changed.append(item)
        if value := getattr(chosen or shape, kind.draws):
            so_far[value] += 1
    Item.objects.bulk_update(changed, ["payload"], batch_size=500)


def refuse_unless_agreed(offer: Quote, *, confirmed_cents: int, digest: str | None, below_floor_ok: bool) -> None:
    """Raises Refused where a quote has problems, is not the one that a person confirmed, or pays too little.

    `digest`: None where nobody saw a quote before.
    """
    if offer.problems:
        raise Refused("; ".join(offer.problems))
    if offer.total_cents != confirmed_cents:
        raise Refused(
            f"the quote is {money(offer.total_cents)} now, not the {money(confirmed_cents)} that was confirmed"
        )
    if digest is not None and digest != offer.digest:
        raise Refused(
            "the quote is for other HITs now than those that were confirmed: what they offered may be published already"
        )
    if offer.is_below_floor and not below_floor_ok:
        raise Refused(
            f"this pays {money(offer.hourly_cents)} an hour, below the project's floor of "
            f"{money(offer.floor_cents)}; raise the reward or override the floor"
        )


def write_hits(stage: Stage, offer: Quote, terms: Terms) -> list[HIT]:
    """The planned HITs of a quote, with the intents to create them, in the caller's transaction."""
    _draw(stage, {pk for planned in offer.planned for pk in planned.item_ids})
    hits = HIT.objects.bulk_create(
        [
            HIT(
                project_id=stage.project_id,
                stage=stage,
                environment=stage.project.environment,
                max_assignments=planned.max_assignments,
                reward_cents=terms.reward_cents,
                fee_cents=terms.fee_cents(planned.max_assignments),
                minutes_allowed=terms.minutes_allowed,
                trial_of=terms.trial_of,
            )
            for planned in offer.planned
        ],
        batch_size=500,
    )
    HITItem.objects.bulk_create(
        [
            HITItem(hit=hit, item_id=pk, position=position)
            for hit, planned in zip(hits, offer.planned, strict=True)
            for position, pk in enumerate(planned.item_ids)
        ],
        batch_size=500,
    )
    reserved = set(stage.items.filter(state=Item.State.OPEN).exclude(reserved_for=[]).values_list("pk", flat=True))
    plan_all(
        [
            _create_intent(stage, hit, terms, is_reserved=planned.item_ids[0] in reserved)
            for hit, planned in zip(hits, offer.planned, strict=True)
        ]
    )
    about = {"trial_of": terms.trial_of.pk} if terms.trial_of else {}
    record(
        "hits.planned",
        subject=stage,
        project_id=stage.project_id,
        hits=len(hits),
        items=offer.items,
        cents=offer.total_cents,
        **about,
    )
    return hits


def offer_key(stage: Stage, hit: HIT) -> str:
    """The ledger's name of the call that offers a HIT."""
    return f"{hit.environment}/{stage.project.slug}/{stage.name}/hit/{hit.pk}"


def _create_intent(stage: Stage, hit: HIT, terms: Terms, *, is_reserved: bool = False) -> dict:
    # Other words make a group of its own in the marketplace's list, so that nobody else is led there.
    before = ("Sent back to its author: ", "Only for the worker who did this before; others can't do it. ")
    title, description = before if is_reserved else ("", "")
    return {
        "environment": hit.environment,
        "kind": "create_hit",
        "key": offer_key(stage, hit),
        "project_id": stage.project_id,
        "cents": hit.max_assignments * (hit.reward_cents + hit.fee_cents),
        "request": {
            "title": title + terms.title,
            "description": description + terms.description,
            "keywords": terms.keywords,
            "reward_cents": hit.reward_cents,
            "max_assignments": hit.max_assignments,
            "seconds_allowed": hit.minutes_allowed * 60,
            "lifetime_seconds": terms.lifetime_days * 86_400,
            "auto_approval_seconds": terms.auto_approval_hours * 3_600,
            "url": f"{settings.TASK_URL}/t/{hit.token}/",
            "annotation": f"crowdwright:{hit.token}",
            "requirements": list(terms.requirements),
        },
    }


def absorb_offers(*, project: Project) -> int:
    """Takes in what became of planned HITs: offered with their remote ids, or refused and their items open again."""
    taken = 0
    while rows := list(results("create_hit", project.pk)[:200]):
        with transaction.atomic():
            by_key = {intent.request["annotation"].removeprefix("crowdwright:"): intent for intent in rows}
            # Held: who wants one off the market either says so before this, or finds it on offer after it.
            hits = HIT.objects.filter(token__in=by_key, state=HIT.State.PLANNED).select_for_update(of=("self",))
            hits = list(hits.select_related("stage").order_by("pk"))
            refused = [hit for hit in hits if not _take_offer(hit, by_key[hit.token])]
            HIT.objects.bulk_update(
                hits, ["state", "remote_id", "offered_at", "expires_at", "collect_after", "close_reason"]
            )
            reopen_items(hits=refused)
            for hit in hits:
                if hit.expire_wanted and hit.state == HIT.State.OFFERED:
                    plan_expiry(hit=hit)
            absorb(intents=[intent.pk for intent in rows])
        taken += len(rows)
    return taken


def plan_expiry(*, hit: HIT) -> bool:
    """Wants a HIT that is on offer taken off the market. Gives whether that was not wanted before."""
    key = f"{hit.environment}/hit/{hit.pk}/expire"
    if Intent.objects.filter(key=key).exists():
        return False
    plan(
        environment=hit.environment,
        kind="expire_hit",
        key=key,
        request={"hit_id": hit.remote_id},
        project_id=hit.project_id,
    )
    wake(provider_jobs.sweep)
    return True


def _take_offer(hit: HIT, intent: Intent) -> bool:
    now = timezone.now()
    if intent.state == Intent.State.CONFIRMED:
        hit.state, hit.remote_id, hit.offered_at = HIT.State.OFFERED, intent.result["hit_id"], now
        expires = intent.result.get("expires_at")
        hit.expires_at = parse_datetime(expires) if expires else now + timedelta(days=hit.stage.lifetime_days)
        hit.collect_after = now + timedelta(seconds=30)
        return True
    hit.state, hit.close_reason = HIT.State.REFUSED, intent.error[:200]
    record("hit.refused", subject=hit, project_id=hit.project_id, error=intent.error)
    return False


def reopen_items(*, hits: Iterable[HIT]) -> None:
    """Items of HITs that ended: answered where enough answers count, open again where no other HIT offers them."""
    ids = set(HITItem.objects.filter(hit__in=list(hits)).values_list("item_id", flat=True))
    if not ids:
        return
    live = set(
        HITItem.objects.filter(item_id__in=ids, hit__state__in=[HIT.State.PLANNED, HIT.State.OFFERED]).values_list(
            "item_id", flat=True
        )
    )
    rows = (
        Item.objects.filter(pk__in=ids - live, state=Item.State.OFFERED)
        .annotate(counting=Count("answers", filter=Q(answers__counts=True)))
        .values_list("id", "counting", "extra_answers", "stage__answers_per_item")
    )
    answered, unfinished = [], []
    for pk, counting, extra, wanted in rows:
        (answered if counting >= wanted + extra else unfinished).append(pk)
    move_items(items=answered, to=Item.State.ANSWERED, from_states=[Item.State.OFFERED])
    move_items(items=unfinished, to=Item.State.OPEN, from_states=[Item.State.OFFERED])
