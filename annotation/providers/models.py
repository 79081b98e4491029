from django.db import models
from django.utils.crypto import get_random_string


def new_token() -> str:
    """A UniqueRequestToken (at most 64 characters), stored before the first byte leaves."""
    return f"cw-{get_random_string(26)}"


class Intent(models.Model):
    """One effect that we want in a marketplace, planned before it is tried and never deleted.

    planned → sending → confirmed | refused (a definite no: nothing happened) | unknown.
    `unknown` is settled by reading, or by sending again with the same token within 20 hours of the
    first send (the marketplace remembers tokens for 24); after that only by reading, then `absent`.
    `withdrawn`: called off, before it was ever sent or by a person after a refusal. What was refused
    can be planned again by a person, under the same key and token.
    """

    class State(models.TextChoices):
        PLANNED = "planned"
        SENDING = "sending"
        CONFIRMED = "confirmed"
        REFUSED = "refused"
        UNKNOWN = "unknown"
        ABSENT = "absent"
        WITHDRAWN = "withdrawn"

    environment = models.CharField(max_length=40)
    kind = models.CharField(max_length=30)
    key = models.CharField(max_length=200, unique=True, help_text="what is wanted, once and for all")
    token = models.CharField(max_length=64, unique=True, default=new_token)
    request = models.JSONField()
    request_hash = models.CharField(max_length=64)
    cents = models.BigIntegerField(default=0, help_text="money that this may spend, fees included")
    project_id = models.BigIntegerField(null=True, blank=True, db_index=True)
    state = models.CharField(max_length=12, choices=State, default=State.PLANNED)
    attempts = models.PositiveIntegerField(default=0)
    first_sent_at = models.DateTimeField(null=True, blank=True)
    last_sent_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(help_text="not to be tried before")
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_owner = models.CharField(max_length=40, blank=True)
    result = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    asked_by = models.CharField(max_length=80)
    absorbed_at = models.DateTimeField(null=True, blank=True, help_text="when the room above took the result")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["state", "due_at"]),
            models.Index(fields=["kind", "absorbed_at", "state"]),
            models.Index(fields=["project_id", "kind", "state"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} ({self.state})"
