from django.db import models

from annotation.projects.models import Project


class Release(models.Model):
    """A frozen set of accepted outcomes. Never changed: a correction is a new version."""

    class State(models.TextChoices):
        BUILDING = "building"
        READY = "ready"
        FAILED = "failed"

    project = models.ForeignKey(Project, models.CASCADE, related_name="releases")
    version = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=State, default=State.BUILDING)
    log_position = models.BigIntegerField(default=0)
    location = models.CharField(max_length=500, blank=True, help_text="folder or s3 address")
    manifest_sha256 = models.CharField(max_length=64, blank=True)
    figures = models.JSONField(default=list, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    notes = models.TextField(blank=True)
    error = models.TextField(blank=True)
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["project", "version"], name="one_release_a_version")]

    def __str__(self) -> str:
        return f"{self.project} {self.version}"
