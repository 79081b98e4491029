"""Calls to the marketplace that need a person."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk import queries
from annotation.desk.api.base import ProjectView, StrictSerializer
from annotation.desk.api.once import ONCE, once
from annotation.hits.retrying import tell, try_again
from annotation.policies import without_worker_ids
from annotation.providers.models import Intent


class CallOut(serializers.Serializer):
    """Something asked of the marketplace, as the ledger has it."""

    id = serializers.IntegerField(source="pk")
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=Intent.State.choices)
    attempts = serializers.IntegerField()
    error = serializers.SerializerMethodField()
    cents = serializers.IntegerField(help_text="money that it may spend beyond what is reserved, fees included")
    created_at = serializers.DateTimeField()

    def get_error(self, intent: Intent) -> str:
        return without_worker_ids(intent.error)


class ToldIn(StrictSerializer):
    is_done = serializers.BooleanField(help_text="whether the marketplace did what was asked")
    reason = serializers.CharField(max_length=1_000, help_text="where you looked, and what you found")


class Calls(ProjectView):
    @extend_schema(operation_id="list_problem_calls", responses=CallOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Calls to the marketplace that need a person: refused, lost sight of, never seen there."""
        self.parameters()
        return Response(CallOut(queries.problems_of(self.project).intents, many=True).data)


class CallView(ProjectView):
    def found(self, pk: int) -> Intent:
        intent = Intent.objects.filter(project_id=self.project.pk, pk=pk).first()
        if intent is None:
            raise Http404("no such call")
        return intent


class TryAgain(CallView):
    @extend_schema(operation_id="try_call_again", request=None, parameters=[ONCE], responses={202: CallOut})
    @once
    def post(self, request: Request, slug: str, call: int) -> Response:
        """Makes a refused call again, where it is still wanted."""
        intent = self.found(call)
        return Response(CallOut(try_again(intent=intent)).data, status=status.HTTP_202_ACCEPTED)


class Tell(CallView):
    @extend_schema(operation_id="tell_of_call", request=ToldIn, responses=CallOut)
    def post(self, request: Request, slug: str, call: int) -> Response:
        """Says what became of a call that was never seen in the marketplace (`absent`), after a look there."""
        intent = tell(intent=self.found(call), **self.read(ToldIn))
        return Response(CallOut(intent).data)
