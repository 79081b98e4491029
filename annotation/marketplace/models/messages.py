"""What people tell each other: messages, appeals of a rejection, reports of a HIT."""

from django.db import models

from annotation.marketplace import clock
from annotation.marketplace.models.accounts import Account
from annotation.marketplace.models.hits import HIT, Assignment


class Message(models.Model):
    """A message between a requester and a worker."""

    sender = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="messages_sent")
    recipient = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="messages")
    subject = models.CharField(max_length=200)
    body = models.TextField()
    hit = models.ForeignKey(HIT, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=clock.now)
    read_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["recipient", "read_at", "id"])]

    def __str__(self) -> str:
        return self.subject


class Appeal(models.Model):
    """A worker's objection to a rejection; answered by the requester's approval or by words."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="appeal")
    text = models.TextField()
    created_at = models.DateTimeField(default=clock.now)
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True)
    upheld = models.BooleanField(null=True)  # True: the worker was right and was paid

    def __str__(self) -> str:
        return f"appeal of {self.assignment_id}"


class Report(models.Model):
    """A worker's report that a HIT breaks the rules or does not work; read by the operator."""

    hit = models.ForeignKey(HIT, on_delete=models.CASCADE, related_name="reports")
    worker = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=20)
    text = models.TextField(blank=True)
    created_at = models.DateTimeField(default=clock.now)
    closed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.reason}: {self.hit_id}"
