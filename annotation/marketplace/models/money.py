"""Money in whole cents: every entry takes from one book and adds to another, so all books together are zero."""

from django.db import models
from django.db.models import Q

from annotation.marketplace import clock
from annotation.marketplace.models.accounts import Account
from annotation.marketplace.models.hits import HIT, Assignment


class Book(models.Model):
    """One pot of money: what a requester can spend, what is held, what a worker earned, fees, the outside world."""

    OUTSIDE, AVAILABLE, HOLD, EARNINGS, FEES = "outside", "available", "hold", "earnings", "fees"

    kind = models.CharField(max_length=10)
    owner = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, related_name="books")
    # The running sum of the entries, kept so that a balance costs one row.
    balance_cents = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "owner"], name="one_book_of_a_kind", nulls_distinct=False),
            models.CheckConstraint(condition=Q(kind="outside") | Q(balance_cents__gte=0), name="no_book_is_overdrawn"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.owner_id or 'the marketplace'}"


class Bonus(models.Model):
    """Money a requester sent a worker on top of a reward."""

    requester = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    worker = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="bonuses")
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="bonuses")
    cents = models.PositiveIntegerField()
    reason = models.TextField()
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.cents} cents to {self.worker_id}"


class PayOut(models.Model):
    """A list of what was owed to workers, handed to whoever pays them; marked paid afterwards."""

    created_at = models.DateTimeField(default=clock.now)
    created_by = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    paid_at = models.DateTimeField(null=True)
    # [{"worker_id", "cents"}] as it stood when the list was made.
    lines = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"pay-out {self.pk}"


class Entry(models.Model):
    """One movement of money, never changed."""

    KINDS = ("prepayment", "hold", "release", "reward", "fee", "bonus", "bonus_fee", "payout", "refund")

    source = models.ForeignKey(Book, on_delete=models.PROTECT, related_name="outgoing")
    target = models.ForeignKey(Book, on_delete=models.PROTECT, related_name="incoming")
    cents = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=10)
    hit = models.ForeignKey(HIT, on_delete=models.PROTECT, null=True, related_name="entries")
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, null=True, related_name="entries")
    bonus = models.ForeignKey(Bonus, on_delete=models.PROTECT, null=True, related_name="entries")
    payout = models.ForeignKey(PayOut, on_delete=models.PROTECT, null=True, related_name="entries")
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(cents__gt=0), name="an_entry_moves_something")]
        indexes = [
            models.Index(fields=["source", "id"]),
            models.Index(fields=["target", "id"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.cents}"
