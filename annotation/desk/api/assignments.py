"""Assignments: pay, rejections, bonuses, quarantine."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk import assignments as work
from annotation.desk.api.base import (
    CONFLICT,
    PAGE_SIZE,
    Page,
    ProjectView,
    Refusal,
    StrictSerializer,
    one_of,
    text_parameters,
    within,
)
from annotation.desk.api.calls import CallOut
from annotation.desk.api.once import ONCE, once
from annotation.desk.pagination import Cursor
from annotation.hits import paying
from annotation.hits.models import Assignment
from annotation.hits.paying import MOST_BONUS_WORDS, MOST_WORDS, PURPOSE
from annotation.hits.quarantine import MOST_REASON, SETTLEMENTS, settle_by_hand
from annotation.hits.queries import rejections_of
from annotation.projects.limits import PROJECT
from annotation.workers.actions import bar_worker, unbar_worker
from annotation.workers.queries import worker_called


class AssignmentOut(serializers.Serializer):
    id = serializers.IntegerField(source="assignment.pk")
    stage = serializers.CharField(source="assignment.hit.stage.name")
    worker = serializers.CharField(help_text="the pseudonym that this project's releases use")
    is_barred = serializers.BooleanField(source="assignment.worker.is_barred", help_text="from further HITs")
    state = serializers.ChoiceField(source="assignment.state", choices=Assignment.State.choices)
    items = serializers.IntegerField(help_text="how many its HIT has")
    findings = serializers.IntegerField(help_text="what the checks said at hand-over")
    reward_cents = serializers.IntegerField(source="assignment.hit.reward_cents")
    fee_cents = serializers.IntegerField(source="assignment.hit.fee_cents")
    opened_at = serializers.DateTimeField(source="assignment.opened_at")
    handed_over_at = serializers.DateTimeField(source="assignment.handed_over_at", allow_null=True)
    submitted_at = serializers.DateTimeField(source="assignment.submitted_at", allow_null=True)
    decided_at = serializers.DateTimeField(source="assignment.decided_at", allow_null=True)
    seconds_spent = serializers.IntegerField(source="assignment.seconds_spent", allow_null=True)
    comment = serializers.CharField(source="assignment.comment", help_text="the worker's")
    feedback = serializers.CharField(source="assignment.feedback", help_text="what the worker was told")
    settlement = serializers.CharField(source="assignment.settlement", help_text="of work in quarantine, by hand")


class AssignmentPage(Page):
    results = AssignmentOut(many=True)


class FindingOut(serializers.Serializer):
    check_name = serializers.CharField()
    version = serializers.IntegerField()
    level = serializers.CharField()
    message = serializers.CharField()


class GivenOut(serializers.Serializer):
    item = serializers.IntegerField(source="item.pk")
    key = serializers.CharField(source="item.key")
    answer = serializers.SerializerMethodField(help_text="null where none came")
    findings = FindingOut(many=True)

    def get_answer(self, given: Any) -> dict[str, Any] | None:
        return given.answer.data if given.answer else None


class WorkOut(AssignmentOut):
    items = serializers.SerializerMethodField(help_text="how many its HIT has")
    findings = serializers.SerializerMethodField(help_text="what the checks said at hand-over")
    answers = GivenOut(many=True, source="given")
    calls = serializers.SerializerMethodField(help_text="what was asked of the marketplace for it")
    why_not_approved = serializers.CharField(help_text="empty where it can be")
    why_not_rejected = serializers.CharField(help_text="empty where it can be")
    why_no_bonus = serializers.CharField(help_text="empty where one can be paid")

    def get_items(self, work: Any) -> int:
        return len(work.given)

    def get_findings(self, work: Any) -> int:
        return sum(len(given.findings) for given in work.given)

    @extend_schema_field(CallOut(many=True))
    def get_calls(self, work: Any) -> list[dict[str, Any]]:
        return CallOut([call.intent for call in work.calls], many=True).data


class ApproveIn(StrictSerializer):
    feedback = serializers.CharField(
        max_length=MOST_WORDS, allow_blank=True, default="", help_text="the worker reads it; needed after a rejection"
    )


class RejectIn(StrictSerializer):
    reason = serializers.CharField(max_length=MOST_WORDS, help_text="the worker reads it")
    confirmed = serializers.BooleanField(
        default=False, help_text="that you looked at the work and mean it; without it you are told what it means"
    )


class BonusIn(StrictSerializer):
    cents = within((1, PROJECT["budget_cap_cents"][1]), help_text="without the marketplace's fee")
    reason = serializers.CharField(max_length=MOST_BONUS_WORDS, help_text="the worker reads it")
    purpose = serializers.RegexField(rf"^{PURPOSE.pattern}\Z", max_length=40, help_text="a bonus is paid once for each")


class SettleIn(StrictSerializer):
    how = serializers.ChoiceField(choices=sorted(SETTLEMENTS))
    reason = serializers.CharField(max_length=MOST_REASON)


class WorkerIn(StrictSerializer):
    is_barred = serializers.BooleanField()
    reason = serializers.CharField(max_length=1_000)


class WorkerOut(serializers.Serializer):
    worker = serializers.CharField(help_text="the pseudonym that this project's releases use")
    environment = serializers.CharField(help_text="barring holds for every project here that publishes there")
    is_barred = serializers.BooleanField()


class Assignments(ProjectView):
    @extend_schema(
        operation_id="list_assignments",
        parameters=[*text_parameters("stage", "state", "worker", "cursor"), PAGE_SIZE],
        responses=AssignmentPage,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Assignments, by stage, state or worker's pseudonym."""
        asked = self.parameters("stage", "state", "worker")
        one_of(asked, "state", Assignment.State.values)
        worker = worker_called(self.project, asked["worker"]) if asked["worker"] else None
        if asked["worker"] and worker is None:
            raise ValidationError({"worker": ["Nobody is called so in this project."]})
        rows = work.assignments_of(self.project, stage=asked["stage"], state=asked["state"], worker=worker)
        # Ids first: the rows of a page are read once they are known.
        paginator = Cursor()
        found = paginator.paginate_queryset(rows.only("pk"), request, view=self)
        shown = work.rows_of(self.project, [one.pk for one in found])
        return paginator.get_paginated_response(AssignmentOut(shown, many=True).data)


