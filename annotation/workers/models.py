from django.db import models
from django.utils.crypto import get_random_string

from annotation.projects.models import Project, Stage


def new_reference() -> str:
    """Ends a qualification's name at the marketplace, so that a lost answer can be looked up by it."""
    return get_random_string(8, "abcdefghjkmnpqrstuvwxyz23456789")


class Worker(models.Model):
    """A person who works through one marketplace, known here by a keyed pseudonym."""

    environment = models.CharField(max_length=40)
    pseudonym = models.CharField(max_length=20, unique=True)
    first_seen_at = models.DateTimeField(auto_now_add=True)
    is_barred = models.BooleanField(default=False, help_text="is shown a polite refusal before any work")
    note = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.pseudonym


class WorkerIdentity(models.Model):
    """The vault: the marketplace's own id of a worker. No reviewer role may see this table."""

    worker = models.OneToOneField(Worker, models.CASCADE, related_name="identity")
    environment = models.CharField(max_length=40)
    provider_id = models.CharField(max_length=64)

    class Meta:
        verbose_name_plural = "worker identities"
        constraints = [models.UniqueConstraint(fields=["environment", "provider_id"], name="one_worker_an_identity")]

    def __str__(self) -> str:
        return f"identity of {self.worker_id}"


class Qualification(models.Model):
    """What stages ask of their workers: a qualification type of our own at a marketplace.

    planned → ready (the marketplace has it) | refused. It belongs to one project; stages of other projects at
    the same marketplace may ask for it, too.
    """

    class State(models.TextChoices):
        PLANNED = "planned"
        READY = "ready"
        REFUSED = "refused"

    project = models.ForeignKey(Project, models.CASCADE, related_name="qualifications")
    environment = models.CharField(max_length=40)
    name = models.CharField(max_length=120, help_text="workers read it")
    description = models.TextField(help_text="workers read it")
    reference = models.CharField(max_length=8, unique=True, default=new_reference, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    type_id = models.CharField(max_length=64, blank=True, help_text="the marketplace's own id of it")
    error = models.TextField(blank=True)
    least_value = models.PositiveSmallIntegerField(default=1, help_text="what a worker needs to be let in")
    stages = models.ManyToManyField(
        Stage, related_name="qualifications", blank=True, help_text="whose HITs only its holders may take"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="one_qualification_a_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def marketplace_name(self) -> str:
        """Unique there, and known by its end."""
        return f"{self.name} {self.reference}"


class Grant(models.Model):
    """What a worker holds in a qualification: one row, whose history is in the log.

    `value` is 0 for who took the qualification test and has not passed (yet), 1 to 100 for who passed. What is
    wanted and what the marketplace has confirmed are told apart: each wish is a `generation`, and only one call
    is under way for a worker at a time, so that a late answer to an earlier one changes nothing.
    """

    qualification = models.ForeignKey(Qualification, models.CASCADE, related_name="grants")
    worker = models.ForeignKey(Worker, models.CASCADE, related_name="grants")
    value = models.PositiveSmallIntegerField()
    granted_by = models.CharField(max_length=80, help_text="user:3, or system for a test that was taken")
    granted_at = models.DateTimeField()
    reason = models.TextField(blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.CharField(max_length=80, blank=True)
    revoked_reason = models.TextField(blank=True, help_text="the worker reads it")
    may_retake = models.BooleanField(default=False, help_text="taken away so that the test can be taken once more")
    generation = models.PositiveIntegerField(default=0, help_text="goes up with each wish")
    sent_generation = models.PositiveIntegerField(default=0)
    settled_generation = models.PositiveIntegerField(default=0)
    value_there = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="as the marketplace last confirmed; none: not held there"
    )
    problem = models.TextField(blank=True, help_text="why the marketplace did not do as we wanted")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["qualification", "worker"], name="one_grant_a_worker")]

    def __str__(self) -> str:
        return f"{self.qualification_id}: {self.worker_id} ({'none' if self.revoked_at else self.value})"

    @property
    def stands(self) -> bool:
        return self.revoked_at is None

    @property
    def is_under_way(self) -> bool:
        """Whether the marketplace has still to follow."""
        return self.settled_generation < self.generation
