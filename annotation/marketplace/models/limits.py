"""Counts that several processes must agree on: calls a second, wrong passwords."""

from django.db import models

from annotation.marketplace import clock
from annotation.marketplace.models.accounts import Account


class CallAllowance(models.Model):
    """How many calls a requester with a limit can make at once; it fills up as time passes."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="+")
    calls_left = models.FloatField()
    filled_at = models.FloatField()  # epoch seconds, so that one statement can work out what has come since

    def __str__(self) -> str:
        return f"{self.calls_left:.1f} calls of {self.account_id}"


class WrongPasswords(models.Model):
    """How often a name's password was wrong, from one address; the name may be a slip, so a hash of both is kept."""

    name_hash = models.CharField(max_length=64, unique=True)
    times = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name_plural = "wrong passwords"
        indexes = [models.Index(fields=["since"])]

    def __str__(self) -> str:
        return f"{self.times} times"
