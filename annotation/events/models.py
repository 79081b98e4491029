from django.db import models


class Event(models.Model):
    """One thing that happened. Rows are never changed or deleted."""

    at = models.DateTimeField(auto_now_add=True)
    verb = models.CharField(max_length=60)
    actor = models.CharField(max_length=80, help_text="user:3, worker:w-…, clock, or command:publish")
    # Plain numbers and names, not foreign keys: this room knows none of the rooms above it.
    project_id = models.BigIntegerField(null=True, blank=True)
    subject = models.CharField(max_length=80, blank=True, help_text="item:12")
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["project_id", "id"]),
            models.Index(fields=["subject"]),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject} by {self.actor}"
