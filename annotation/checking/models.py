from django.db import models

from annotation.hits.models import Assignment
from annotation.projects.models import Item, Project


class LiveCheck(models.Model):
    """What the checks say of an assignment's draft right now: the newest checked revision wins."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="live_check")
    revision = models.PositiveIntegerField()
    findings = models.JSONField(default=list, help_text='[{"item", "check", "level", "message", "field", "version"}]')
    count = models.PositiveIntegerField(default=0, db_default=0, help_text="how many drafts were checked")
    at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"live check of {self.assignment_id} at {self.revision}"


class CheckResult(models.Model):
    """A finding that a submitted answer carries: which check said what, in which version."""

    class Source(models.TextChoices):
        GATE = "gate"
        RECHECK = "recheck"

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="check_results")
    item = models.ForeignKey(Item, models.CASCADE, related_name="check_results")
    check_name = models.CharField(max_length=80)
    version = models.PositiveSmallIntegerField()
    level = models.CharField(max_length=5)
    field = models.CharField(max_length=60, blank=True)
    message = models.TextField()
    source = models.CharField(max_length=8, choices=Source, default=Source.GATE)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["check_name", "version"])]

    def __str__(self) -> str:
        return f"{self.check_name} of {self.item_id}"


class WrittenText(models.Model):
    """A mark of a text that was handed in, by which near-duplicates of it are found without reading all there is.

    A text of many words has a few of these rows, each with the whole text: one look-up by index gives the candidates.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="+")
    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="+")
    mark = models.BigIntegerField(help_text="a hashed word: see tasks/checks/repetition.py")
    text = models.TextField()

    class Meta:
        indexes = [models.Index(fields=["project", "mark", "-id"], name="texts_by_mark")]

    def __str__(self) -> str:
        return self.text[:60]


class Preparation(models.Model):
    """What was worked out of an item before any worker opened it, with a language model where there is one.

    An item's content never changes, so its row is good until the method is another one.
    """

    item = models.OneToOneField(Item, models.CASCADE, related_name="preparation")
    method = models.CharField(max_length=120, help_text="what was prepared, its version, and the model that read it")
    data = models.JSONField()
    made_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.method} of {self.item_id}"
