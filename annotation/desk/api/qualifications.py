"""The endpoints of qualification tests: make one, fill it, offer it, read its report, grant and revoke."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk import queries
from annotation.desk.api.base import CONFLICT, ProjectView, Refusal, StrictSerializer, within
from annotation.desk.api.once import ONCE, once
from annotation.desk.api.stages import PublishOut, QuoteOut, RequirementIn, plain
from annotation.desk.numbers import whole_number
from annotation.projects.actions import Refused
from annotation.trials import programmes
from annotation.trials.models import Programme
from annotation.trials.queries import programmes_of
from annotation.trials.report import report_of
from annotation.workers import qualifying
from annotation.workers.models import Grant, Worker
from annotation.workers.queries import release_pseudonym, worker_called

MOST_ITEMS = 1_000


class TestIn(StrictSerializer):
    """A new test; what is not said is as its stage has it."""

    stage = serializers.CharField(max_length=40)
    name = serializers.CharField(max_length=120)
    description = serializers.CharField(max_length=2_000)
    ask_for_it = serializers.BooleanField(default=True, help_text="the stage's HITs ask for it from now on")
    gate = RequirementIn(
        many=True,
        required=False,
        max_length=programmes.MOST_GATE,
        help_text="who may take it; []: everybody",
    )
    rubric = serializers.ListField(
        child=serializers.JSONField(), required=False, help_text='[{"name", "question", "levels"}], worst level first'
    )
    cents_per_item = within(programmes.LIMITS["cents_per_item"], required=False)
    items_per_trial = within(programmes.LIMITS["items_per_trial"], required=False)
    most_attempts = within(programmes.LIMITS["most_attempts"], required=False)
    graders = within(programmes.LIMITS["graders"], required=False)
    minutes_allowed = within(programmes.LIMITS["minutes_allowed"], required=False)
    lifetime_days = within(programmes.LIMITS["lifetime_days"], required=False)
    approve_after_hours = within(programmes.LIMITS["approve_after_hours"], required=False)
    auto_approval_hours = within(programmes.LIMITS["auto_approval_hours"], required=False)


class TestItem(StrictSerializer):
    key = serializers.CharField(max_length=120)
    item = serializers.JSONField()
    answer = serializers.JSONField(required=False, allow_null=True, default=None)


class TestItemsIn(StrictSerializer):
    """Items for a test; each part may be left out."""

    items = TestItem(many=True, required=False, default=list, max_length=MOST_ITEMS)
    examples = serializers.BooleanField(default=False)
    set_aside = serializers.ListField(child=serializers.CharField(max_length=120), default=list, max_length=MOST_ITEMS)


class TestItemsOut(serializers.Serializer):
    added = serializers.IntegerField()
    items = serializers.IntegerField()
    sets = serializers.IntegerField()


class OfferIn(StrictSerializer):
    workers = serializers.IntegerField(min_value=1, max_value=10_000)
    confirmed_cents = serializers.IntegerField(min_value=0, help_text="the quote's total, to the cent")
    digest = serializers.CharField(max_length=64, help_text="the quote's: the same one again publishes nothing more")
    below_floor_ok = serializers.BooleanField(default=False)


class GrantIn(StrictSerializer):
    worker = serializers.CharField(max_length=40, help_text="by pseudonym of the project's releases")
    value = serializers.IntegerField(min_value=1, max_value=100, default=100)
    reason = serializers.CharField(max_length=1_000, default="", allow_blank=True)


class RevokeIn(StrictSerializer):
    worker = serializers.CharField(max_length=40, help_text="by pseudonym of the project's releases")
    reason = serializers.CharField(max_length=1_000, help_text="the worker reads it")
    may_retake = serializers.BooleanField(default=False)


class GrantOut(serializers.Serializer):
    """What a worker holds: as it is wanted, and as the marketplace confirmed it."""

    worker = serializers.CharField()
    value = serializers.IntegerField(allow_null=True, help_text="null: taken away")
    value_there = serializers.IntegerField(allow_null=True, help_text="null: not held there")
    is_under_way = serializers.BooleanField()
    problem = serializers.CharField()
    granted_at = serializers.DateTimeField()
    granted_by = serializers.CharField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(help_text="why it was granted, or taken away")


class ReportOut(serializers.Serializer):
    """A test's report; the numbers count workers, each once, but for trials and grades."""

    id = serializers.IntegerField()
    qualification = serializers.CharField()
    stage = serializers.CharField()
    state = serializers.CharField()
    graders_wanted = serializers.IntegerField()
    cents_per_item = serializers.IntegerField()
    items_per_trial = serializers.IntegerField()
    gate = serializers.JSONField()
    applied = serializers.IntegerField()
    admitted = serializers.IntegerField()
    took = serializers.IntegerField()
    trials = serializers.IntegerField()
    waiting = serializers.IntegerField()
    talk = serializers.IntegerField()
    passed = serializers.IntegerField()
    again = serializers.IntegerField()
    failed = serializers.IntegerField()
    passed_share = serializers.JSONField()
    holders = serializers.IntegerField()
    revoked = serializers.IntegerField()
    agreement = serializers.JSONField()
    graders = serializers.JSONField()


def report_out(programme: Programme) -> dict[str, Any]:
    return ReportOut({"id": programme.pk, **report_of(programme).as_dict()}).data


