"""The project's log as a feed."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk.api.base import ProjectView
from annotation.desk.numbers import whole_number
from annotation.events.queries import feed
from annotation.workers.queries import release_pseudonym

EVENTS_AT_ONCE = 500


class EventOut(serializers.Serializer):
    id = serializers.IntegerField(help_text="its position in the log")
    at = serializers.DateTimeField()
    verb = serializers.CharField()
    actor = serializers.SerializerMethodField()
    subject = serializers.CharField()
    data = serializers.SerializerMethodField()

    def get_actor(self, event: Any) -> str:
        return self._actor(event.actor)

    def get_data(self, event: Any) -> dict[str, Any]:
        """What an event says, with the worker that it is about by the pseudonym of releases."""
        renamed = {}
        if isinstance(event.data.get("worker"), str):
            renamed["worker"] = release_pseudonym(self.context["project"], event.data["worker"])
        if isinstance(event.data.get("by"), str):
            renamed["by"] = self._actor(event.data["by"])
        return {**event.data, **renamed}

    def _actor(self, actor: str) -> str:
        name = actor.removeprefix("worker:")
        return f"worker:{release_pseudonym(self.context['project'], name)}" if name != actor else actor


class EventFeed(serializers.Serializer):
    events = EventOut(many=True)
    position = serializers.IntegerField(help_text="ask with `after` this for what comes next")


class Events(ProjectView):
    @extend_schema(
        operation_id="list_events",
        parameters=[OpenApiParameter("after", int), OpenApiParameter("verb", str)],
        responses=EventFeed,
    )
    def get(self, request: Request, slug: str) -> Response:
        """The project's log as a feed: ask again with `after` the position of the last answer.

        Up to 500 events, oldest first. Nothing is ever changed or taken out of the log, and nothing comes in
        before a position that was answered. Workers bear the pseudonyms of this project's releases.
        """
        asked = self.parameters("after", "verb")
        after = whole_number(asked["after"]) if asked["after"] else 0
        if after is None:
            raise ValidationError({"after": ["Expected a position in the log: a whole number."]})
        events, position = feed(self.project.pk, after=after, verb=asked["verb"], most=EVENTS_AT_ONCE)
        shown = {"events": events, "position": position}
        return Response(EventFeed(shown, context={"project": self.project}).data)
