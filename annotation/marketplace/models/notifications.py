"""The outbox: what a requester asked to be told, until it was delivered."""

from django.db import models
from django.db.models import Q

from annotation.marketplace import clock
from annotation.marketplace.models.accounts import Account


class Delivery(models.Model):
    """One message to one destination; sent at least once, with the same id each time."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    message_id = models.CharField(max_length=40)  # EventDocId and webhook-id
    transport = models.CharField(max_length=8)
    destination = models.TextField()
    body = models.JSONField()
    created_at = models.DateTimeField(default=clock.now)
    next_try_at = models.DateTimeField(null=True, default=clock.now)  # null: delivered or given up
    tries = models.PositiveIntegerField(default=0)
    delivered_at = models.DateTimeField(null=True)
    last_error = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [models.Index(fields=["next_try_at"], condition=Q(next_try_at__isnull=False), name="delivery_due")]

    def __str__(self) -> str:
        return self.message_id
