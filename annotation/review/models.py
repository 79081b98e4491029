from django.conf import settings
from django.db import models
from django.utils import timezone

from annotation.projects.models import Item, Project, Stage

# More than any known doubt.
UNKNOWN_DOUBT = 2.0


class Outcome(models.Model):
    """What an item's answers add up to, with agreement and contributors.

    `value` is what aggregation made; `final` is what stands now, after reviews. Both have the task
    type's Outcome shape.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        ACCEPTED = "accepted"
        REJECTED = "rejected"

    project = models.ForeignKey(Project, models.CASCADE, related_name="outcomes")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="outcomes")
    item = models.OneToOneField(Item, models.CASCADE, related_name="outcome")
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    is_disputed = models.BooleanField(default=False)
    agreement = models.FloatField(null=True, blank=True)
    # 1 - agreement. A column of its own, because no index puts the unknown first on every database.
    doubt = models.FloatField(default=UNKNOWN_DOUBT, help_text="the queue's order: most first, unknown before all")
    value = models.JSONField()
    final = models.JSONField()
    details = models.JSONField(default=dict, blank=True)
    contributors = models.JSONField(default=list, help_text="ids of the answers it was made of")
    reason = models.CharField(max_length=300, blank=True, help_text="why it is rejected")
    wants_blind_review = models.BooleanField(
        default=False, help_text="a second expert should decide blindly, and has not yet"
    )
    # Who has it open now, so that two reviewers do not sit over one question unknowingly.
    held_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    held_until = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0, help_text="goes up with each decision; a stale page is told")
    settled_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    promoted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["project", "state", "-doubt", "id"], name="outcomes_by_doubt"),
            models.Index(fields=["stage", "state", "-doubt", "id"], name="stage_outcomes_by_doubt"),
            models.Index(
                fields=["project", "-doubt", "id"],
                condition=models.Q(wants_blind_review=True),
                name="outcomes_wanting_blind_review",
            ),
            models.Index(
                fields=["project", "id"],
                condition=models.Q(state="accepted", promoted_at__isnull=True),
                name="outcomes_to_promote",
            ),
        ]

    def __str__(self) -> str:
        return f"outcome of {self.item_id} ({self.state})"

    @property
    def is_held(self) -> bool:
        """Whether somebody has it open now: a look keeps it for some minutes, and is not ended by leaving."""
        return self.held_by_id is not None and self.held_until is not None and self.held_until > timezone.now()


class Review(models.Model):
    """An expert's decision on an outcome. Append-only: taking one back is `undone_at`, not a deletion."""

    class Decision(models.TextChoices):
        ACCEPT = "accept"
        REJECT = "reject"

    outcome = models.ForeignKey(Outcome, models.CASCADE, related_name="reviews")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="reviews")
    decision = models.CharField(max_length=12, choices=Decision)
    reason = models.CharField(max_length=300, blank=True)
    operations = models.JSONField(default=list, help_text='[{"op": "remove", "index": 2}, …], in the order done')
    value = models.JSONField(help_text="the outcome's value after the operations")
    before = models.JSONField(default=dict, help_text="what stood before, to undo: state, final, reason, decided_at")
    is_blind = models.BooleanField(
        default=False, help_text="made without sight of the first; never changes the outcome"
    )
    seconds = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["reviewer", "-id"], name="reviews_of_a_person")]

    def __str__(self) -> str:
        return f"{self.decision} of outcome {self.outcome_id}"


class Feedback(models.Model):
    """What a later item's answers say of an earlier item's work, and what was done about it.

    new → done (see `effect`) | kept (the rule lets it stand, or too few said so) | moot (the earlier item
    had gone already, or an expert has it).
    """

    class State(models.TextChoices):
        NEW = "new"
        DONE = "done"
        KEPT = "kept"
        MOOT = "moot"

    project = models.ForeignKey(Project, models.CASCADE, related_name="feedback")
    item = models.ForeignKey(Item, models.CASCADE, related_name="feedback_given", help_text="where it was said")
    about = models.ForeignKey(Item, models.CASCADE, related_name="feedback", help_text="of whose work")
    kind = models.CharField(max_length=40, help_text="a name that the pipeline has a rule for")
    step = models.PositiveSmallIntegerField(default=0, help_text="which part is meant, from 1; 0: the whole")
    reason = models.TextField(blank=True, help_text="in the workers' words, a line each")
    answers = models.JSONField(default=list, help_text="ids of the answers that say so")
    asked = models.PositiveSmallIntegerField(help_text="how many answers could have said so")
    state = models.CharField(max_length=10, choices=State, default=State.NEW)
    effect = models.CharField(max_length=10, blank=True, help_text="drop, author, again, expert or keep")
    note = models.CharField(max_length=200, blank=True, help_text="why this effect, where it is not the rule's own")
    successor = models.ForeignKey(
        Item, models.SET_NULL, null=True, blank=True, related_name="answers_feedback", help_text="the item made then"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "feedback"
        constraints = [
            models.UniqueConstraint(fields=["item", "about", "kind", "step"], name="one_feedback_an_item_and_kind")
        ]
        indexes = [
            models.Index(fields=["project", "id"], condition=models.Q(state="new"), name="feedback_to_heed"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} about item {self.about_id}"

    @property
    def label(self) -> str:
        """The kind in words."""
        return self.kind.replace("_", " ")

    @property
    def lines(self) -> list[str]:
        """What each worker said."""
        return self.reason.splitlines()
