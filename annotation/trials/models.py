from django.conf import settings
from django.db import models

from annotation.hits.models import Assignment
from annotation.projects.models import Item, Stage
from annotation.workers.models import Qualification, Worker


class Verdict(models.TextChoices):
    """What a grader says of a trial."""

    PASS = "pass"  # noqa: S105
    AGAIN = "again"
    FAIL = "fail"


class Programme(models.Model):
    """The test by which a qualification is earned: the form of a stage, a gate, pay, items, a rubric.

    Its trial HITs hold `items_per_trial` items each. Who may take one is said by the gate; one worker takes a set
    of items once, and `most_attempts` sets in all.
    """

    qualification = models.OneToOneField(Qualification, models.CASCADE, related_name="programme")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="programmes", help_text="whose form is tried")
    gate = models.JSONField(default=list, blank=True, help_text="QualificationRequirements for the trial HITs")
    cents_per_item = models.PositiveIntegerField()
    items_per_trial = models.PositiveSmallIntegerField()
    most_attempts = models.PositiveSmallIntegerField(default=1)
    graders = models.PositiveSmallIntegerField(default=2, help_text="independent grades a trial")
    rubric = models.JSONField(help_text='[{"name", "question", "levels"}]')
    minutes_allowed = models.PositiveIntegerField()
    lifetime_days = models.PositiveSmallIntegerField(default=14)
    approve_after_hours = models.PositiveSmallIntegerField(
        default=0, help_text="how long a verdict is waited for before a trial is approved without one; 0: not at all"
    )
    auto_approval_hours = models.PositiveSmallIntegerField(default=72)
    applications_after = models.DateTimeField(
        null=True, blank=True, help_text="when the marketplace is asked next who applied"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"test for {self.qualification}"

    @property
    def most_points(self) -> int:
        """What a trial is given that fulfils the whole rubric."""
        return sum(len(one["levels"]) - 1 for one in self.rubric)


class TrialItem(models.Model):
    """An item set aside for a test, with the answer that graders read beside a worker's where one is known."""

    programme = models.ForeignKey(Programme, models.CASCADE, related_name="trial_items")
    item = models.OneToOneField(Item, models.CASCADE, related_name="trial")
    reference = models.JSONField(null=True, blank=True, help_text="of the task type's Answer shape")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.item_id} in {self.programme_id}"


class Application(models.Model):
    """A worker who asked the marketplace for the qualification itself, and was shown the way to its test."""

    programme = models.ForeignKey(Programme, models.CASCADE, related_name="applications")
    worker = models.ForeignKey(Worker, models.CASCADE, related_name="applications")
    request_id = models.CharField(max_length=64, unique=True, help_text="the marketplace's own id of the request")
    asked_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.worker_id} asked for {self.programme_id}"


class Trial(models.Model):
    """One worker's test. waiting (for grades) → passed | failed | again; `talk`: its graders disagree."""

    class State(models.TextChoices):
        WAITING = "waiting"
        TALK = "talk"
        PASSED = "passed"
        FAILED = "failed"
        AGAIN = "again"

    DECIDED = (State.PASSED, State.FAILED, State.AGAIN)

    programme = models.ForeignKey(Programme, models.CASCADE, related_name="trials")
    worker = models.ForeignKey(Worker, models.CASCADE, related_name="trials")
    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="trial")
    attempt = models.PositiveSmallIntegerField(help_text="counts from 1")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    points = models.FloatField(null=True, blank=True, help_text="share of the rubric's points, mean of its grades")
    feedback = models.TextField(blank=True, help_text="what the worker is told")
    taken_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    told = models.CharField(max_length=10, blank=True, help_text="how the worker was told: approval or message")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["programme", "worker", "attempt"], name="one_trial_an_attempt")]
        indexes = [models.Index(fields=["programme", "state", "id"])]

    def __str__(self) -> str:
        return f"trial {self.pk} ({self.state})"

    @property
    def is_decided(self) -> bool:
        return self.state in self.DECIDED


class Grade(models.Model):
    """What one grader says of a trial. `is_joint`: the verdict that graders who disagreed came to in a talk."""

    trial = models.ForeignKey(Trial, models.CASCADE, related_name="grades")
    grader = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="grades")
    verdict = models.CharField(max_length=5, choices=Verdict)
    points = models.JSONField(help_text="by the name of the rubric's criterion")
    feedback = models.TextField(blank=True, help_text="to the worker")
    is_joint = models.BooleanField(default=False)
    seconds = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["trial", "grader"], condition=models.Q(is_joint=False), name="one_grade_a_grader"
            ),
            models.UniqueConstraint(fields=["trial"], condition=models.Q(is_joint=True), name="one_joint_grade"),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} for {self.trial_id}"
