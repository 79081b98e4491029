"""The marketplace's books. Every movement is one entry from one book to another, in the caller's transaction."""

import re

from django.db import IntegrityError, transaction
from django.db.models import F

from annotation.marketplace import fees, requirements, tokens
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT, Account, Assignment, Bonus, Book, Entry, PayOut


def book(kind: str, owner: Account | None = None) -> Book:
    """The book of a kind, made when first needed."""
    found = Book.objects.filter(kind=kind, owner=owner).first()
    if found:
        return found
    try:
        with transaction.atomic():
            return Book.objects.create(kind=kind, owner=owner)
    except IntegrityError:
        return Book.objects.get(kind=kind, owner=owner)


def lock(requester: Account) -> dict[str, Book]:
    """Hold a requester's two books until the transaction ends, always in the same order."""
    kinds = (Book.AVAILABLE, Book.HOLD)
    held = Book.objects.select_for_update().filter(owner=requester, kind__in=kinds).order_by("id")
    found = {one.kind: one for one in held}
    if len(found) < len(kinds):
        for kind in kinds:
            book(kind, requester)
        found = {one.kind: one for one in held.all()}
    return found


def balance(kind: str, owner: Account | None = None) -> int:
    """Cents in a book."""
    return book(kind, owner).balance_cents


def cents_of(amount: str) -> int | None:
    """Dollars as the API and people write them, in cents: `1`, `1.`, `1.5`, `1.50`; none for anything else."""
    found = re.fullmatch(r"([0-9]{1,30})(?:\.([0-9]{0,2}))?", amount)
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else None


def dollars(cents: int) -> str:
    """Cents as the API writes money."""
    return f"{cents // 100}.{cents % 100:02d}"


def move(source: Book, target: Book, cents: int, kind: str, **about: object) -> None:
    """Write one entry and both balances; refuse to overdraw."""
    if cents == 0:
        return
    enough = Book.objects.filter(pk=source.pk)
    if source.kind != Book.OUTSIDE:
        enough = enough.filter(balance_cents__gte=cents)
    if not enough.update(balance_cents=F("balance_cents") - cents):
        have = Book.objects.get(pk=source.pk).balance_cents
        raise Refusal(
            f"This Requester has insufficient funds: {dollars(cents)} USD needed, {dollars(have)} USD available.",
            "InsufficientFunds",
        )
    Book.objects.filter(pk=target.pk).update(balance_cents=F("balance_cents") + cents)
    Entry.objects.create(source=source, target=target, cents=cents, kind=kind, **about)


def fee_for(hit: HIT) -> int:
    """The fee for one assignment of this HIT."""
    masters = requirements.asks_for_masters(hit.hit_type.requirements)
    return fees.on_reward(hit.hit_type.reward_cents, hit.max_assignments, masters)


def at_stake(hit: HIT) -> int:
    """What a HIT can still cost: reward and fee of all that is open, being worked on or undecided."""
    undecided = hit.accepted + hit.submitted + (hit.available if hit.is_live else 0)
    return undecided * (hit.hit_type.reward_cents + fee_for(hit))


def adjust_hold(hit: HIT) -> None:
    """Hold what this HIT can still cost, or release what it can't cost any more."""
    wanted = at_stake(hit)
    difference = wanted - hit.held_cents
    if difference == 0:
        return
    books = lock(hit.requester)
    if difference > 0:
        move(books[Book.AVAILABLE], books[Book.HOLD], difference, "hold", hit=hit)
    else:
        move(books[Book.HOLD], books[Book.AVAILABLE], -difference, "release", hit=hit)
    hit.held_cents = wanted


def pay_reward(assignment: Assignment, *, from_hold: bool) -> None:
    """Pay one assignment's reward and fee, from what is held or (after a rejection) from what is available."""
    hit = assignment.hit
    reward, fee = hit.hit_type.reward_cents, fee_for(hit)
    source = book(Book.HOLD if from_hold else Book.AVAILABLE, hit.requester)
    move(source, book(Book.EARNINGS, assignment.worker), reward, "reward", hit=hit, assignment=assignment)
    move(source, book(Book.FEES), fee, "fee", hit=hit, assignment=assignment)
    if from_hold:
        hit.held_cents -= reward + fee
    assignment.reward_cents = reward


def pay_bonus(bonus: Bonus) -> None:
    """Pay a bonus and its fee."""
    about = {"hit": bonus.assignment.hit, "assignment": bonus.assignment, "bonus": bonus}
    source = book(Book.AVAILABLE, bonus.requester)
    move(source, book(Book.EARNINGS, bonus.worker), bonus.cents, "bonus", **about)
    move(source, book(Book.FEES), fees.on_bonus(bonus.cents), "bonus_fee", **about)


@transaction.atomic
def prepay(*, requester: Account, cents: int, note: str = "", token: str | None = None) -> None:
    """Enter money that a requester has paid to whoever runs this marketplace."""
    lock(requester)
    tokens.refuse_repeated(requester, "prepayment", token)
    move(book(Book.OUTSIDE), book(Book.AVAILABLE, requester), cents, "prepayment", note=note)
    tokens.remember(requester, "prepayment", token, "page")


@transaction.atomic
def refund(*, requester: Account, cents: int, note: str = "", token: str | None = None) -> None:
    """Enter money that was given back to a requester."""
    lock(requester)
    tokens.refuse_repeated(requester, "refund", token)
    move(book(Book.AVAILABLE, requester), book(Book.OUTSIDE), cents, "refund", note=note)
    tokens.remember(requester, "refund", token, "page")


@transaction.atomic
def make_payout(*, operator: Account) -> PayOut:
    """List what is owed to every worker and take it off their books; whoever holds the list pays it."""
    payout = PayOut.objects.create(created_by=operator)
    owed = Book.objects.select_for_update(of=("self",)).filter(kind=Book.EARNINGS, balance_cents__gt=0)
    outside = book(Book.OUTSIDE)
    for earnings in owed.select_related("owner").order_by("id"):
        payout.lines.append({"worker_id": earnings.owner.customer_id, "cents": earnings.balance_cents})
        move(earnings, outside, earnings.balance_cents, "payout", payout=payout)
    payout.save(update_fields=["lines"])
    return payout
