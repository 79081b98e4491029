"""What a requester can ask of workers beyond the system's own counts."""

from django.db import models
from django.db.models import Q

from annotation.marketplace import clock, identifiers
from annotation.marketplace.models.accounts import Account


class QualificationType(models.Model):
    """A requester's own qualification: given by hand, at request, or for a test."""

    requester = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="qualification_types")
    type_id = models.CharField(max_length=30, unique=True, default=identifiers.entity_id)
    name = models.CharField(max_length=200)
    description = models.TextField()
    keywords = models.CharField(max_length=1000, blank=True)
    status = models.CharField(max_length=8, default="Active")
    retry_delay = models.PositiveBigIntegerField(null=True)  # none: one try for ever
    test = models.TextField(blank=True)
    test_duration = models.PositiveBigIntegerField(null=True)
    answer_key = models.TextField(blank=True)
    auto_granted = models.BooleanField(default=False)
    auto_granted_value = models.IntegerField(default=1)
    created_at = models.DateTimeField(default=clock.now)
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["requester", "name"], condition=Q(deleted_at__isnull=True), name="one_type_of_a_name"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Qualification(models.Model):
    """A worker's score in a qualification type."""

    qualification_type = models.ForeignKey(QualificationType, on_delete=models.CASCADE, related_name="grants")
    worker = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="qualifications")
    value = models.IntegerField(default=1)
    status = models.CharField(max_length=8, default="Granted")  # or Revoked
    reason = models.TextField(blank=True)
    granted_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["qualification_type", "worker"], name="one_score_per_worker_and_type")
        ]
        indexes = [models.Index(fields=["worker", "status"])]

    def __str__(self) -> str:
        return f"{self.qualification_type_id}: {self.value}"


class QualificationRequest(models.Model):
    """A worker's wish for a qualification, with the test as it was and the answers given."""

    request_id = models.CharField(max_length=30, unique=True, default=identifiers.entity_id)
    qualification_type = models.ForeignKey(QualificationType, on_delete=models.CASCADE, related_name="requests")
    worker = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="qualification_requests")
    # Testing (the worker is writing), Pending (waits for the requester), Granted, Rejected, Lapsed (time was over).
    status = models.CharField(max_length=8, default="Pending")
    test = models.TextField(blank=True)
    answer = models.TextField(blank=True)
    started_at = models.DateTimeField(default=clock.now)
    submitted_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["qualification_type", "worker", "id"])]
        constraints = [
            models.UniqueConstraint(
                fields=["qualification_type", "worker"],
                condition=Q(status__in=("Testing", "Pending")),
                name="one_open_request_per_worker_and_type",
            )
        ]

    def __str__(self) -> str:
        return self.request_id
