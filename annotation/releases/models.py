from django.db import models

from annotation.projects.models import Project


class Release(models.Model):
    """A frozen set of accepted outcomes. Never changed: a correction is a new version.

    building (ordered, or a builder is at it) → ready (the folder is whole and in its place) | failed.
    While no version is decided yet it bears a provisional one, `next-…`.
    """

    class State(models.TextChoices):
        BUILDING = "building"
        READY = "ready"
        FAILED = "failed"

    class Verification(models.TextChoices):
        """How far the last verification is. What it came to stands in `problems`: none where it is whole."""

        NONE = ""
        ORDERED = "ordered"
        RUNNING = "running"
        DONE = "done"

    project = models.ForeignKey(Project, models.CASCADE, related_name="releases")
    version = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=State, default=State.BUILDING)
    log_position = models.BigIntegerField(default=0)
    log_events = models.BigIntegerField(
        null=True, blank=True, help_text="how many events of the project it knows of; empty: they were not counted yet"
    )
    location = models.CharField(max_length=500, blank=True, help_text="folder or s3 address")
    manifest_sha256 = models.CharField(max_length=64, blank=True)
    figures = models.JSONField(default=list, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    notes = models.TextField(blank=True)
    error = models.TextField(blank=True)
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    step = models.CharField(max_length=40, blank=True, help_text="what the builder is doing, for people")
    progress = models.PositiveSmallIntegerField(default=0, help_text="percent")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="how often a builder began")
    claimed_by = models.CharField(max_length=100, blank=True, help_text="host and process of the last builder")
    claimed_at = models.DateTimeField(null=True, blank=True, help_text="when the last builder last gave a sign of life")
    verification = models.CharField(max_length=10, choices=Verification, default=Verification.NONE, blank=True)
    verification_since = models.DateTimeField(null=True, blank=True, help_text="when it was ordered, or began")
    verified_at = models.DateTimeField(null=True, blank=True)
    problems = models.JSONField(default=list, blank=True, help_text="what the last verification found")

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["project", "version"], name="one_release_a_version")]

    def __str__(self) -> str:
        return f"{self.project} {self.version}"
