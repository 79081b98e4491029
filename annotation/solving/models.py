from django.db import models

from annotation.hits.models import Assignment
from annotation.projects.models import Item, Stage
from tasks.solvers.policy import HOLDS, SOLVED


class Challenge(models.Model):
    """A worker's question, put to the solvers: once for each text of an assignment's item.

    waiting (for the solvers; handed in meanwhile, it is held) → holds | solved.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        HOLDS = HOLDS
        SOLVED = SOLVED

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="challenges")
    item = models.ForeignKey(Item, models.CASCADE, related_name="challenges")
    text = models.TextField()
    text_hash = models.CharField(max_length=64, help_text="SHA-256 of the text and the right answer")
    right = models.CharField(max_length=40, help_text="the right answer; solvers are not told")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    is_handed_in = models.BooleanField(default=False, help_text="the text that the worker handed in")
    asked_at = models.DateTimeField(auto_now_add=True)
    tried_at = models.DateTimeField(null=True, blank=True, help_text="when the solvers failed at it last")
    judged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "item", "text_hash"], name="one_challenge_a_text"),
        ]
        indexes = [
            models.Index(fields=["item", "is_handed_in", "state"], name="challenges_of_an_item"),
            models.Index(fields=["asked_at"], condition=models.Q(state="waiting"), name="challenges_that_wait"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Attempt(models.Model):
    """What one solver answered to one challenge, in which version, and how sure it was."""

    challenge = models.ForeignKey(Challenge, models.CASCADE, related_name="attempts")
    solver = models.CharField(max_length=300, help_text="its group and its name: PTD/words")
    version = models.CharField(max_length=60, help_text="the training, and how many questions were learnt since: 3+17")
    answer = models.CharField(max_length=40, blank=True, help_text="empty: it had nothing to go by")
    score = models.FloatField()
    is_right = models.BooleanField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["challenge", "solver"], name="one_attempt_a_solver")]

    def __str__(self) -> str:
        return f"{self.solver}: {self.answer or 'nothing'}"


class Lesson(models.Model):
    """A question with its right answer that solvers learn from: accepted in the stage, or given to begin with.

    The ids give the order in which lessons are learnt.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="lessons")
    challenge = models.OneToOneField(
        Challenge, models.CASCADE, null=True, blank=True, related_name="lesson", help_text="none: given to begin with"
    )
    text = models.TextField()
    answer = models.CharField(max_length=40)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["stage", "id"], name="lessons_in_order")]

    def __str__(self) -> str:
        return f"{self.text[:60]} ({self.answer})"


class SolverVersion(models.Model):
    """One training of one solver of a stage: ordered → training → ready | failed. The current one answers.

    Its file is never changed. What is accepted after `last_lesson` is learnt on top of it, one by one.
    """

    class State(models.TextChoices):
        ORDERED = "ordered"
        TRAINING = "training"
        READY = "ready"
        FAILED = "failed"

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="solver_versions")
    solver = models.CharField(max_length=300)
    number = models.PositiveIntegerField(help_text="counts from 1; 0 stands for what is made without a training")
    state = models.CharField(max_length=8, choices=State, default=State.ORDERED)
    is_current = models.BooleanField(default=False)
    lessons = models.PositiveIntegerField(default=0, help_text="how many it was trained on")
    last_lesson = models.BigIntegerField(default=0, help_text="the last accepted question among them")
    folder = models.CharField(max_length=200, blank=True, help_text="below settings.SOLVER_STORAGE")
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 over its files")
    error = models.TextField(blank=True)
    ordered_at = models.DateTimeField(auto_now_add=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "solver", "number"], name="one_version_a_number"),
            models.UniqueConstraint(
                fields=["stage", "solver"], condition=models.Q(is_current=True), name="one_current_version"
            ),
            models.UniqueConstraint(
                fields=["stage", "solver"],
                condition=models.Q(state__in=["ordered", "training"]),
                name="one_training_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.solver} {self.number} ({self.state})"
