"""The endpoints. Each reads, asks the same queries or calls the same action as a page, and says what came of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.http import Http404, StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk import assignments as work
from annotation.desk import queries
from annotation.desk.access import may_create_projects
from annotation.desk.accounts import account_called
from annotation.desk.api import shapes
from annotation.desk.api.base import ProjectView, Refusal, View
from annotation.desk.api.once import ONCE, once
from annotation.desk.forms.importing import Upload
from annotation.desk.numbers import whole_number
from annotation.desk.pagination import Cursor
from annotation.desk.standing import standing_of
from annotation.desk.views.imports import import_uploads
from annotation.desk.views.releases import release_or_404, zip_response
from annotation.events.queries import feed
from annotation.hits import expiring, paying, publishing
from annotation.hits.models import Answer, Assignment
from annotation.hits.quarantine import settle_by_hand
from annotation.hits.queries import rejections_of
from annotation.hits.retrying import tell, try_again
from annotation.projects import actions
from annotation.projects.models import Membership, Project, Stage
from annotation.projects.queries import pipeline_of, projects_of, roles_of
from annotation.providers.models import Intent
from annotation.releases.actions import order
from annotation.releases.comparison import diff
from annotation.releases.results import ReleaseRefused
from annotation.releases.storage import ReleaseUnreadable
from annotation.releases.verifying import order_verification
from annotation.review.board import board_of
from annotation.review.figures import Step
from annotation.review.models import Feedback, Outcome
from annotation.workers.actions import bar_worker, unbar_worker
from annotation.workers.queries import worker_called

EVENTS_AT_ONCE = 500
# Of so many changed items an answer tells how they changed.
MOST_CHANGES = 1_000
PAGE_SIZE = OpenApiParameter("page_size", int, description="at most 1,000")
CONFLICT = OpenApiResponse(shapes.Problem, description="does not fit how things stand")


def text_parameters(*names: str) -> list[OpenApiParameter]:
    return [OpenApiParameter(name, str) for name in names]


# --- Projects -------------------------------------------------------------------------------------


def project_out(project: Project, role: str) -> dict[str, Any]:
    return shapes.ProjectOut(project, context={"roles": {project.pk: role}}).data


class Projects(View):
    @extend_schema(operation_id="list_projects", responses=shapes.ProjectOut(many=True))
    def get(self, request: Request) -> Response:
        """Your projects."""
        self.parameters()
        projects = list(projects_of(request.user).order_by("slug"))
        context = {"roles": roles_of(request.user, projects)}
        return Response(shapes.ProjectOut(projects, many=True, context=context).data)

    @extend_schema(operation_id="create_project", request=shapes.ProjectIn, responses={201: shapes.ProjectOut})
    def post(self, request: Request) -> Response:
        """Makes a project, with you as its owner."""
        if not may_create_projects(request.user):
            raise PermissionDenied("Making a project takes the role of owner or researcher in another one.")
        project = actions.create_project(owner=request.user, **self.read(shapes.ProjectIn))
        return Response(project_out(project, Membership.Role.OWNER.value), status=status.HTTP_201_CREATED)


class OneProject(ProjectView):
    powers: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_project", responses=shapes.ProjectOut)
    def get(self, request: Request, slug: str) -> Response:
        """One project."""
        self.parameters()
        return Response(project_out(self.project, self.access.role))

    @extend_schema(operation_id="change_project", request=shapes.ProjectChange, responses=shapes.ProjectOut)
    def patch(self, request: Request, slug: str) -> Response:
        """Changes a project. New settings screen again the items that no HIT has offered yet."""
        changes = self.read(shapes.ProjectChange)
        if {"budget_cap_cents", "wage_floor_cents"} & set(changes):
            self.access.require("own")
        actions.change_project(project=self.project, **changes)
        return Response(project_out(self.project, self.access.role))


class ProjectState(ProjectView):
    @extend_schema(operation_id="set_project_state", request=shapes.StateChange, responses=shapes.ProjectOut)
    def put(self, request: Request, slug: str) -> Response:
        """Opens, pauses or closes a project. Closing takes its HITs off the market."""
        moves = {"open": actions.open_project, "paused": actions.pause_project, "closed": expiring.close}
        moves[self.read(shapes.StateChange)["state"]](project=self.project)
        return Response(project_out(self.project, self.access.role))


class Figures(ProjectView):
    default_power = "read"

    @extend_schema(operation_id="get_figures", responses=shapes.FiguresOut)
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
    @extend_schema(operation_id="get_board", responses=shapes.BoardColumn(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """All stages side by side: where items stand and since when, where they fall out and why, what was said."""
        self.parameters()
        return Response(shapes.BoardColumn(board_of(self.project), many=True).data)


class FeedbackList(ProjectView):
    @extend_schema(
        operation_id="list_feedback",
        parameters=[*text_parameters("kind", "state", "cursor"), OpenApiParameter("item", int), PAGE_SIZE],
        responses=shapes.FeedbackPage,
    )
    def get(self, request: Request, slug: str) -> Response:
        """What later stages said of earlier work, and what came of it. `item`: about this one."""
        asked = self.parameters("kind", "state", "item")
        rows = Feedback.objects.filter(project=self.project).select_related("item__stage", "about__stage")
        if asked["kind"]:
            rows = rows.filter(kind=asked["kind"])
        if asked["state"]:
            if asked["state"] not in Feedback.State.values:
                raise ValidationError({"state": [f"There are: {', '.join(Feedback.State.values)}."]})
            rows = rows.filter(state=asked["state"])
        if asked["item"]:
            rows = rows.filter(about_id=_row_number(asked["item"]))
        return self.pages(rows, shapes.FeedbackOut)


class Members(ProjectView):
    powers: ClassVar = {"POST": "own"}

    @extend_schema(operation_id="list_members", responses=shapes.MemberOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The people of a project, with their roles."""
        self.parameters()
        members = self.project.memberships.select_related("user").order_by("user__username")
        return Response(shapes.MemberOut(members, many=True).data)

    @extend_schema(operation_id="set_member", request=shapes.MemberIn, responses={201: shapes.MemberOut})
    def post(self, request: Request, slug: str) -> Response:
        """Gives a person a role, or another one. Nobody changes their own."""
        asked = self.read(shapes.MemberIn)
        user = account_called(asked["username"])
        if user is None:
            raise ValidationError({"username": ["There is no account of this name."]})
        self._refuse_self(user)
        member = actions.add_member(project=self.project, user=user, role=asked["role"])
        return Response(shapes.MemberOut(member).data, status=status.HTTP_201_CREATED)

    def _refuse_self(self, user: Any) -> None:
        if user == self.request.user:
            raise PermissionDenied("Nobody changes their own role.")


