from django.db import models
from django.utils.crypto import get_random_string

from annotation.projects.models import Item, Project, Stage
from annotation.workers.models import Qualification, Worker


def new_hit_token() -> str:
    """Stands in the task page's address; as hard to guess as a password."""
    return get_random_string(24)


class HIT(models.Model):
    """A group of items offered together in a marketplace.

    planned → offered → closed (all answers in, or expired and collected) | refused.
    The reward and the times are those of the stage when it was planned. With `trial_of` it is no collection but
    a qualification test in the same form: its answers never count.
    """

    class State(models.TextChoices):
        PLANNED = "planned"
        OFFERED = "offered"
        CLOSED = "closed"
        REFUSED = "refused"

    project = models.ForeignKey(Project, models.CASCADE, related_name="hits")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="hits")
    trial_of = models.ForeignKey(
        Qualification, models.CASCADE, null=True, blank=True, related_name="trial_hits", help_text="a trial, not work"
    )
    token = models.CharField(max_length=24, unique=True, default=new_hit_token)
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    environment = models.CharField(max_length=40)
    remote_id = models.CharField(max_length=64, unique=True, null=True, blank=True)
    max_assignments = models.PositiveSmallIntegerField()
    reward_cents = models.PositiveIntegerField()
    fee_cents = models.PositiveIntegerField(help_text="per assignment")
    minutes_allowed = models.PositiveIntegerField()
    items = models.ManyToManyField(Item, through="HITItem", related_name="hits")
    created_at = models.DateTimeField(auto_now_add=True)
    offered_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    expire_wanted = models.BooleanField(
        default=False, db_default=False, help_text="to be taken off the market as soon as it is there"
    )
    collect_after = models.DateTimeField(null=True, blank=True, help_text="when the marketplace is asked next")
    closed_at = models.DateTimeField(null=True, blank=True)
    close_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [models.Index(fields=["state", "collect_after"]), models.Index(fields=["stage", "state"])]

    def __str__(self) -> str:
        return f"HIT {self.pk}"


class HITItem(models.Model):
    """An item's place in a HIT."""

    hit = models.ForeignKey(HIT, models.CASCADE, related_name="places")
    item = models.ForeignKey(Item, models.CASCADE, related_name="places")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["hit", "item"], name="one_place_a_hit")]

    def __str__(self) -> str:
        return f"{self.item_id} in {self.hit_id}"


class Assignment(models.Model):
    """One worker's work on one HIT, keyed by (assignment id, worker): the same id may come back with another worker.

    open (the page was opened: a claim) → handed_over (answers stored here, receipt given) →
    submitted (the marketplace lists it) → approved | rejected. `superseded`: the marketplace
    names another worker for this assignment id. `quarantined`: stored, but the marketplace never
    listed it in time; a person decides on pay, and `settlement` says how.
    """

    class State(models.TextChoices):
        OPEN = "open"
        HANDED_OVER = "handed_over"
        SUBMITTED = "submitted"
        APPROVED = "approved"
        REJECTED = "rejected"
        SUPERSEDED = "superseded"
        QUARANTINED = "quarantined"

    # No index of its own: the one over hit and state begins with it. The same of Answer below.
    hit = models.ForeignKey(HIT, models.CASCADE, related_name="assignments", db_index=False)
    worker = models.ForeignKey(Worker, models.CASCADE, related_name="assignments")
    assignment_id = models.CharField(max_length=64)
    state = models.CharField(max_length=12, choices=State, default=State.OPEN)
    # The whole page's form as last typed: {"<item id>.<field>": [values]}. One row, one write a save.
    draft = models.JSONField(default=dict, blank=True)
    draft_revision = models.PositiveIntegerField(default=0)
    opened_at = models.DateTimeField(auto_now_add=True)
    draft_saved_at = models.DateTimeField(null=True, blank=True)
    handed_over_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True, help_text="as the marketplace says")
    decided_at = models.DateTimeField(null=True, blank=True)
    seconds_spent = models.PositiveIntegerField(null=True, blank=True, help_text="from opening to handing over")
    receipt = models.CharField(max_length=64, blank=True)
    comment = models.TextField(blank=True, help_text="what the worker wanted to tell us")
    feedback = models.TextField(blank=True, help_text="what we told the worker")
    settlement = models.TextField(
        blank=True, default="", db_default="", help_text="how a person settled quarantined work, and why"
    )
    corpus_digest = models.CharField(
        max_length=64, blank=True, default="", db_default="", help_text="which corpus its page searched, if any"
    )
    source = models.CharField(max_length=12, default="page", help_text="page, or marketplace where our copy was lost")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment_id", "worker"], name="one_row_an_assignment_and_worker")
        ]
        indexes = [models.Index(fields=["hit", "state"]), models.Index(fields=["state", "handed_over_at"])]

    def __str__(self) -> str:
        return f"assignment {self.pk} ({self.state})"


class Answer(models.Model):
    """The part of an assignment that concerns one item. Never edited; it counts once the marketplace confirmed it."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="answers", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="answers", db_index=False)
    data = models.JSONField(help_text="of the task type's Answer shape")
    counts = models.BooleanField(default=False, help_text="confirmed by the marketplace and not rejected")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "item"], name="one_answer_an_item")]
        indexes = [models.Index(fields=["item", "counts"])]

    def __str__(self) -> str:
        return f"answer {self.pk}"
