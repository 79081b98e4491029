from django.db import models


class Note(models.Model):
    """One row of 1.5 kB, about what a draft of five answers is."""

    text = models.TextField()

    class Meta:
        app_label = "bare"
        db_table = "benchmark_bare_note"

    def __str__(self) -> str:
        return f"note {self.pk}"
