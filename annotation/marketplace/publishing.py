"""What requesters do to HITs."""

from datetime import datetime, timedelta

from django.db import transaction

from annotation.marketplace import (
    clock,
    ledger,
    market,
    notifications,
    questions,
    registering,
    reviewpolicies,
    states,
    tokens,
)
from annotation.marketplace.errors import OutOfRange, Refusal, does_not_exist, not_yours, wrong_state
from annotation.marketplace.limits import LONGEST, in_range
from annotation.marketplace.models import HIT, Account, Book, HITType

RETENTION = timedelta(days=120)
# What can change of a HIT; the question, up to 64 kB, never does.
MOVES = (
    *("status", "available", "accepted", "submitted", "decided", "max_assignments", "is_live"),
    *("hit_type", "expires_at", "last_expiration_request", "due_at", "held_cents", "freed_ids"),
)


def hit_of(requester: Account, hit_id: str, *, for_update: bool = False) -> HIT:
    """One of the requester's own HITs."""
    rows = HIT.objects.select_related("hit_type", "requester")
    if for_update:
        rows = rows.select_for_update(of=("self",))
    hit = rows.filter(hit_id=hit_id).first()
    if hit is None:
        raise does_not_exist("Hit", hit_id, "HIT")
    if hit.requester_id != requester.pk:
        raise not_yours("Hit", hit_id)
    return hit


def require_kept(hit: HIT) -> None:
    """Refuse what cannot be asked of a HIT that was disposed of."""
    if hit.status == states.DISPOSED:
        raise wrong_state("HIT", ",".join(states.OPEN), hit.status)


@transaction.atomic
def create_hit(
    *,
    requester: Account,
    hit_type: HITType,
    question: str,
    lifetime: int,
    max_assignments: int = 1,
    annotation: str = "",
    token: str | None = None,
    operation: str = "CreateHIT",
    assignment_review_policy: dict | None = None,
    hit_review_policy: dict | None = None,
    layout_id: str = "",
) -> HIT:
    """Offer a new HIT and hold what it can cost."""
    market.require_open()
    books = ledger.lock(requester)
    if used := tokens.earlier_use(requester, operation, token):
        raise Refusal(
            f"A HIT with the UniqueRequestToken {used.token} already exists: HITId {used.result}.", "HitAlreadyExists"
        )
    in_range("MaxAssignments", max_assignments, 1, 1_000_000_000)
    in_range("LifetimeInSeconds", lifetime, 30, LONGEST)
    if len(annotation.encode()) > 255:
        raise OutOfRange(f"RequesterAnnotation takes at most 255 bytes, got {len(annotation.encode())}.")
    reviewpolicies.check("AssignmentReviewPolicy", assignment_review_policy)
    reviewpolicies.check("HITReviewPolicy", hit_review_policy)
    read = questions.read(question)
    now = clock.now()
    hit = HIT(
        requester=requester,
        hit_type=hit_type,
        question=question,
        question_kind=read.kind,
        external_url=read.url,
        frame_height=read.frame_height,
        annotation=annotation,
        assignment_review_policy=assignment_review_policy,
        hit_review_policy=hit_review_policy,
        layout_id=layout_id,
        created_at=now,
        expires_at=now + timedelta(seconds=lifetime),
    )
    hit.state = states.created(max_assignments)
    set_due(hit, now)
    hit.held_cents = ledger.at_stake(hit)
    hit.save()
    ledger.move(books[Book.AVAILABLE], books[Book.HOLD], hit.held_cents, "hold", hit=hit)
    tokens.remember(requester, operation, token, hit.hit_id)
    notifications.record("HITCreated", hit)
    return hit


def set_due(hit: HIT, at: datetime) -> None:
    """When this HIT, finished at `at` if it is finished, changes by itself next."""
    if hit.status == states.DISPOSED:
        hit.due_at = None
    elif hit.is_live:
        hit.due_at = hit.expires_at
    elif not hit.state.finished:
        hit.due_at = None
    elif hit.due_at is None or hit.due_at <= at:
        hit.due_at = at + RETENTION


def store(hit: HIT, at: datetime) -> None:
    """Save a HIT whose state moved: due time, hold and row together."""
    set_due(hit, at)
    ledger.adjust_hold(hit)
    hit.save(update_fields=MOVES)


