"""Items, what was answered to them, what that adds up to, and what later stages said of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, ClassVar

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk import queries
from annotation.desk.api.base import (
    PAGE_SIZE,
    JSONObject,
    Page,
    ProjectView,
    Refusal,
    one_of,
    row_number,
    text_parameters,
)
from annotation.desk.forms.importing import Upload
from annotation.desk.views.imports import import_uploads
from annotation.hits.models import Answer
from annotation.projects.importing import ImportRefused
from annotation.projects.models import Item
from annotation.projects.queries import pipeline_of
from annotation.review.models import Feedback, Outcome
from annotation.workers.queries import release_pseudonym


class ItemOut(serializers.Serializer):
    id = serializers.IntegerField()
    stage = serializers.CharField(source="stage.name")
    key = serializers.CharField()
    split = serializers.CharField()
    state = serializers.SerializerMethodField(help_text="accepted and rejected are `decided` for reviewers")
    reason = serializers.SerializerMethodField()
    payload = JSONObject()
    created_at = serializers.DateTimeField()
    state_since = serializers.DateTimeField()

    def get_state(self, item: Item) -> str:
        return self.context["access"].state_of(item)

    def get_reason(self, item: Item) -> str:
        return "" if self.get_state(item) == "decided" else item.reason


class ItemPage(Page):
    results = ItemOut(many=True)


class ImportIn(serializers.Serializer):
    """The files, and what the project's pipeline knows of these (of others the refusal says which there are)."""

    files = serializers.ListField(child=serializers.FileField(), help_text="source files under their own names")
    split = serializers.CharField(max_length=40, required=False, allow_blank=True)
    set = serializers.ChoiceField(choices=["easy", "challenge"], required=False, allow_blank=True, help_text="ARC-DA")
    sample = serializers.CharField(max_length=40, required=False, allow_blank=True, help_text="R4C: how many a file")
    seed = serializers.CharField(max_length=40, required=False, allow_blank=True, help_text="R4C: of the sample")
    opposite = serializers.ChoiceField(choices=["yes", "no"], required=False, allow_blank=True, help_text="R4C")


class ImportOut(serializers.Serializer):
    added = serializers.IntegerField()
    known = serializers.IntegerField()
    excluded = serializers.IntegerField()


class AnswerOut(serializers.Serializer):
    id = serializers.IntegerField()
    item = serializers.IntegerField(source="item_id")
    key = serializers.CharField(source="item.key")
    stage = serializers.CharField(source="item.stage.name")
    worker = serializers.SerializerMethodField(help_text="the pseudonym that this project's releases use")
    data = JSONObject()
    counts = serializers.BooleanField()
    created_at = serializers.DateTimeField()

    def get_worker(self, answer: Any) -> str:
        return release_pseudonym(self.context["access"].project, answer.assignment.worker.pseudonym)


class AnswerPage(Page):
    results = AnswerOut(many=True)


class OutcomeOut(serializers.Serializer):
    id = serializers.IntegerField()
    item = serializers.IntegerField(source="item_id")
    key = serializers.CharField(source="item.key")
    stage = serializers.CharField(source="stage.name")
    state = serializers.CharField()
    is_disputed = serializers.BooleanField()
    agreement = serializers.FloatField(allow_null=True)
    value = JSONObject(help_text="what the answers add up to")
    final = JSONObject(help_text="what stands after the reviews")
    reason = serializers.CharField()
    contributors = serializers.ListField(child=serializers.IntegerField(), help_text="ids of answers")
    settled_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)


class OutcomePage(Page):
    results = OutcomeOut(many=True)


