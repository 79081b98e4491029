"""What all endpoints share: the project they start from, the powers they take, how they read and refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.desk.access import Access, access_to
from annotation.desk.api.parsing import BoundedJSONParser
from annotation.desk.api.schema import Described
from annotation.desk.numbers import whole_number
from annotation.desk.pagination import Cursor
from annotation.projects.actions import Refused
from annotation.projects.limits import PROJECT
from annotation.projects.models import Project

PAGE_PARAMETERS = ("cursor", "page_size")


class Refusal(Exception):
    """An answer that says no, with a body of its own: numbers in it stay numbers."""

    def __init__(self, status_code: int, **body: Any):
        self.status_code, self.body = status_code, body
        super().__init__(str(body.get("detail", "")))


class StrictSerializer(serializers.Serializer):
    """Takes the fields that it declares, and refuses any other: an unknown name is a typing error or an attack."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            writable = {name for name, field in self.fields.items() if not field.read_only}
            unknown = [str(name) for name in data if name not in writable]
            if unknown:
                allowed = ", ".join(sorted(writable)) or "none"
                raise ValidationError({name: [f"No such field can be set; there are: {allowed}."] for name in unknown})
        return super().to_internal_value(data)


class View(APIView):
    """An endpoint. Reads JSON; a rule's refusal is a 400 with its reason."""

    parser_classes: ClassVar = [BoundedJSONParser]
    schema = Described()

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Refusal):
            return Response(exc.body, status=exc.status_code)
        if isinstance(exc, Refused):
            exc = ValidationError({"detail": str(exc)})
        return super().handle_exception(exc)

    def read(self, serializer: type[serializers.Serializer], **kwargs: Any) -> dict[str, Any]:
        """The body in a serializer's shape. Raises ValidationError by field."""
        body = serializer(data=self.request.data, **kwargs)
        body.is_valid(raise_exception=True)
        return body.validated_data

    def parameters(self, *names: str) -> dict[str, str]:
        """The query's parameters, each at most once and known."""
        query = self.request.query_params
        for name in query:
            if name not in (*names, *PAGE_PARAMETERS):
                raise ValidationError({name: [f"No such parameter; there are: {', '.join(names) or 'none'}."]})
            if len(query.getlist(name)) > 1:
                raise ValidationError({name: ["Stands twice."]})
            if "\x00" in query[name]:
                raise ParseError(f"The parameter {name} has a NUL character.")
        return {name: query.get(name, "") for name in names}

    def pages(self, rows: QuerySet, serializer: type[serializers.Serializer], **context: Any) -> Response:
        paginator = Cursor()
        page = paginator.paginate_queryset(rows, self.request, view=self)
        return paginator.get_paginated_response(serializer(page, many=True, context=context).data)


class ProjectView(View):
    """An endpoint below one project. `powers`: what each method takes."""

    powers: ClassVar[dict[str, str]] = {}
    default_power: ClassVar[str] = "run"
    access: Access

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.access = access_to(request.user, kwargs["slug"])
        self.access.require(self.powers.get(request.method or "", self.default_power))

    @property
    def project(self) -> Project:
        return self.access.project


PAGE_SIZE = OpenApiParameter("page_size", int, description="at most 1,000")


def within(least_and_most: tuple[int, int], **kwargs: Any) -> serializers.IntegerField:
    """A whole number within the limits that the room's action has."""
    least, most = least_and_most
    return serializers.IntegerField(min_value=least, max_value=most, **kwargs)


def cents(**kwargs: Any) -> serializers.IntegerField:
    return within(PROJECT["budget_cap_cents"], **kwargs)


class JSONObject(serializers.DictField):
    """An object with any names and values; the action that takes it knows its shape."""

    child = serializers.JSONField(allow_null=True)


class Page(serializers.Serializer):
    """Part of a long list: follow `next` until it is null."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class Problem(serializers.Serializer):
    detail = serializers.CharField()


CONFLICT = OpenApiResponse(Problem, description="does not fit how things stand")


def text_parameters(*names: str) -> list[OpenApiParameter]:
    return [OpenApiParameter(name, str) for name in names]


def one_of(asked: Mapping[str, str], name: str, there_are: Sequence[str]) -> str:
    """A parameter that is empty or one of these. Raises ValidationError."""
    if asked[name] and asked[name] not in there_are:
        raise ValidationError({name: [f"There are: {', '.join(there_are)}."]})
    return asked[name]


def row_number(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise ValidationError({"item": ["Expected an item's id."]})
    return number