def moved(hit: HIT, new: states.HITState, at: datetime | None = None) -> None:
    """Give a HIT its new state and tell whoever wants to know that it became reviewable."""
    was_finished = hit.state.finished
    hit.state = new
    store(hit, at or clock.now())
    if new.finished and not was_finished:
        notifications.record("HITReviewable", hit, at=at)


@transaction.atomic
def add_assignments(*, requester: Account, hit_id: str, number: int, token: str | None, request_id: str) -> HIT:
    """Let more workers take a HIT."""
    hit = hit_of(requester, hit_id, for_update=True)
    ledger.lock(requester)
    operation = "CreateAdditionalAssignmentsForHIT"
    tokens.refuse_repeated(requester, operation, token)
    in_range("NumberOfAdditionalAssignments", number, 1, 1_000_000_000)
    total = hit.max_assignments + number
    in_range("MaxAssignments", total, 1, 1_000_000_000)
    if hit.max_assignments < 10 <= total:
        raise Refusal(
            "HITs created with fewer than 10 assignments cannot be extended to have 10 or more assignments: "
            f"this one has {hit.max_assignments} and {number} more would make {total}.",
            "InvalidMaximumAssignmentsIncrease",
        )
    try:
        moved(hit, states.add(hit.state, number))
    except states.NotAllowed as error:
        raise wrong_state("HIT", error.allowed, error.current) from error
    tokens.remember(requester, operation, token, request_id)
    notifications.record("HITExtended", hit)
    return hit


@transaction.atomic
def update_expiration(*, requester: Account, hit_id: str, at: datetime) -> HIT:
    """End a HIT's lifetime now, or make it longer."""
    hit = hit_of(requester, hit_id, for_update=True)
    ledger.lock(requester)
    require_kept(hit)
    now = clock.now()
    if at <= now:
        expire(hit, now)
        return hit
    if hit.last_expiration_request == at:
        stamp = at.strftime("%a %b %d %H:%M:%S UTC %Y")
        raise Refusal(
            f'The idempotency token "{hit.hit_id}{stamp}" has already been processed.', "InvalidParameterValue"
        )
    increment = int((at - max(now, hit.expires_at)).total_seconds())
    in_range("ExpirationIncrementInSeconds", increment, 60, LONGEST)
    hit.expires_at = hit.last_expiration_request = at
    moved(hit, states.prolong(hit.state))
    notifications.record("HITExtended", hit)
    return hit


def expire(hit: HIT, at: datetime) -> None:
    """The lifetime of a locked HIT is over. Who has accepted may finish."""
    if not hit.is_live:
        return
    hit.expires_at = min(hit.expires_at, at)
    hit.due_at = None  # the end that was planned is due no more: the 120 days begin now
    # The same end may be asked for again once the HIT has ended.
    hit.last_expiration_request = None
    moved(hit, states.expire(hit.state), at=hit.expires_at)
    notifications.record("HITExpired", hit, at=hit.expires_at)


@transaction.atomic
def change_type(*, requester: Account, hit_id: str, type_id: str) -> HIT:
    """Move a HIT under another HIT type, with all that the type says."""
    hit = hit_of(requester, hit_id, for_update=True)
    ledger.lock(requester)
    require_kept(hit)
    hit.hit_type = registering.type_of(requester, type_id)
    store(hit, clock.now())
    return hit


@transaction.atomic
def mark_reviewing(*, requester: Account, hit_id: str, revert: bool) -> HIT:
    """Set or take back the label Reviewing."""
    hit = hit_of(requester, hit_id, for_update=True)
    try:
        hit.state = states.mark_reviewing(hit.state, revert)
    except states.NotAllowed as error:
        raise wrong_state("HIT", error.allowed, error.current) from error
    hit.save(update_fields=["status"])
    return hit


@transaction.atomic
def delete_hit(*, requester: Account, hit_id: str) -> HIT:
    """Dispose of a finished HIT whose work is all decided."""
    hit = hit_of(requester, hit_id, for_update=True)
    ledger.lock(requester)
    dispose(hit)
    return hit


def dispose(hit: HIT) -> None:
    """Dispose of a locked HIT."""
    try:
        moved(hit, states.dispose(hit.state))
    except states.NotAllowed as error:
        raise wrong_state("HIT", error.allowed, error.current) from error
    notifications.record("HITDisposed", hit)
