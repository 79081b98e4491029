"""Asks the marketplace what came back. The only writer of submitted, and of who really did the work."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from annotation.events.actions import record
from annotation.hits.models import HIT, Answer, Assignment
from annotation.hits.publishing import reopen_items
from annotation.hits.queries import PAYABLE
from annotation.hits.sheets import read_copy, sheet_of
from annotation.projects.items import move_items
from annotation.projects.models import Item, Project
from annotation.providers import mturk
from annotation.providers.base import Provider, Refused, RemoteAssignment, RemoteHIT, Throttled, Unclear
from annotation.workers.actions import meet_worker

log = logging.getLogger(__name__)

State = Assignment.State
EVERY = timedelta(seconds=60)
QUIET_EVERY = timedelta(minutes=15)
# How often a closed HIT is asked about while a person may decide on its work at the marketplace itself.
CLOSED_EVERY = timedelta(hours=1)
# What was handed over is looked for at once; after this long without a word from the marketplace it is
# quarantined: kept, and shown to a person who decides on pay.
LISTED_WITHIN = timedelta(hours=24)
# Each question that stays unanswered takes many seconds. After so many in a row the rest waits for the next time,
# when those that were not asked about come first.
GIVES_UP_AFTER = 3
LIVE = [State.OPEN, State.HANDED_OVER]
DECIDED = [State.APPROVED, State.REJECTED]
STATES = {"Submitted": State.SUBMITTED, "Approved": State.APPROVED, "Rejected": State.REJECTED}
# What a list that lags, or came out of order, can't undo: approved is the end, and a rejection is only turned round.
AFTER = {
    State.SUBMITTED: {State.APPROVED, State.REJECTED},
    State.REJECTED: {State.APPROVED},
    State.APPROVED: set(),
}


@dataclass(frozen=True)
class Collected:
    """How many assignments changed; of each HIT that could not be read, which it was and why."""

    changed: int = 0
    unread: tuple[str, ...] = ()


def collect(
    *, project: Project, everything: bool = False, progress: Callable[[int], None] = lambda count: None
) -> Collected:
    """Brings in what the marketplace lists for a project's HITs that are due. One that can't be read stops no other.

    A HIT is due by its clock, or when somebody handed work over; `everything` asks for all that are not closed.
    A closed one is due while its work is undecided, for somebody may decide at the marketplace itself, and where
    `look_again` wants it: work in quarantine may have been listed late.
    `progress` is told how many HITs were asked about so far.
    """
    due = Q(collect_after__lte=timezone.now())
    offered = Q(state=HIT.State.OFFERED)
    mine = Assignment.objects.filter(hit__project=project)
    waiting = mine.filter(state=State.HANDED_OVER).values("hit_id")
    undecided = mine.filter(state__in=[State.SUBMITTED, State.QUARANTINED]).values("hit_id")
    closed = Q(state=HIT.State.CLOSED) & due & Q(pk__in=undecided)
    wanted = (offered if everything else offered & (due | Q(pk__in=waiting))) | closed
    hits = list(project.hits.filter(wanted).select_related("stage", "project").order_by("collect_after"))
    quiet = _pass_over_the_quiet(project, hits)
    changed, unread, unanswered = 0, [], 0
    for count, hit in enumerate((hit for hit in hits if hit.pk not in quiet), 1):
        if unanswered == GIVES_UP_AFTER:
            unread.append(f"HIT {hit.pk}: not asked about, for the marketplace did not answer {unanswered} times")
            continue
        try:
            changed += collect_hit(hit=hit, provider=mturk.connect(project.environment))
            unanswered = 0
        except (Refused, Unclear) as fault:
            unanswered = unanswered + 1 if isinstance(fault, Throttled | Unclear) else 0
            log.warning("HIT %s could not be read: %s", hit.pk, fault)
            unread.append(f"HIT {hit.pk}: {fault}")
            _ask_again(hit)
        except Exception as fault:
            # Whatever a stranger put into an answer: the workers of other HITs wait for their pay.
            log.exception("HIT %s could not be taken in", hit.pk)
            unread.append(f"HIT {hit.pk}: {type(fault).__name__}")
            _ask_again(hit)
        progress(count)
    quarantine(project=project)
    return Collected(changed, tuple(unread))


def _ask_again(hit: HIT) -> None:
    hit.refresh_from_db(fields=["state"])
    # A closed one without work to decide on was asked about because a person wanted it: they may want it again.
    is_done = hit.state == HIT.State.CLOSED and not hit.assignments.filter(state=State.SUBMITTED).exists()
    again = None if is_done else timezone.now() + (CLOSED_EVERY if hit.state == HIT.State.CLOSED else EVERY)
    HIT.objects.filter(pk=hit.pk).update(collect_after=again)


def _pass_over_the_quiet(project: Project, hits: list[HIT]) -> set[int]:
    """The HITs of which one listing of the account shows that nothing is new; they are due again later.

    Asking about each costs a call; the listing brings a hundred a call, and is made where it is the cheaper way.
    """
    claimed = [State.HANDED_OVER, State.QUARANTINED]
    loud = set(Assignment.objects.filter(hit__project=project, state__in=claimed).values_list("hit_id", flat=True))
    asked = [hit for hit in hits if hit.pk not in loud]
    known = HIT.objects.filter(environment=project.environment, remote_id__isnull=False)
    if len(asked) < 10 or len(asked) <= known.count() / 100 + 1:
        return set()
    try:
        listed = {remote.hit_id: remote for remote in mturk.connect(project.environment).list_hits()}
    except (Refused, Unclear) as fault:
        log.warning("the HITs of %s could not be listed: %s", project.environment, fault)
        return set()
    rows = Assignment.objects.filter(hit__project=project, state__in=DECIDED).order_by().values("hit_id")
    decided = {row["hit_id"]: row["count"] for row in rows.annotate(count=Count("id"))}
    quiet = [hit for hit in asked if _is_quiet(hit, listed.get(hit.remote_id), decided.get(hit.pk, 0))]
    now = timezone.now()
    by_pause: dict[timedelta, list[int]] = {}
    for hit in quiet:
        by_pause.setdefault(_pause(hit, changed=False), []).append(hit.pk)
    for pause, ids in by_pause.items():
        for start in range(0, len(ids), 500):
            HIT.objects.filter(pk__in=ids[start : start + 500]).update(collect_after=now + pause)
    return {hit.pk for hit in quiet}


def _is_quiet(hit: HIT, remote: RemoteHIT | None, decided: int) -> bool:
    """Whether all that anybody took of a HIT is decided, there as here."""
    if remote is None or remote.completed != decided:
        return False
    if hit.state == HIT.State.CLOSED:
        return True
    is_over = hit.expires_at is not None and hit.expires_at <= timezone.now()
    return not is_over and remote.taken == remote.completed < hit.max_assignments


def _pause(hit: HIT, *, changed: bool) -> timedelta:
    """How long until a HIT is asked about again."""
    if hit.state == HIT.State.CLOSED:
        return CLOSED_EVERY
    now = timezone.now()
    return EVERY if changed or now - (hit.offered_at or now) < timedelta(hours=1) else QUIET_EVERY


def collect_hit(*, hit: HIT, provider: Provider) -> int:
    """One HIT: its listed assignments are confirmed here, and it closes when no more can come."""
    listed = list(provider.list_assignments(hit.remote_id))
    ended = len(listed) >= hit.max_assignments
    if hit.state != HIT.State.CLOSED and not ended and hit.expires_at and hit.expires_at <= timezone.now():
        # Workers who accepted in time may still hand in: the marketplace says when nobody can any more.
        ended = provider.get_hit(hit.remote_id).status in {"Reviewable", "Reviewing", "Disposed"}
    with transaction.atomic():
        # Two collectors meet here: the second finds what the first took in.
        hit.state = HIT.objects.select_for_update(no_key=True).values_list("state", flat=True).get(pk=hit.pk)
        changed = sum(_confirm(hit, remote) for remote in listed)
        if hit.state == HIT.State.CLOSED:
            if changed:
                count_enough(items=hit.items.select_related("stage"))
        elif ended:
            hit.state, hit.closed_at = HIT.State.CLOSED, timezone.now()
            hit.close_reason = "all answers are in" if len(listed) >= hit.max_assignments else "its time was over"
            hit.save(update_fields=["state", "closed_at", "close_reason"])
            record("hit.closed", subject=hit, project_id=hit.project_id, assignments=len(listed))
            reopen_items(hits=[hit])
        is_done = hit.state == HIT.State.CLOSED and not hit.assignments.filter(state=State.SUBMITTED).exists()
        again = None if is_done else timezone.now() + _pause(hit, changed=bool(changed))
        HIT.objects.filter(pk=hit.pk).update(collect_after=again)
    return changed


def _confirm(hit: HIT, remote: RemoteAssignment) -> bool:
    state = STATES.get(remote.status)
    if state is None:
        return False
    worker = meet_worker(environment=hit.environment, provider_id=remote.worker_id)
    assignment, _ = Assignment.objects.select_for_update().get_or_create(
        assignment_id=remote.assignment_id,
        worker=worker,
        defaults={"hit": hit, "source": "marketplace", "state": State.OPEN},
    )
    is_new = state in AFTER.get(assignment.state, STATES.values())
    is_of_another = assignment.hit_id != hit.pk
    if not is_new and not is_of_another:
        return False
    if is_of_another:
        _bring_to(hit, assignment)
    if not assignment.answers.exists():
        _restore_answers(hit, assignment, remote)
    if not is_new:
        assignment.save(update_fields=["source"])
        count_answers(assignment=assignment)
        return True
    _supersede_others(assignment)
    if assignment.settlement:
        # Somebody paid for it in another way, or said that nothing is owed: now a person decides again.
        about = {"settlement": assignment.settlement, "state": state}
        record("assignment.listed_after_all", subject=assignment, project_id=hit.project_id, **about)
    assignment.state = state
    assignment.submitted_at = remote.submitted_at or assignment.submitted_at
    if state in DECIDED:
        assignment.decided_at = timezone.now()
    assignment.save(update_fields=["state", "submitted_at", "decided_at", "source"])
    count_answers(assignment=assignment)
    record(f"assignment.{state}", subject=assignment, project_id=hit.project_id, worker=worker.pseudonym)
    return True


def _bring_to(hit: HIT, assignment: Assignment) -> None:
    """Its worker opened the page of another HIT under this assignment's id: what stands there answers that one."""
    given = {str(item): data for item, data in assignment.answers.values_list("item_id", "data")}
    about = {"answers": given, "comment": assignment.comment, "hit": assignment.hit_id}
    record("assignment.contested", subject=assignment, project_id=hit.project_id, **about)
    assignment.answers.all().delete()
    assignment.hit, assignment.draft, assignment.comment = hit, {}, ""
    assignment.receipt = assignment.corpus_digest = ""
    assignment.seconds_spent = None
    assignment.save(update_fields=["hit", "draft", "comment", "receipt", "corpus_digest", "seconds_spent"])


