"""What holds for the whole marketplace."""

from django.db import models


class Market(models.Model):
    """The one row that says whether this marketplace is open."""

    closed_at = models.DateTimeField(null=True)
    notice = models.TextField(blank=True)  # shown on every page

    def __str__(self) -> str:
        return "closed" if self.closed_at else "open"
