from django.db import models


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
