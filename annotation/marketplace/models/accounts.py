"""Who takes part: workers, requesters, operators, their keys and invitations."""

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from annotation.marketplace import clock, identifiers


class AccountManager(BaseUserManager):
    """Makes accounts; the password is hashed, no other personal data is asked for."""

    def create_user(self, username: str, password: str | None = None, **fields: object) -> "Account":
        """Add an account with the roles given as `is_worker`, `is_requester`, `is_operator`."""
        username = self.model.normalize_username(username)
        account = self.model(username=username, display_name=fields.pop("display_name", "") or username, **fields)
        account.set_password(password)
        account.save(using=self._db)
        return account


class Account(AbstractBaseUser):
    """A person or program that takes part, in one or several roles."""

    username = models.CharField(max_length=64, unique=True)
    display_name = models.CharField(max_length=80)
    # One id for all roles, as at Amazon: a worker's `WorkerId`, a requester's `RequesterId`.
    customer_id = models.CharField(max_length=14, unique=True, default=identifiers.customer_id, editable=False)
    is_worker = models.BooleanField(default=False)
    is_requester = models.BooleanField(default=False)
    is_operator = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=clock.now)
    consented_at = models.DateTimeField(null=True)
    # Workers: opens the next HIT of the group after a submission.
    accepts_next = models.BooleanField(default=False)
    # Requesters: 0 means no limit of their own.
    calls_per_second = models.PositiveIntegerField(default=0)
    # Requesters: what goes wrong on purpose, outside production only (see faults.py).
    fault_plan = models.JSONField(default=dict, blank=True)

    objects = AccountManager()
    USERNAME_FIELD = "username"
    REQUIRED_FIELDS = []

    def __str__(self) -> str:
        return self.username


class AccessKey(models.Model):
    """A key that signs a requester's calls. The secret is not kept: see keys.py."""

    key_id = models.CharField(max_length=20, unique=True, default=identifiers.access_key_id)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="access_keys")
    salt = models.CharField(max_length=32)
    secret_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=clock.now)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.key_id


class Invitation(models.Model):
    """A code that lets one person sign up where sign-up is not open."""

    code = models.CharField(max_length=32, unique=True)
    role = models.CharField(max_length=10, default="worker")
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    used_by = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return self.code


class SystemValue(models.Model):
    """A worker's value of a system qualification, where it is set by hand and not counted from work done."""

    worker = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="system_values")
    qualification_type_id = models.CharField(max_length=30)
    integer_value = models.IntegerField(null=True)
    country = models.CharField(max_length=2, blank=True)
    subdivision = models.CharField(max_length=2, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["worker", "qualification_type_id"], name="one_system_value_per_worker")
        ]

    def __str__(self) -> str:
        return f"{self.qualification_type_id} of {self.worker_id}"


class WorkerBlock(models.Model):
    """A requester's wish not to have work from one worker."""

    requester = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="blocks_made")
    worker = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="blocks_met")
    reason = models.TextField()
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["requester", "worker"], name="one_block_per_worker")]

    def __str__(self) -> str:
        return f"{self.requester_id} blocks {self.worker_id}"