class AssignmentView(ProjectView):
    def found(self, pk: int) -> Assignment:
        assignment = work.find_assignment(self.project, pk)
        if assignment is None:
            raise Http404("no such assignment")
        return assignment


class OneAssignment(AssignmentView):
    @extend_schema(operation_id="get_assignment", responses=WorkOut)
    def get(self, request: Request, slug: str, assignment: int) -> Response:
        """One assignment with its answers, what the checks said, and what was asked of the marketplace."""
        self.parameters()
        return Response(WorkOut(work.work_of(self.found(assignment))).data)


class Approve(AssignmentView):
    @extend_schema(
        operation_id="approve_assignment",
        request=ApproveIn,
        parameters=[ONCE],
        responses={202: CallOut},
    )
    @once
    def post(self, request: Request, slug: str, assignment: int) -> Response:
        """Approves and pays an assignment, or turns its rejection round. Again is the same call.

        What the marketplace refused before is asked for once more.
        """
        found = self.found(assignment)
        intent = paying.approve(assignment=found, **self.read(ApproveIn))
        return Response(CallOut(intent).data, status=status.HTTP_202_ACCEPTED)


class Reject(AssignmentView):
    @extend_schema(
        operation_id="reject_assignment",
        request=RejectIn,
        parameters=[ONCE],
        responses={202: CallOut, 409: CONFLICT},
    )
    @once
    def post(self, request: Request, slug: str, assignment: int) -> Response:
        """Rejects an assignment while the stage's time to look lasts: its worker is not paid, and reads the reason.

        Takes two requests: without `confirmed` the answer is 409 and says what it would mean.
        """
        found, asked = self.found(assignment), self.read(RejectIn)
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
        return Response(CallOut(intent).data, status=status.HTTP_202_ACCEPTED)


class Bonus(AssignmentView):
    @extend_schema(operation_id="pay_bonus", request=BonusIn, parameters=[ONCE], responses={202: CallOut})
    @once
    def post(self, request: Request, slug: str, assignment: int) -> Response:
        """Pays a bonus for an assignment, once a purpose and within the budget. `cents` of the answer has the fee."""
        found = self.found(assignment)
        intent = paying.bonus(assignment=found, **self.read(BonusIn))
        return Response(CallOut(intent).data, status=status.HTTP_202_ACCEPTED)


class Settle(AssignmentView):
    @extend_schema(operation_id="settle_assignment", request=SettleIn, responses=WorkOut)
    def post(self, request: Request, slug: str, assignment: int) -> Response:
        """Settles the pay for work that the marketplace doesn't list: by a bonus on other work of its worker, which is
        paid now, or by writing down what became of it. It still doesn't count.
        """
        found = self.found(assignment)
        settle_by_hand(assignment=found, **self.read(SettleIn))
        return Response(WorkOut(work.work_of(self.found(assignment))).data)


class OneWorker(ProjectView):
    @extend_schema(operation_id="set_worker", request=WorkerIn, responses=WorkerOut)
    def put(self, request: Request, slug: str, worker: str) -> Response:
        """Bars a worker of this project from further HITs, or lets them in again.

        A worker is known by marketplace: it holds for all projects that publish there from here.
        """
        found = worker_called(self.project, worker)
        if found is None or not work.assignments_of(self.project, worker=found).exists():
            raise Http404("no such worker")
        asked = self.read(WorkerIn)
        act = bar_worker if asked["is_barred"] else unbar_worker
        now = act(worker=found, reason=asked["reason"], project_id=self.project.pk)
        shown = {"worker": worker, "environment": now.environment, "is_barred": now.is_barred}
        return Response(WorkerOut(shown).data)
