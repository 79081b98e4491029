from django.conf import settings
from django.db import models
from django.utils.crypto import get_random_string

from annotation.corpus.models import Corpus


def new_key() -> str:
    return get_random_string(32)


class Project(models.Model):
    """One collection run of a pipeline: marketplace, money, people, settings."""

    class State(models.TextChoices):
        OPEN = "open"
        PAUSED = "paused"
        CLOSED = "closed"

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    pipeline = models.CharField(max_length=40, help_text="a folder of tasks/ with a pipeline.py")
    environment = models.CharField(max_length=40, default="own", help_text="a name in settings.MARKETPLACES")
    settings = models.JSONField(default=dict, blank=True, help_text="of the pipeline's Settings shape")
    corpus = models.ForeignKey(
        Corpus, models.PROTECT, null=True, blank=True, related_name="projects", help_text="what its people search"
    )
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    budget_cap_cents = models.PositiveBigIntegerField(default=0, help_text="rewards and fees together")
    wage_floor_cents = models.PositiveIntegerField(default=1_000, help_text="per hour")
    # Pseudonyms in releases are keyed by this; destroying it unlinks them for good.
    release_key = models.CharField(max_length=32, default=new_key, editable=False)
    contact = models.CharField(max_length=200, blank=True, help_text="whom workers may ask")
    advancing_until = models.DateTimeField(null=True, blank=True, editable=False, help_text="lease of who advances it")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person's role in a project. People see their own projects only."""

    class Role(models.TextChoices):
        OWNER = "owner"
        RESEARCHER = "researcher"
        REVIEWER = "reviewer"

    project = models.ForeignKey(Project, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user"], name="one_role_a_project")]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.project}"


class Stage(models.Model):
    """A StagePlan in a project. Rows, so that pay and numbers change without code."""

    class State(models.TextChoices):
        OPEN = "open"
        PAUSED = "paused"

    class Review(models.TextChoices):
        ALL = "all"
        DISPUTED = "disputed"
        NONE = "none"

    project = models.ForeignKey(Project, models.CASCADE, related_name="stages")
    name = models.SlugField(max_length=40)
    position = models.PositiveSmallIntegerField()
    task_type = models.CharField(max_length=80)
    crowd = models.BooleanField(default=True)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    settings = models.JSONField(default=dict, blank=True, help_text="of the task type's Settings shape")
    review = models.CharField(max_length=10, choices=Review, default=Review.ALL)
    blind_share = models.FloatField(default=0.1, help_text="part of the outcomes that a second expert decides blindly")
    reward_cents = models.PositiveIntegerField()
    answers_per_item = models.PositiveSmallIntegerField()
    items_per_hit = models.PositiveSmallIntegerField()
    minutes_allowed = models.PositiveIntegerField()
    expected_seconds_per_item = models.PositiveIntegerField()
    lifetime_days = models.PositiveSmallIntegerField()
    auto_approval_hours = models.PositiveSmallIntegerField()
    approve_after_hours = models.PositiveSmallIntegerField(
        default=0, help_text="how long a person may look before submitted work is approved; 0: at once"
    )
    requirements = models.JSONField(default=list, blank=True, help_text="QualificationRequirements of the protocol")

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="one_stage_a_name")]

    def __str__(self) -> str:
        return f"{self.project}: {self.name}"


class Item(models.Model):
    """One thing to work on at one stage.

    excluded (by the filter, before any HIT) | open (wants answers) → offered (in a live HIT) →
    answered (enough answers) → settled (they add up to an outcome) → accepted | rejected.
    An offered item whose HIT ended too early is open again. A rejected one may have a successor: another
    item for the same thing, made because a later stage objected or because its place is free. A `trial` item
    is set aside for a qualification test: it never adds up to anything and is never released.
    """

    class State(models.TextChoices):
        EXCLUDED = "excluded"
        OPEN = "open"
        OFFERED = "offered"
        ANSWERED = "answered"
        SETTLED = "settled"
        ACCEPTED = "accepted"
        REJECTED = "rejected"
        TRIAL = "trial"

    project = models.ForeignKey(Project, models.CASCADE, related_name="items")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="items")
    key = models.CharField(max_length=120, help_text="stable across imports and releases")
    split = models.CharField(max_length=20, blank=True)
    payload = models.JSONField(help_text="of the task type's Item shape")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    reason = models.CharField(max_length=300, blank=True, help_text="why it is excluded or rejected")
    origin_id = models.BigIntegerField(null=True, blank=True, help_text="the outcome it was promoted from")
    origin_answers = models.JSONField(
        default=list, blank=True, help_text="ids of the answers it was made of; their workers never get it"
    )
    replaces = models.OneToOneField(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="successor",
        help_text="the item in whose place it is",
    )
    reserved_for = models.JSONField(
        default=list, blank=True, help_text="ids of answers; where there are any, their workers alone may get it"
    )
    is_fall_handled = models.BooleanField(
        default=False, db_default=False, help_text="rejected, and another one is offered instead or none is due"
    )
    extra_answers = models.PositiveSmallIntegerField(default=0, help_text="ordered by top-up beyond the stage's number")
    created_at = models.DateTimeField(auto_now_add=True)
    state_since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["stage", "key"], name="one_item_a_key")]
        indexes = [
            models.Index(fields=["stage", "state", "id"]),
            models.Index(fields=["project", "state"]),
            models.Index(
                fields=["stage", "id"],
                condition=models.Q(state="rejected", is_fall_handled=False),
                name="items_that_fell",
            ),
        ]

    def __str__(self) -> str:
        return self.key