def _restore_answers(hit: HIT, assignment: Assignment, remote: RemoteAssignment) -> None:
    """Our own copy was lost: the browser gave the marketplace another one with the receipt."""
    try:
        copy = read_copy(sheet_of(hit.token), remote.answer.get("answers", "") or "{}")
    except ValueError as fault:
        log.warning("assignment %s came without a readable copy of its answers: %s", assignment.pk, fault)
    else:
        Assignment.objects.filter(pk=assignment.pk).update(comment=copy.comment)
        Answer.objects.bulk_create(
            Answer(assignment=assignment, item_id=item, data=data) for item, data in copy.answers.items()
        )
    assignment.source = "marketplace"


def _supersede_others(assignment: Assignment) -> None:
    """The same assignment id, claimed by somebody else: the marketplace's word wins, the other text is kept."""
    others = Assignment.objects.filter(assignment_id=assignment.assignment_id, state__in=LIVE).exclude(pk=assignment.pk)
    for other in others.select_for_update(of=("self",)).select_related("hit"):
        other.state = State.SUPERSEDED
        other.save(update_fields=["state"])
        record("assignment.superseded", subject=other, project_id=other.hit.project_id)


def quarantine(*, project: Project) -> int:
    """Work that was handed over here but that the marketplace never listed: kept, not counted, shown to a person."""
    late = timezone.now() - LISTED_WITHIN
    rows = Assignment.objects.filter(hit__project=project, state=State.HANDED_OVER, handed_over_at__lt=late)
    count = 0
    for assignment in rows:
        with transaction.atomic():
            # It may have been handed over anew, or listed, since it was read.
            still = Assignment.objects.filter(pk=assignment.pk, state=State.HANDED_OVER, handed_over_at__lt=late)
            if still.update(state=State.QUARANTINED):
                record("assignment.quarantined", subject=assignment, project_id=project.pk)
                count += 1
    return count


