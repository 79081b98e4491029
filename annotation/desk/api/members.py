"""The people of a project."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk.accounts import account_called
from annotation.desk.api.base import ProjectView, StrictSerializer
from annotation.projects import actions
from annotation.projects.models import Membership


class MemberOut(serializers.Serializer):
    username = serializers.CharField(source="user.username")
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class MemberIn(StrictSerializer):
    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(choices=Membership.Role.choices)


class Members(ProjectView):
    powers: ClassVar = {"POST": "own"}

    @extend_schema(operation_id="list_members", responses=MemberOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The people of a project, with their roles."""
        self.parameters()
        members = self.project.memberships.select_related("user").order_by("user__username")
        return Response(MemberOut(members, many=True).data)

    @extend_schema(operation_id="set_member", request=MemberIn, responses={201: MemberOut})
    def post(self, request: Request, slug: str) -> Response:
        """Gives a person a role, or another one. Nobody changes their own."""
        asked = self.read(MemberIn)
        user = account_called(asked["username"])
        if user is None:
            raise ValidationError({"username": ["There is no account of this name."]})
        self._refuse_self(user)
        member = actions.add_member(project=self.project, user=user, role=asked["role"])
        return Response(MemberOut(member).data, status=status.HTTP_201_CREATED)

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
