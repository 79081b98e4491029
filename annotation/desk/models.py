from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models


class AnsweredRequest(models.Model):
    """What the API answered to a request that came with an Idempotency-Key.

    Written in the transaction of what the request did: where the row is, that was done; where it is not, nothing was.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=120)
    request_hash = models.CharField(max_length=64, help_text="of method, address and body")
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.JSONField(null=True, encoder=DjangoJSONEncoder)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_a_key")]

    def __str__(self) -> str:
        return f"{self.key} ({self.status})"
