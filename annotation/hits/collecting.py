"""Asks the marketplace what came back. The only writer of submitted, and of who really did the work."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotation.events.actions import record
from annotation.hits.models import HIT, Answer, Assignment
from annotation.hits.publishing import reopen_items
from annotation.hits.queries import unplaced
from annotation.hits.sheets import read_copy, sheet_of
from annotation.projects.actions import move_items
from annotation.projects.models import Item, Project
from annotation.providers import mturk
from annotation.providers.base import Provider, Refused, RemoteAssignment, Throttled, Unclear
from annotation.workers.actions import meet_worker

log = logging.getLogger(__name__)

EVERY = timedelta(seconds=60)
QUIET_EVERY = timedelta(minutes=15)
# What was handed over is looked for at once; after this long without a word from the marketplace it is
# quarantined: kept, and shown to a person who decides on pay.
LISTED_WITHIN = timedelta(hours=24)
# Each question that stays unanswered takes many seconds. After so many in a row the rest waits for the next time,
# when those that were not asked about come first.
GIVES_UP_AFTER = 3
LIVE = [Assignment.State.OPEN, Assignment.State.HANDED_OVER]
STATES = {
    "Submitted": Assignment.State.SUBMITTED,
    "Approved": Assignment.State.APPROVED,
    "Rejected": Assignment.State.REJECTED,
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
    A closed one is asked about where `look_again` wants it: work in quarantine may have been listed late.
    `progress` is told how many HITs were asked about so far.
    """
    due = Q(collect_after__lte=timezone.now())
    offered = Q(state=HIT.State.OFFERED)
    waiting = Assignment.objects.filter(hit__project=project, state=Assignment.State.HANDED_OVER).values("hit_id")
    closed = Q(state=HIT.State.CLOSED) & due & Q(pk__in=unplaced(project).values("hit_id"))
    wanted = (offered if everything else offered & (due | Q(pk__in=waiting))) | closed
    hits = project.hits.filter(wanted).select_related("stage", "project")
    changed, unread, unanswered = 0, [], 0
    for count, hit in enumerate(list(hits.order_by("collect_after")), 1):
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
            # A closed one was asked about because a person wanted it: they may want it again.
            again = None if hit.state == HIT.State.CLOSED else timezone.now() + EVERY
            HIT.objects.filter(pk=hit.pk).update(collect_after=again)
        progress(count)
    quarantine(project=project)
    return Collected(changed, tuple(unread))


def collect_hit(*, hit: HIT, provider: Provider) -> int:
    """One HIT: its listed assignments are confirmed here, and it closes when no more can come."""
    listed = list(provider.list_assignments(hit.remote_id))
    if hit.state == HIT.State.CLOSED:
        return _look_at_closed(hit, listed)
    ended = len(listed) >= hit.max_assignments
    if not ended and hit.expires_at and hit.expires_at <= timezone.now():
        # Workers who accepted in time may still hand in: the marketplace says when nobody can any more.
        ended = provider.get_hit(hit.remote_id).status in {"Reviewable", "Reviewing", "Disposed"}
    with transaction.atomic():
        changed = sum(_confirm(hit, remote) for remote in listed)
        now = timezone.now()
        if ended:
            hit.state, hit.closed_at = HIT.State.CLOSED, now
            hit.close_reason = "all answers are in" if len(listed) >= hit.max_assignments else "its time was over"
            hit.save(update_fields=["state", "closed_at", "close_reason"])
            record("hit.closed", subject=hit, project_id=hit.project_id, assignments=len(listed))
            reopen_items(hits=[hit])
        else:
            pause = EVERY if changed or now - (hit.offered_at or now) < timedelta(hours=1) else QUIET_EVERY
            HIT.objects.filter(pk=hit.pk).update(collect_after=now + pause)
    return changed


@transaction.atomic
def _look_at_closed(hit: HIT, listed: list[RemoteAssignment]) -> int:
    changed = sum(_confirm(hit, remote) for remote in listed)
    HIT.objects.filter(pk=hit.pk).update(collect_after=None)
    if changed:
        count_enough(items=hit.items.select_related("stage"))
    return changed


def _confirm(hit: HIT, remote: RemoteAssignment) -> bool:
    state = STATES.get(remote.status)
    if state is None:
        return False
    worker = meet_worker(environment=hit.environment, provider_id=remote.worker_id)
    assignment, _ = Assignment.objects.get_or_create(
        assignment_id=remote.assignment_id,
        worker=worker,
        defaults={"hit": hit, "source": "marketplace", "state": Assignment.State.OPEN},
    )
    if assignment.state == state:
        return False
    if assignment.state == Assignment.State.APPROVED and state == Assignment.State.SUBMITTED:
        return False  # our own approval is ahead of a list that lags
    if not assignment.answers.exists():
        _restore_answers(hit, assignment, remote)
    _supersede_others(assignment)
    assignment.state = state
    assignment.submitted_at = remote.submitted_at or assignment.submitted_at
    if state != Assignment.State.SUBMITTED:
        assignment.decided_at = timezone.now()
    assignment.save(update_fields=["state", "submitted_at", "decided_at", "source"])
    assignment.answers.update(counts=state != Assignment.State.REJECTED and hit.trial_of_id is None)
    record(f"assignment.{state}", subject=assignment, project_id=hit.project_id, worker=worker.pseudonym)
    return True


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
    for other in others:
        other.state = Assignment.State.SUPERSEDED
        other.save(update_fields=["state"])
        record("assignment.superseded", subject=other, project_id=other.hit.project_id)


def quarantine(*, project: Project) -> int:
    """Work that was handed over here but that the marketplace never listed: kept, not counted, shown to a person."""
    late = timezone.now() - LISTED_WITHIN
    rows = Assignment.objects.filter(hit__project=project, state=Assignment.State.HANDED_OVER, handed_over_at__lt=late)
    count = 0
    for assignment in rows:
        with transaction.atomic():
            assignment.state = Assignment.State.QUARANTINED
            assignment.save(update_fields=["state"])
            record("assignment.quarantined", subject=assignment, project_id=project.pk)
        count += 1
    return count


def count_again(*, items: Iterable[Item]) -> None:
    """After a rejection: items that had enough answers may want another."""
    for item in items:
        if item.state == Item.State.ANSWERED and item.answers.filter(counts=True).count() < (
            item.stage.answers_per_item + item.extra_answers
        ):
            Item.objects.filter(pk=item.pk, state=Item.State.ANSWERED).update(state=Item.State.OPEN)


def count_enough(*, items: Iterable[Item]) -> None:
    """The other way round: items that wait to be offered again, and have all their answers after all."""
    full = [
        item.pk
        for item in items
        if item.state == Item.State.OPEN
        and item.answers.filter(counts=True).count() >= item.stage.answers_per_item + item.extra_answers
    ]
    move_items(items=full, to=Item.State.ANSWERED, from_states=[Item.State.OPEN])