class OneMember(Members):
    powers: ClassVar = {"DELETE": "own"}
    http_method_names: ClassVar = ["delete", "options"]

    @extend_schema(operation_id="remove_member", responses={204: None})
    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Takes a person's role away. The last owner stays, and nobody removes themselves."""
        member = self.project.memberships.select_related("user").filter(user__username=username).first()
        if member is None:
            raise Http404("no such member")
        self._refuse_self(member.user)
        actions.remove_member(project=self.project, user=member.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- Stages ---------------------------------------------------------------------------------------


class StageView(ProjectView):
    def stage(self, name: str) -> Stage:
        stage = queries.stage_of(self.project, name)
        if stage is None:
            raise Http404("no such stage")
        return stage


class Stages(ProjectView):
    @extend_schema(operation_id="list_stages", responses=shapes.StageOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """A project's stages, in order."""
        self.parameters()
        return Response(shapes.StageOut(self.project.stages.order_by("position"), many=True).data)


class OneStage(StageView):
    @extend_schema(operation_id="get_stage", responses=shapes.StageOut)
    def get(self, request: Request, slug: str, name: str) -> Response:
        """One stage: pay, numbers, times, requirements, settings."""
        self.parameters()
        return Response(shapes.StageOut(self.stage(name)).data)

    @extend_schema(operation_id="change_stage", request=shapes.StageChange, responses=shapes.StageOut)
    def patch(self, request: Request, slug: str, name: str) -> Response:
        """Changes what later HITs of a stage offer. HITs that are out keep what they promised."""
        stage = self.stage(name)
        changes = self.read(shapes.StageChange)
        if "requirements" in changes:
            changes["requirements"] = shapes.plain(changes["requirements"])
        return Response(shapes.StageOut(actions.change_stage(stage=stage, **changes)).data)


class StageState(StageView):
    @extend_schema(operation_id="set_stage_state", request=shapes.StageStateChange, responses=shapes.StageOut)
    def put(self, request: Request, slug: str, name: str) -> Response:
        """Opens or pauses a stage; with `expire_hits` it takes its HITs off the market, too."""
        stage = self.stage(name)
        asked = self.read(shapes.StageStateChange)
        if asked["state"] == Stage.State.OPEN:
            if asked["expire_hits"]:
                raise ValidationError({"expire_hits": ["Only together with the state paused."]})
            actions.open_stage(stage=stage)
        else:
            actions.pause_stage(stage=stage)
            if asked["expire_hits"]:
                expiring.expire_stage(stage=stage)
        return Response(shapes.StageOut(stage).data)


class Quote(StageView):
    @extend_schema(
        operation_id="get_quote",
        parameters=[OpenApiParameter("limit", int), OpenApiParameter("only_unfinished", bool)],
        responses=shapes.QuoteOut,
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
        return Response(shapes.QuoteOut(offer).data)


class Publish(StageView):
    @extend_schema(
        operation_id="publish",
        request=shapes.PublishIn,
        parameters=[ONCE],
        responses={201: shapes.PublishOut, 409: CONFLICT},
    )
    @once
    def post(self, request: Request, slug: str, name: str) -> Response:
        """Publishes the very HITs of a quote for exactly its total: a stage's open items, the first `limit` of them.

        Sending the same request twice publishes once: what was published is no longer open, so that the quote is
        for other HITs, and the second answer is 409 with the quote as it is now; with an Idempotency-Key it is the
        first answer again.
        """
        stage = self.stage(name)
        asked = self.read(shapes.PublishIn)
        try:
            hits = publishing.publish(stage=stage, **asked)
        except actions.Refused as refusal:
            now = publishing.quote(stage, limit=asked.get("limit"), only_unfinished=asked["only_unfinished"])
            raise Refusal(status.HTTP_409_CONFLICT, detail=str(refusal), quote=shapes.QuoteOut(now).data) from None
        shown = {"hits": len(hits), "cents": asked["confirmed_cents"]}
        return Response(shown, status=status.HTTP_201_CREATED)


# --- Items, answers, outcomes ---------------------------------------------------------------------


class Items(ProjectView):
    powers: ClassVar = {"GET": "read"}
    parser_classes: ClassVar = [MultiPartParser]

    @extend_schema(
        operation_id="list_items",
        parameters=[*text_parameters("stage", "state", "split", "key", "cursor"), PAGE_SIZE],
        responses=shapes.ItemPage,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Items, by stage, state, split or key."""
        asked = self.parameters("stage", "state", "split", "key")
        if asked["state"] and asked["state"] not in self.access.item_states:
            raise ValidationError({"state": [f"There are: {', '.join(self.access.item_states)}."]})
        rows = queries.items_of(self.project, stage=asked["stage"], state=asked["state"], split=asked["split"])
        if asked["key"]:
            rows = rows.filter(key=asked["key"])
        return self.pages(rows, shapes.ItemOut, access=self.access)

    @extend_schema(
        operation_id="import_items",
        request={"multipart/form-data": shapes.ImportIn},
        responses={201: shapes.ImportOut},
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
        except actions.ImportRefused as refusal:
            problems = [asdict(problem) for problem in refusal.report.problems]
            raise Refusal(status.HTTP_400_BAD_REQUEST, detail="nothing was imported", problems=problems) from None
        return Response(shapes.ImportOut(report).data, status=status.HTTP_201_CREATED)


class OneItem(ProjectView):
    default_power = "read"

    @extend_schema(operation_id="get_item", responses=shapes.ItemOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One item."""
        self.parameters()
        item = self.project.items.select_related("stage").filter(pk=pk).first()
        if item is None:
            raise Http404("no such item")
        return Response(shapes.ItemOut(item, context={"access": self.access}).data)


class Answers(ProjectView):
    default_power = "read"

    @extend_schema(
        operation_id="list_answers",
        parameters=[*text_parameters("stage", "cursor"), OpenApiParameter("item", int), PAGE_SIZE],
        responses=shapes.AnswerPage,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Answers with the pseudonyms of this project's releases. `counts`: confirmed by the marketplace."""
        asked = self.parameters("stage", "item")
        rows = Answer.objects.filter(item__project=self.project).select_related("item__stage", "assignment__worker")
        if asked["stage"]:
            rows = rows.filter(item__stage__name=asked["stage"])
        if asked["item"]:
            rows = rows.filter(item_id=_row_number(asked["item"]))
        return self.pages(rows, shapes.AnswerOut, access=self.access)


class Outcomes(ProjectView):
    @extend_schema(
        operation_id="list_outcomes",
        parameters=[*text_parameters("stage", "state", "cursor"), OpenApiParameter("item", int), PAGE_SIZE],
        responses=shapes.OutcomePage,
    )
    def get(self, request: Request, slug: str) -> Response:
        """What items' answers add up to, and what stands after the reviews."""
        asked = self.parameters("stage", "state", "item")
        rows = Outcome.objects.filter(project=self.project).select_related("item", "stage")
        if asked["stage"]:
            rows = rows.filter(stage__name=asked["stage"])
        if asked["state"]:
            if asked["state"] not in Outcome.State.values:
                raise ValidationError({"state": [f"There are: {', '.join(Outcome.State.values)}."]})
            rows = rows.filter(state=asked["state"])
        if asked["item"]:
            rows = rows.filter(item_id=_row_number(asked["item"]))
        return self.pages(rows, shapes.OutcomeOut)


def _row_number(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise ValidationError({"item": ["Expected an item's id."]})
    return number


# --- Assignments: pay, rejections, bonuses --------------------------------------------------------


class Assignments(ProjectView):
    @extend_schema(
        operation_id="list_assignments",
        parameters=[*text_parameters("stage", "state", "worker", "cursor"), PAGE_SIZE],
        responses=shapes.AssignmentPage,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Assignments, by stage, state or worker's pseudonym."""
        asked = self.parameters("stage", "state", "worker")
        if asked["state"] and asked["state"] not in Assignment.State.values:
            raise ValidationError({"state": [f"There are: {', '.join(Assignment.State.values)}."]})
        worker = worker_called(self.project, asked["worker"]) if asked["worker"] else None
        if asked["worker"] and worker is None:
            raise ValidationError({"worker": ["Nobody is called so in this project."]})
        rows = work.assignments_of(self.project, stage=asked["stage"], state=asked["state"], worker=worker)
        # Ids first: the rows of a page are read once they are known.
        paginator = Cursor()
        found = paginator.paginate_queryset(rows.only("pk"), request, view=self)
        shown = work.rows_of(self.project, [one.pk for one in found])
        return paginator.get_paginated_response(shapes.AssignmentOut(shown, many=True).data)


class AssignmentView(ProjectView):
    def found(self, pk: int) -> Assignment:
        assignment = work.find_assignment(self.project, pk)
        if assignment is None:
            raise Http404("no such assignment")
        return assignment


class OneAssignment(AssignmentView):
    @extend_schema(operation_id="get_assignment", responses=shapes.WorkOut)
    def get(self, request: Request, slug: str, assignment: int) -> Response:
        """One assignment with its answers, what the checks said, and what was asked of the marketplace."""
        self.parameters()
        return Response(shapes.WorkOut(work.work_of(self.found(assignment))).data)


class Approve(AssignmentView):
    @extend_schema(
        operation_id="approve_assignment",
        request=shapes.ApproveIn,
        parameters=[ONCE],
        responses={202: shapes.CallOut},
    )
    @once
    def post(self, request: Request, slug: str, assignment: int) -> Response:
        """Approves and pays an assignment, or turns its rejection round. Again is the same call.

        What the marketplace refused before is asked for once more.
        """
        found = self.found(assignment)
        intent = paying.approve(assignment=found, **self.read(shapes.ApproveIn))
        return Response(shapes.CallOut(intent).data, status=status.HTTP_202_ACCEPTED)


class Reject(AssignmentView):
    @extend_schema(
        operation_id="reject_assignment",
        request=shapes.RejectIn,
        parameters=[ONCE],
        responses={202: shapes.CallOut, 409: CONFLICT},
    )
    @once
    def post(self, request: Request, slug: str, assignment: int) -> Response:
        """Rejects an assignment while the stage's time to look lasts: its worker is not paid, and reads the reason.

        Takes two requests: without `confirmed` the answer is 409 and says what it would mean.
        """
        found, asked = self.found(assignment), self.read(shapes.RejectIn)
        if fault := paying.why_not_rejected(found):
            raise Refusal(status.HTTP_409_CONFLICT, detail=fault)
        if not asked["confirmed"]:
            raise Refusal(
                status.HTTP_409_CONFLICT,
                detail="nothing was rejected: look at the work, then send the same with `confirmed` true",
                worker_loses_cents=found.hit.reward_cents,
                rejected_of_this_worker_within_a_day=rejections_of(found.worker, self.project),
            )
        intent = paying.reject(assignment=found, reason=asked["reason"])
        return Response(shapes.CallOut(intent).data, status=status.HTTP_202_ACCEPTED)


class Bonus(AssignmentView):
    @extend_schema(operation_id="pay_bonus", request=shapes.BonusIn, parameters=[ONCE], responses={202: shapes.CallOut})
    @once
    def post(self, request: Request, slug: str, assignment: int) -> Response:
        """Pays a bonus for an assignment, once a purpose and within the budget. `cents` of the answer has the fee."""
        found = self.found(assignment)
        intent = paying.bonus(assignment=found, **self.read(shapes.BonusIn))
        return Response(shapes.CallOut(intent).data, status=status.HTTP_202_ACCEPTED)


class Settle(AssignmentView):
    @extend_schema(operation_id="settle_assignment", request=shapes.SettleIn, responses=shapes.WorkOut)
    def post(self, request: Request, slug: str, assignment: int) -> Response:
        """Settles the pay for work that the marketplace doesn't list: by a bonus on other work of its worker, which is
        paid now, or by writing down what became of it. It still doesn't count.
        """
        found = self.found(assignment)
        settle_by_hand(assignment=found, **self.read(shapes.SettleIn))
        return Response(shapes.WorkOut(work.work_of(self.found(assignment))).data)


class Calls(ProjectView):
    @extend_schema(operation_id="list_problem_calls", responses=shapes.CallOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Calls to the marketplace that need a person: refused, lost sight of, never seen there."""
        self.parameters()
        return Response(shapes.CallOut(queries.problems_of(self.project).intents, many=True).data)


class CallView(ProjectView):
    def found(self, pk: int) -> Intent:
        intent = Intent.objects.filter(project_id=self.project.pk, pk=pk).first()
        if intent is None:
            raise Http404("no such call")
        return intent


class TryAgain(CallView):
    @extend_schema(operation_id="try_call_again", request=None, parameters=[ONCE], responses={202: shapes.CallOut})
    @once
    def post(self, request: Request, slug: str, call: int) -> Response:
        """Makes a refused call again, where it is still wanted."""
        intent = self.found(call)
        return Response(shapes.CallOut(try_again(intent=intent)).data, status=status.HTTP_202_ACCEPTED)


class Tell(CallView):
    @extend_schema(operation_id="tell_of_call", request=shapes.ToldIn, responses=shapes.CallOut)
    def post(self, request: Request, slug: str, call: int) -> Response:
        """Says what became of a call that was never seen in the marketplace (`absent`), after a look there."""
        intent = tell(intent=self.found(call), **self.read(shapes.ToldIn))
        return Response(shapes.CallOut(intent).data)


class OneWorker(ProjectView):
    @extend_schema(operation_id="set_worker", request=shapes.WorkerIn, responses=shapes.WorkerOut)
    def put(self, request: Request, slug: str, worker: str) -> Response:
        """Bars a worker of this project from further HITs, or lets them in again.

        A worker is known by marketplace: it holds for all projects that publish there from here.
        """
        found = worker_called(self.project, worker)
        if found is None or not work.assignments_of(self.project, worker=found).exists():
            raise Http404("no such worker")
        asked = self.read(shapes.WorkerIn)
        act = bar_worker if asked["is_barred"] else unbar_worker
        now = act(worker=found, reason=asked["reason"], project_id=self.project.pk)
        shown = {"worker": worker, "environment": now.environment, "is_barred": now.is_barred}
        return Response(shapes.WorkerOut(shown).data)


# --- Releases -------------------------------------------------------------------------------------


class Releases(ProjectView):
    @extend_schema(operation_id="list_releases", responses=shapes.ReleaseOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """All releases, newest first; `state` says which are ready."""
        self.parameters()
        return Response(shapes.ReleaseOut(self.project.releases.order_by("-id"), many=True).data)

    @extend_schema(
        operation_id="build_release",
        request=shapes.ReleaseIn,
        responses={202: shapes.ReleaseOut, 409: CONFLICT},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Orders a release. It is built in the background; its `state` says when it is ready."""
        asked = self.read(shapes.ReleaseIn)
        try:
            release = order(
                project=self.project,
                version=asked.get("version"),
                notes=asked["notes"],
                created_by=request.user.get_username(),
            )
        except ReleaseRefused as refusal:
            raise Refusal(status.HTTP_409_CONFLICT, detail=str(refusal)) from None
        return Response(shapes.ReleaseOut(release).data, status=status.HTTP_202_ACCEPTED)


class OneRelease(ProjectView):
    @extend_schema(operation_id="get_release", responses=shapes.ReleaseOut)
    def get(self, request: Request, slug: str, version: str) -> Response:
        """One release, with its figures."""
        self.parameters()
        return Response(shapes.ReleaseOut(release_or_404(self.project, version)).data)


class Download(ProjectView):
    @extend_schema(
        operation_id="download_release",
        responses={(200, "application/zip"): OpenApiResponse(bytes, description="the release's folder"), 409: CONFLICT},
    )
    def get(self, request: Request, slug: str, version: str) -> StreamingHttpResponse:
        """A finished release's folder as one zip file."""
        self.parameters()
        release = release_or_404(self.project, version, ready=True)
        try:
            return zip_response(release)
        except ReleaseUnreadable as fault:
            raise Refusal(status.HTTP_409_CONFLICT, detail=str(fault)) from None


class Verify(ProjectView):
    @extend_schema(operation_id="get_verification", responses=shapes.VerificationOut)
    def get(self, request: Request, slug: str, version: str) -> Response:
        """What the last verification of a release found, or how far it is."""
        self.parameters()
        return Response(shapes.VerificationOut(release_or_404(self.project, version, ready=True)).data)

    @extend_schema(operation_id="verify_release", request=None, responses={202: shapes.VerificationOut})
    def post(self, request: Request, slug: str, version: str) -> Response:
        """Orders a check of a release's files, rows and hashes against its manifest. Ask again for what it found."""
        release = release_or_404(self.project, version, ready=True)
        order_verification(release=release)
        return Response(shapes.VerificationOut(release).data, status=status.HTTP_202_ACCEPTED)


class Compare(ProjectView):
    @extend_schema(
        operation_id="compare_releases",
        parameters=[OpenApiParameter("from", str, required=True), OpenApiParameter("to", str, required=True)],
        responses={200: shapes.DifferenceOut, 409: CONFLICT},
    )
    def get(self, request: Request, slug: str) -> Response:
        """What changed from one release to another."""
        asked = self.parameters("from", "to")
        for name, version in asked.items():
            if not version:
                raise ValidationError({name: ["Expected a version."]})
        before, after = (release_or_404(self.project, version, ready=True) for version in asked.values())
        try:
            difference = diff(before, after, most=MOST_CHANGES)
        except ReleaseUnreadable as fault:
            raise Refusal(status.HTTP_409_CONFLICT, detail=str(fault)) from None
        return Response(shapes.DifferenceOut(difference).data)


# --- The log --------------------------------------------------------------------------------------


class Events(ProjectView):
    @extend_schema(
        operation_id="list_events",
        parameters=[OpenApiParameter("after", int), OpenApiParameter("verb", str)],
        responses=shapes.EventFeed,
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
        return Response(shapes.EventFeed(shown, context={"project": self.project}).data)