# --- What counts ----------------------------------------------------------------------------------


def count_answers(*, assignment: Assignment) -> None:
    """Has an assignment's answers count, or not, as its state says; a trial's never do.

    An item counts once a worker: who answered it in two HITs that were open side by side is paid for both.
    """
    mine = dict(assignment.answers.values_list("item_id", "counts"))
    theirs = Answer.objects.filter(
        item__in=mine,
        assignment__worker=assignment.worker_id,
        assignment__state__in=PAYABLE,
        assignment__hit__trial_of=None,
    ).exclude(assignment=assignment.pk)
    elsewhere = set(theirs.filter(counts=True).values_list("item_id", flat=True))
    counting: Collection[int] = ()
    if assignment.state in PAYABLE and assignment.hit.trial_of_id is None:
        counting = mine.keys() - elsewhere
    if counting:
        assignment.answers.filter(item__in=counting).update(counts=True)
    if len(counting) < len(mine):
        assignment.answers.exclude(item__in=counting).update(counts=False)
    if lost := {item for item, counted in mine.items() if counted} - set(counting) - elsewhere:
        # The other answer of the same worker, where there is one, takes its place.
        spare = dict(theirs.filter(item__in=lost).order_by("-pk").values_list("item_id", "pk"))
        Answer.objects.filter(pk__in=spare.values()).update(counts=True)
    if assignment.state == State.REJECTED:
        count_again(items=Item.objects.filter(pk__in=mine).select_related("stage"))


def count_again(*, items: Iterable[Item]) -> None:
    """After a rejection: items that had enough answers may want another, and what they added up to is added up anew."""
    items = list(items)
    short = [item.pk for item in items if item.state == Item.State.ANSWERED and not _has_enough(item)]
    move_items(items=short, to=Item.State.OPEN, from_states=[Item.State.ANSWERED])
    settled = [item.pk for item in items if item.state == Item.State.SETTLED]
    move_items(items=settled, to=Item.State.ANSWERED, from_states=[Item.State.SETTLED])


def count_enough(*, items: Iterable[Item]) -> None:
    """The other way round: items that wait to be offered again, and have all their answers after all."""
    full = [item.pk for item in items if item.state == Item.State.OPEN and _has_enough(item)]
    move_items(items=full, to=Item.State.ANSWERED, from_states=[Item.State.OPEN])


def _has_enough(item: Item) -> bool:
    return item.answers.filter(counts=True).count() >= item.stage.answers_per_item + item.extra_answers
