"""What is offered and who works on it."""

from django.db import models
from django.db.models import Q

from annotation.marketplace import clock, identifiers
from annotation.marketplace.models.accounts import Account
from annotation.marketplace.states import HITState


class HITType(models.Model):
    """What all HITs of a group share. The same values by the same requester are the same type."""

    requester = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="hit_types")
    type_id = models.CharField(max_length=30, unique=True, default=identifiers.entity_id)
    group_id = models.CharField(max_length=30, unique=True, default=identifiers.entity_id)
    digest = models.CharField(max_length=64)
    title = models.CharField(max_length=128)
    description = models.TextField()
    keywords = models.CharField(max_length=1000, blank=True)
    reward_cents = models.PositiveIntegerField()
    assignment_duration = models.PositiveIntegerField()
    auto_approval_delay = models.PositiveIntegerField()
    requirements = models.JSONField(default=list)
    notification = models.JSONField(null=True)
    notification_active = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["requester", "digest"], name="same_values_are_the_same_type")]

    def __str__(self) -> str:
        return self.type_id


class HITLayout(models.Model):
    """A question document with `${placeholders}`, which many HITs fill with values of their own."""

    requester = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="layouts")
    layout_id = models.CharField(max_length=30, unique=True, default=identifiers.entity_id)
    name = models.CharField(max_length=200)
    question = models.TextField()
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.name


class HIT(models.Model):
    """A piece of work offered to a number of workers."""

    hit_id = models.CharField(max_length=30, unique=True, default=identifiers.entity_id)
    requester = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="hits")
    hit_type = models.ForeignKey(HITType, on_delete=models.PROTECT, related_name="hits")
    status = models.CharField(max_length=12, default="Assignable")
    # The four places where an assignment of this HIT can be; they always add up to `max_assignments`.
    available = models.PositiveIntegerField()
    accepted = models.PositiveIntegerField(default=0)
    submitted = models.PositiveIntegerField(default=0)
    decided = models.PositiveIntegerField(default=0)
    max_assignments = models.PositiveIntegerField()
    is_live = models.BooleanField(default=True)  # its lifetime is not over
    question = models.TextField()
    question_kind = models.CharField(max_length=8)  # external, html or form
    external_url = models.TextField(blank=True)
    frame_height = models.PositiveIntegerField(default=0)
    annotation = models.CharField(max_length=255, blank=True)
    layout_id = models.CharField(max_length=64, blank=True)
    assignment_review_policy = models.JSONField(null=True)
    hit_review_policy = models.JSONField(null=True)
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField()
    # When something happens by itself next: the lifetime ends, or 120 days after it became reviewable.
    due_at = models.DateTimeField(null=True)
    # Cents now held for this HIT in its requester's books.
    held_cents = models.PositiveBigIntegerField(default=0)
    last_expiration_request = models.DateTimeField(null=True)
    # Ids of assignments that were given back, for those who accept next.
    freed_ids = models.JSONField(default=list)

    class Meta:
        indexes = [
            models.Index(fields=["requester", "status", "id"]),
            models.Index(fields=["hit_type", "status", "id"]),
            models.Index(fields=["status", "hit_type"]),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="hit_due"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    max_assignments=models.F("available")
                    + models.F("accepted")
                    + models.F("submitted")
                    + models.F("decided")
                ),
                name="every_assignment_is_somewhere",
            )
        ]

    def __str__(self) -> str:
        return self.hit_id

    @property
    def state(self) -> HITState:
        """The part that the state machine moves."""
        return HITState(self.status, self.available, self.accepted, self.submitted, self.decided, self.is_live)

    @state.setter
    def state(self, new: HITState) -> None:
        self.status, self.is_live = new.status, new.live
        self.available, self.accepted = new.available, new.accepted
        self.submitted, self.decided = new.submitted, new.decided
        self.max_assignments = new.total


class Assignment(models.Model):
    """One worker's turn at one HIT.

    `assignment_id` names a slot of the HIT: after a return or an abandonment the next worker gets the
    same id, as at Amazon. Among the turns that count (`LIVE`) it is unique.
    """

    LIVE = ("Accepted", "Submitted", "Approved", "Rejected")

    assignment_id = models.CharField(max_length=30, default=identifiers.entity_id)
    hit = models.ForeignKey(HIT, on_delete=models.PROTECT, related_name="assignments")
    worker = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="assignments")
    status = models.CharField(max_length=10, default="Accepted")  # LIVE, Returned or Abandoned
    accepted_at = models.DateTimeField(default=clock.now)
    deadline = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True)
    auto_approval_at = models.DateTimeField(null=True)
    approved_at = models.DateTimeField(null=True)
    rejected_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)  # returned or abandoned
    # When something happens by itself next: the deadline, or the auto-approval.
    due_at = models.DateTimeField(null=True)
    answer = models.TextField(blank=True)
    feedback = models.TextField(blank=True)
    return_reason = models.CharField(max_length=1000, blank=True)
    reward_cents = models.PositiveIntegerField(default=0)  # as paid
    # Submitted, but not yet shown to the requester (fault plan only).
    hidden_until = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["hit", "status", "id"]),
            models.Index(fields=["worker", "status", "id"]),
            models.Index(fields=["hit", "worker"]),
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="assignment_due"),
            models.Index(fields=["assignment_id"]),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment_id"],
                condition=Q(status__in=("Accepted", "Submitted", "Approved", "Rejected")),
                name="one_live_turn_per_assignment_id",
            ),
            models.UniqueConstraint(
                fields=["hit", "worker"],
                condition=Q(status__in=("Accepted", "Submitted", "Approved", "Rejected")),
                name="one_live_turn_per_worker_and_hit",
            ),
        ]

    def __str__(self) -> str:
        return self.assignment_id


class RequestToken(models.Model):
    """A `UniqueRequestToken` that was used; it makes a repeated call harmless for 24 hours."""

    requester = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    operation = models.CharField(max_length=40)
    token = models.CharField(max_length=64)
    result = models.CharField(max_length=64)  # the HIT's id, or the id of the first request
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["requester", "operation", "token"], name="a_token_is_used_once")]

    def __str__(self) -> str:
        return f"{self.operation} {self.token}"


class HeldSubmission(models.Model):
    """Work posted from a frame for an id that several workers have held, waiting for the worker to say it is theirs."""

    assignment_id = models.CharField(max_length=30)
    key = models.CharField(max_length=43, unique=True)
    answer = models.TextField()
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.assignment_id
