"""Stages: what they offer, what publishing costs, publishing."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk import queries
from annotation.desk.api.base import CONFLICT, JSONObject, ProjectView, Refusal, StrictSerializer, cents, within
from annotation.desk.api.once import ONCE, once
from annotation.desk.numbers import whole_number
from annotation.hits import expiring, publishing
from annotation.projects import actions
from annotation.projects.limits import STAGE
from annotation.projects.models import Stage
from annotation.workers.requirements import ACTIONS_GUARDED, COMPARATORS, MOST_VALUES


class StageOut(serializers.Serializer):
    name = serializers.SlugField()
    task_type = serializers.CharField()
    crowd = serializers.BooleanField()
    state = serializers.ChoiceField(choices=Stage.State.choices)
    reward_cents = serializers.IntegerField()
    answers_per_item = serializers.IntegerField()
    items_per_hit = serializers.IntegerField()
    minutes_allowed = serializers.IntegerField()
    expected_seconds_per_item = serializers.IntegerField()
    lifetime_days = serializers.IntegerField()
    approve_after_hours = serializers.IntegerField()
    auto_approval_hours = serializers.IntegerField()
    review = serializers.ChoiceField(choices=Stage.Review.choices)
    blind_share = serializers.FloatField()
    requirements = serializers.ListField(child=JSONObject())
    settings = JSONObject()


class LocaleIn(StrictSerializer):
    Country = serializers.RegexField(r"^[A-Z]{2}$")
    Subdivision = serializers.RegexField(r"^[A-Z0-9]{1,3}$", required=False)


class RequirementIn(StrictSerializer):
    """A QualificationRequirement of the marketplace's protocol."""

    QualificationTypeId = serializers.RegexField(r"^[A-Za-z0-9]{1,64}$")
    Comparator = serializers.ChoiceField(choices=list(COMPARATORS))
    IntegerValues = serializers.ListField(
        child=serializers.IntegerField(min_value=-(2**31), max_value=2**31 - 1),
        max_length=MOST_VALUES,
        required=False,
    )
    LocaleValues = LocaleIn(many=True, required=False)
    ActionsGuarded = serializers.ChoiceField(choices=list(ACTIONS_GUARDED), required=False)


def plain(value: Any) -> Any:
    """Nested validated data as plain dicts and lists."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value


class StageChange(StrictSerializer):
    reward_cents = within(STAGE["reward_cents"], required=False)
    answers_per_item = within(STAGE["answers_per_item"], required=False)
    items_per_hit = within(STAGE["items_per_hit"], required=False)
    minutes_allowed = within(STAGE["minutes_allowed"], required=False)
    expected_seconds_per_item = within(STAGE["expected_seconds_per_item"], required=False)
    lifetime_days = within(STAGE["lifetime_days"], required=False)
    approve_after_hours = within(STAGE["approve_after_hours"], required=False)
    auto_approval_hours = within(STAGE["auto_approval_hours"], required=False)
    review = serializers.ChoiceField(choices=Stage.Review.choices, required=False)
    blind_share = serializers.FloatField(min_value=0, max_value=1, required=False)
    requirements = RequirementIn(many=True, required=False)
    settings = JSONObject(required=False)


class StageStateChange(StrictSerializer):
    state = serializers.ChoiceField(choices=Stage.State.choices)
    expire_hits = serializers.BooleanField(default=False, help_text="with paused: takes HITs that are out off as well")


class QuoteOut(serializers.Serializer):
    digest = serializers.CharField(help_text="names the very HITs; publishing takes it back")
    items = serializers.IntegerField()
    hits = serializers.IntegerField()
    assignments = serializers.IntegerField()
    reward_cents = serializers.IntegerField()
    fee_cents = serializers.IntegerField()
    total_cents = serializers.IntegerField()
    committed_cents = serializers.IntegerField()
    cap_cents = serializers.IntegerField()
    hourly_cents = serializers.IntegerField(allow_null=True)
    floor_cents = serializers.IntegerField()
    is_below_floor = serializers.BooleanField()
    fits = serializers.BooleanField()
    problems = serializers.ListField(child=serializers.CharField())


class PublishIn(StrictSerializer):
    confirmed_cents = cents(help_text="the quote's total, to the cent: where it is another one now, nothing happens")
    digest = serializers.CharField(max_length=64, help_text="the quote's: for other HITs nothing happens")
    limit = serializers.IntegerField(min_value=1, max_value=10**6, required=False, help_text="the first items only")
    only_unfinished = serializers.BooleanField(default=False, help_text="top up what came back without all answers")
    below_floor_ok = serializers.BooleanField(default=False)


class PublishOut(serializers.Serializer):
    hits = serializers.IntegerField()
    cents = serializers.IntegerField()


class StageView(ProjectView):
    def stage(self, name: str) -> Stage:
        stage = queries.stage_of(self.project, name)
        if stage is None:
            raise Http404("no such stage")
        return stage


class Stages(ProjectView):
    @extend_schema(operation_id="list_stages", responses=StageOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """A project's stages, in order."""
        self.parameters()
        return Response(StageOut(self.project.stages.order_by("position"), many=True).data)