class FeedbackOut(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    about = serializers.IntegerField(source="about_id", help_text="the item whose work is meant")
    about_key = serializers.CharField(source="about.key")
    about_stage = serializers.CharField(source="about.stage.name")
    item = serializers.IntegerField(source="item_id", help_text="the later item at which it was said")
    stage = serializers.CharField(source="item.stage.name")
    step = serializers.IntegerField(help_text="which part, from 1; 0: the whole")
    reason = serializers.CharField()
    answers = serializers.ListField(child=serializers.IntegerField(), help_text="ids of the answers that say so")
    asked = serializers.IntegerField(help_text="how many could have said so")
    state = serializers.CharField()
    effect = serializers.CharField()
    note = serializers.CharField()
    successor = serializers.IntegerField(source="successor_id", allow_null=True)
    created_at = serializers.DateTimeField()
    done_at = serializers.DateTimeField(allow_null=True)


class FeedbackPage(Page):
    results = FeedbackOut(many=True)


class Items(ProjectView):
    powers: ClassVar = {"GET": "read"}
    parser_classes: ClassVar = [MultiPartParser]

    @extend_schema(
        operation_id="list_items",
        parameters=[*text_parameters("stage", "state", "split", "key", "cursor"), PAGE_SIZE],
        responses=ItemPage,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Items, by stage, state, split or key."""
        asked = self.parameters("stage", "state", "split", "key")
        one_of(asked, "state", self.access.item_states)
        rows = queries.items_of(self.project, stage=asked["stage"], state=asked["state"], split=asked["split"])
        if asked["key"]:
            rows = rows.filter(key=asked["key"])
        return self.pages(rows, ItemOut, access=self.access)

    @extend_schema(
        operation_id="import_items",
        request={"multipart/form-data": ImportIn},
        responses={201: ImportOut},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Imports source files: all of them, or nothing and the problems by file and line."""
        known = pipeline_of(self.project).read_options
        names = ["files", *(option.name for option in known)]
        if unknown := set(request.data) - set(names):
            raise ValidationError({name: [f"No such field; there are: {', '.join(names)}."] for name in unknown})
        form = Upload(request.POST, request.FILES, options=known)
        if not form.is_valid():
            raise ValidationError(form.errors)
        try:
            report = import_uploads(self.project, form.cleaned_data["files"], form.options())
        except ImportRefused as refusal:
            problems = [asdict(problem) for problem in refusal.report.problems]
            raise Refusal(status.HTTP_400_BAD_REQUEST, detail="nothing was imported", problems=problems) from None
        return Response(ImportOut(report).data, status=status.HTTP_201_CREATED)


class OneItem(ProjectView):
    default_power = "read"

    @extend_schema(operation_id="get_item", responses=ItemOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One item."""
        self.parameters()
        item = self.project.items.select_related("stage").filter(pk=pk).first()
        if item is None:
            raise Http404("no such item")
        return Response(ItemOut(item, context={"access": self.access}).data)


class Answers(ProjectView):
    default_power = "read"

    @extend_schema(
        operation_id="list_answers",
        parameters=[*text_parameters("stage", "cursor"), OpenApiParameter("item", int), PAGE_SIZE],
        responses=AnswerPage,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Answers with the pseudonyms of this project's releases. `counts`: confirmed by the marketplace."""
        asked = self.parameters("stage", "item")
        rows = Answer.objects.filter(item__project=self.project).select_related("item__stage", "assignment__worker")
        if asked["stage"]:
            rows = rows.filter(item__stage__name=asked["stage"])
        if asked["item"]:
            rows = rows.filter(item_id=row_number(asked["item"]))
        return self.pages(rows, AnswerOut, access=self.access)


class Outcomes(ProjectView):
    @extend_schema(
        operation_id="list_outcomes",
        parameters=[*text_parameters("stage", "state", "cursor"), OpenApiParameter("item", int), PAGE_SIZE],
        responses=OutcomePage,
    )
    def get(self, request: Request, slug: str) -> Response:
        """What items' answers add up to, and what stands after the reviews."""
        asked = self.parameters("stage", "state", "item")
        rows = Outcome.objects.filter(project=self.project).select_related("item", "stage")
        if asked["stage"]:
            rows = rows.filter(stage__name=asked["stage"])
        if one_of(asked, "state", Outcome.State.values):
            rows = rows.filter(state=asked["state"])
        if asked["item"]:
            rows = rows.filter(item_id=row_number(asked["item"]))
        return self.pages(rows, OutcomeOut)


class FeedbackList(ProjectView):
    @extend_schema(
        operation_id="list_feedback",
        parameters=[*text_parameters("kind", "state", "cursor"), OpenApiParameter("item", int), PAGE_SIZE],
        responses=FeedbackPage,
    )
    def get(self, request: Request, slug: str) -> Response:
        """What later stages said of earlier work, and what came of it. `item`: about this one."""
        asked = self.parameters("kind", "state", "item")
        rows = Feedback.objects.filter(project=self.project).select_related("item__stage", "about__stage")
        if asked["kind"]:
            rows = rows.filter(kind=asked["kind"])
        if one_of(asked, "state", Feedback.State.values):
            rows = rows.filter(state=asked["state"])
        if asked["item"]:
            rows = rows.filter(about_id=row_number(asked["item"]))
        return self.pages(rows, FeedbackOut)