class TestView(ProjectView):
    """An endpoint below one test."""

    def test(self, number: int) -> Programme:
        found = programmes_of(self.project).filter(pk=number).first()
        if found is None:
            raise Http404("no such test")
        return found

    def worker(self, name: str) -> Worker:
        person = worker_called(self.project, name)
        if person is None:
            raise ValidationError({"worker": ["Nobody is called so in this project's releases."]})
        return person

    def grant_out(self, row: Grant) -> dict[str, Any]:
        shown = {
            "worker": release_pseudonym(self.project, row.worker.pseudonym),
            "value": row.value if row.stands else None,
            "reason": row.reason if row.stands else row.revoked_reason,
        }
        names = ("value_there", "is_under_way", "problem", "granted_at", "granted_by", "revoked_at")
        return GrantOut(shown | {name: getattr(row, name) for name in names}).data


class Qualifications(ProjectView):
    @extend_schema(operation_id="list_qualifications", responses=ReportOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The project's qualification tests, each with its report."""
        self.parameters()
        return Response([report_out(programme) for programme in programmes_of(self.project)])

    @extend_schema(operation_id="make_qualification", request=TestIn, responses={201: ReportOut})
    def post(self, request: Request, slug: str) -> Response:
        """Makes a qualification with its test in the form of a stage."""
        asked = self.read(TestIn)
        stage = queries.stage_of(self.project, asked.pop("stage"))
        if stage is None:
            raise ValidationError({"stage": ["The project has no stage of this name."]})
        made = programmes.make_programme(stage=stage, **plain(asked))
        return Response(report_out(made), status=status.HTTP_201_CREATED)


class OneQualification(TestView):
    @extend_schema(operation_id="get_qualification", responses=ReportOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Who applied, passed the gate, took the test, passed; and how far its graders agree."""
        self.parameters()
        return Response(report_out(self.test(number)))


class TestItems(TestView):
    @extend_schema(operation_id="add_test_items", request=TestItemsIn, responses={201: TestItemsOut})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Brings items into a test: all of them, or none. They are never collected or released."""
        programme, asked = self.test(number), self.read(TestItemsIn)
        known = [programmes.Known(one["key"], one["item"], one["answer"]) for one in asked["items"]]
        if asked["examples"]:
            known += programmes.example_items(programme)
        added = programmes.bring_in(programme=programme, items=known, keys=asked["set_aside"])
        shown = {
            "added": added,
            "items": programme.trial_items.count(),
            "sets": len(programmes.sets_of(programme)),
        }
        return Response(TestItemsOut(shown).data, status=status.HTTP_201_CREATED)


class TestQuote(TestView):
    @extend_schema(operation_id="get_test_quote", parameters=[OpenApiParameter("workers", int)], responses=QuoteOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """What it costs to let so many workers (9, if not said) take each set. Publishes nothing."""
        programme, asked = self.test(number), self.parameters("workers")
        workers = whole_number(asked["workers"]) if asked["workers"] else 9
        if not workers or workers > 10_000:
            raise ValidationError({"workers": ["Expected a whole number from 1 to 10,000."]})
        return Response(QuoteOut(programmes.quote_programme(programme, workers=workers)).data)


class TestOffer(TestView):
    @extend_schema(
        operation_id="publish_test",
        request=OfferIn,
        parameters=[ONCE],
        responses={201: PublishOut, 409: CONFLICT},
    )
    @once
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Offers the test for exactly the total of the quote, and once for each quote.

        Sending the same request twice offers it once: the quote is another one then, and the second answer is
        409 with the quote as it is now; with an Idempotency-Key it is the first answer again.
        """
        programme, asked = self.test(number), self.read(OfferIn)
        try:
            hits = programmes.publish_programme(programme=programme, **asked)
        except Refused as refusal:
            now = programmes.quote_programme(programme, workers=asked["workers"])
            raise Refusal(status.HTTP_409_CONFLICT, detail=str(refusal), quote=QuoteOut(now).data) from None
        shown = {"hits": len(hits), "cents": asked["confirmed_cents"]}
        return Response(shown, status=status.HTTP_201_CREATED)


class Grants(TestView):
    @extend_schema(operation_id="list_grants", responses=GrantOut(many=True))
    def get(self, request: Request, slug: str, number: int) -> Response:
        """What workers hold in the qualification, the newest first. 0: took the test."""
        self.parameters()
        rows = self.test(number).qualification.grants.select_related("worker").order_by("-granted_at", "-id")
        return Response([self.grant_out(row) for row in rows])

    @extend_schema(operation_id="grant_qualification", request=GrantIn, responses={202: GrantOut})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Gives a worker the qualification by hand. The same again changes nothing."""
        programme, asked = self.test(number), self.read(GrantIn)
        person = self.worker(asked.pop("worker"))
        row = qualifying.grant(qualification=programme.qualification, worker=person, **asked)
        return Response(self.grant_out(row), status=status.HTTP_202_ACCEPTED)


class Revoke(TestView):
    @extend_schema(operation_id="revoke_qualification", request=RevokeIn, responses={202: GrantOut})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Takes the qualification from a worker, who reads the reason."""
        programme, asked = self.test(number), self.read(RevokeIn)
        person = self.worker(asked.pop("worker"))
        row = qualifying.revoke(qualification=programme.qualification, worker=person, **asked)
        return Response(self.grant_out(row), status=status.HTTP_202_ACCEPTED)