class OneStage(StageView):
    @extend_schema(operation_id="get_stage", responses=StageOut)
    def get(self, request: Request, slug: str, name: str) -> Response:
        """One stage: pay, numbers, times, requirements, settings."""
        self.parameters()
        return Response(StageOut(self.stage(name)).data)

    @extend_schema(operation_id="change_stage", request=StageChange, responses=StageOut)
    def patch(self, request: Request, slug: str, name: str) -> Response:
        """Changes what later HITs of a stage offer. HITs that are out keep what they promised."""
        stage = self.stage(name)
        changes = self.read(StageChange)
        if "requirements" in changes:
            changes["requirements"] = plain(changes["requirements"])
        return Response(StageOut(actions.change_stage(stage=stage, **changes)).data)


class StageState(StageView):
    @extend_schema(operation_id="set_stage_state", request=StageStateChange, responses=StageOut)
    def put(self, request: Request, slug: str, name: str) -> Response:
        """Opens or pauses a stage; with `expire_hits` it takes its HITs off the market, too."""
        stage = self.stage(name)
        asked = self.read(StageStateChange)
        if asked["state"] == Stage.State.OPEN:
            if asked["expire_hits"]:
                raise ValidationError({"expire_hits": ["Only together with the state paused."]})
            actions.open_stage(stage=stage)
        else:
            actions.pause_stage(stage=stage)
            if asked["expire_hits"]:
                expiring.expire_stage(stage=stage)
        return Response(StageOut(stage).data)


class Quote(StageView):
    @extend_schema(
        operation_id="get_quote",
        parameters=[OpenApiParameter("limit", int), OpenApiParameter("only_unfinished", bool)],
        responses=QuoteOut,
    )
    def get(self, request: Request, slug: str, name: str) -> Response:
        """What publishing a stage's open items would cost, fees included. Publishes nothing."""
        asked = self.parameters("limit", "only_unfinished")
        limit = whole_number(asked["limit"])
        if asked["limit"] and not limit:
            raise ValidationError({"limit": ["Expected a whole number from 1."]})
        if asked["only_unfinished"] not in ("", "true", "false"):
            raise ValidationError({"only_unfinished": ["Expected true or false."]})
        offer = publishing.quote(self.stage(name), limit=limit, only_unfinished=asked["only_unfinished"] == "true")
        return Response(QuoteOut(offer).data)


class Publish(StageView):
    @extend_schema(
        operation_id="publish",
        request=PublishIn,
        parameters=[ONCE],
        responses={201: PublishOut, 409: CONFLICT},
    )
    @once
    def post(self, request: Request, slug: str, name: str) -> Response:
        """Publishes the very HITs of a quote for exactly its total: a stage's open items, the first `limit` of them.

        Sending the same request twice publishes once: what was published is no longer open, so that the quote is
        for other HITs, and the second answer is 409 with the quote as it is now; with an Idempotency-Key it is the
        first answer again.
        """
        stage = self.stage(name)
        asked = self.read(PublishIn)
        try:
            hits = publishing.publish(stage=stage, **asked)
        except actions.Refused as refusal:
            now = publishing.quote(stage, limit=asked.get("limit"), only_unfinished=asked["only_unfinished"])
            raise Refusal(status.HTTP_409_CONFLICT, detail=str(refusal), quote=QuoteOut(now).data) from None
        shown = {"hits": len(hits), "cents": asked["confirmed_cents"]}
        return Response(shown, status=status.HTTP_201_CREATED)
