"""Projects: those that there are, one of them, its figures and its board."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import PermissionDenied
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk.access import may_create_projects
from annotation.desk.api.base import JSONObject, ProjectView, StrictSerializer, View, cents, within
from annotation.desk.standing import standing_of
from annotation.hits import expiring
from annotation.projects import actions
from annotation.projects.limits import PROJECT
from annotation.projects.models import Membership, Project
from annotation.projects.queries import projects_of, roles_of
from annotation.review.board import board_of
from annotation.review.figures import Step


class ProjectOut(serializers.Serializer):
    slug = serializers.SlugField()
    name = serializers.CharField()
    pipeline = serializers.CharField()
    environment = serializers.CharField()
    state = serializers.ChoiceField(choices=Project.State.choices)
    settings = JSONObject()
    contact = serializers.CharField()
    created_at = serializers.DateTimeField()
    role = serializers.SerializerMethodField(help_text="yours")
    budget_cap_cents = serializers.IntegerField(required=False, help_text="not for reviewers")
    wage_floor_cents = serializers.IntegerField(required=False, help_text="not for reviewers")

    def get_role(self, project: Project) -> str:
        return self.context["roles"][project.pk]

    def to_representation(self, project: Project) -> dict[str, Any]:
        shown = super().to_representation(project)
        if shown["role"] == Membership.Role.REVIEWER:
            del shown["budget_cap_cents"], shown["wage_floor_cents"]
        return shown


class ProjectIn(StrictSerializer):
    slug = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=120)
    pipeline = serializers.CharField(max_length=40)
    environment = serializers.ChoiceField(choices=sorted(settings.MARKETPLACES), default="own")
    settings = JSONObject(default=dict)
    budget_cap_cents = cents(default=0)
    wage_floor_cents = within(PROJECT["wage_floor_cents"], default=1_000)
    contact = serializers.CharField(max_length=200, allow_blank=True, default="")


class ProjectChange(StrictSerializer):
    name = serializers.CharField(max_length=120, required=False)
    settings = JSONObject(required=False)
    contact = serializers.CharField(max_length=200, allow_blank=True, required=False)
    budget_cap_cents = cents(required=False, help_text="owners only")
    wage_floor_cents = within(PROJECT["wage_floor_cents"], required=False, help_text="owners only")


class StateChange(StrictSerializer):
    state = serializers.ChoiceField(choices=Project.State.choices)


class FiguresOut(serializers.Serializer):
    funnel = serializers.ListField(child=JSONObject())
    progress = serializers.ListField(child=JSONObject())
    agreement = JSONObject(help_text="by stage")
    spending = JSONObject(required=False, help_text="not for reviewers")
    pay = JSONObject(required=False, help_text="by stage; not for reviewers")
    workers = serializers.ListField(child=JSONObject(), required=False, help_text="not for reviewers")


class WaitingOut(serializers.Serializer):
    state = serializers.CharField()
    count = serializers.IntegerField()
    oldest = serializers.DateTimeField()
    median = serializers.DateTimeField()
    oldest_item = serializers.IntegerField()


class ReasonOut(serializers.Serializer):
    code = serializers.CharField()
    count = serializers.IntegerField()
    example = serializers.CharField()


class FeedbackCountOut(serializers.Serializer):
    said_at = serializers.CharField()
    about = serializers.CharField()
    kind = serializers.CharField()
    effect = serializers.CharField()
    count = serializers.IntegerField()


class BoardColumn(serializers.Serializer):
    stage = serializers.CharField(source="stage.name")
    title = serializers.CharField()
    total = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="items by state")
    waiting = WaitingOut(many=True)
    accepted = serializers.IntegerField()
    went_on = serializers.IntegerField()
    fallen = serializers.IntegerField()
    reasons = ReasonOut(many=True, help_text="why items fell out")
    successors = serializers.IntegerField(help_text="items in the place of others")
    gave = FeedbackCountOut(many=True, help_text="what was said here of earlier stages")
    got = FeedbackCountOut(many=True, help_text="what later stages said of this one")


def project_out(project: Project, role: str) -> dict[str, Any]:
    return ProjectOut(project, context={"roles": {project.pk: role}}).data


class Projects(View):
    @extend_schema(operation_id="list_projects", responses=ProjectOut(many=True))
    def get(self, request: Request) -> Response:
        """Your projects."""
        self.parameters()
        projects = list(projects_of(request.user).order_by("slug"))
        context = {"roles": roles_of(request.user, projects)}
        return Response(ProjectOut(projects, many=True, context=context).data)

    @extend_schema(operation_id="create_project", request=ProjectIn, responses={201: ProjectOut})
    def post(self, request: Request) -> Response:
        """Makes a project, with you as its owner."""
        if not may_create_projects(request.user):
            raise PermissionDenied("Making a project takes the role of owner or researcher in another one.")
        project = actions.create_project(owner=request.user, **self.read(ProjectIn))
        return Response(project_out(project, Membership.Role.OWNER.value), status=status.HTTP_201_CREATED)


class OneProject(ProjectView):
    powers: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_project", responses=ProjectOut)
    def get(self, request: Request, slug: str) -> Response:
        """One project."""
        self.parameters()
        return Response(project_out(self.project, self.access.role))

    @extend_schema(operation_id="change_project", request=ProjectChange, responses=ProjectOut)
    def patch(self, request: Request, slug: str) -> Response:
        """Changes a project. New settings screen again the items that no HIT has offered yet."""
        changes = self.read(ProjectChange)
        if {"budget_cap_cents", "wage_floor_cents"} & set(changes):
            self.access.require("own")
        actions.change_project(project=self.project, **changes)
        return Response(project_out(self.project, self.access.role))


class ProjectState(ProjectView):
    @extend_schema(operation_id="set_project_state", request=StateChange, responses=ProjectOut)
    def put(self, request: Request, slug: str) -> Response:
        """Opens, pauses or closes a project. Closing takes its HITs off the market."""
        moves = {"open": actions.open_project, "paused": actions.pause_project, "closed": expiring.close}
        moves[self.read(StateChange)["state"]](project=self.project)
        return Response(project_out(self.project, self.access.role))


class Figures(ProjectView):
    default_power = "read"

    @extend_schema(operation_id="get_figures", responses=FiguresOut)
    def get(self, request: Request, slug: str) -> Response:
        """The project's numbers: the same that its page shows and its releases publish."""
        self.parameters()
        now = standing_of(self.project)
        shown: dict[str, Any] = {
            "funnel": [self._step(step) for step in now.funnel],
            "progress": [one.as_dict() for one in now.progress],
            "agreement": {name: asdict(agreement) for name, agreement in now.agreement.items()},
        }
        if self.access.may("run"):
            shown["spending"] = asdict(now.spending) | {
                "committed_cents": now.spending.committed_cents,
                "free_cents": now.spending.free_cents,
            }
            shown["pay"] = {name: asdict(pay) for name, pay in now.pay.items()}
            shown["workers"] = [asdict(worker) for worker in now.workers]
        return Response(shown)

    def _step(self, step: Step) -> dict[str, Any]:
        shown = asdict(step)
        if step.name == "accepted" and not self.access.may("run"):
            shown["reasons"] = []
        return shown


class Board(ProjectView):
    @extend_schema(operation_id="get_board", responses=BoardColumn(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """All stages side by side: where items stand and since when, where they fall out and why, what was said."""
        self.parameters()
        return Response(BoardColumn(board_of(self.project), many=True).data)
