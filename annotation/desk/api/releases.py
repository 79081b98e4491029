"""Releases: order, look at, download, verify, compare."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk.api.base import CONFLICT, JSONObject, ProjectView, Refusal, StrictSerializer
from annotation.desk.views.releases import release_or_404, zip_response
from annotation.releases.actions import order
from annotation.releases.comparison import diff
from annotation.releases.results import ReleaseRefused
from annotation.releases.storage import ReleaseUnreadable
from annotation.releases.verifying import order_verification

# Of so many changed items an answer tells how they changed.
MOST_CHANGES = 1_000


class ReleaseOut(serializers.Serializer):
    version = serializers.CharField()
    state = serializers.CharField()
    step = serializers.CharField()
    progress = serializers.IntegerField()
    log_position = serializers.IntegerField()
    manifest_sha256 = serializers.CharField()
    counts = JSONObject()
    figures = serializers.ListField(child=JSONObject())
    notes = serializers.CharField()
    error = serializers.CharField()
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()


class ReleaseIn(StrictSerializer):
    version = serializers.RegexField(r"^\d{1,5}\.\d{1,5}\.\d{1,5}$", required=False)
    notes = serializers.CharField(max_length=5_000, allow_blank=True, default="")


class DifferenceOut(serializers.Serializer):
    before = serializers.CharField()
    after = serializers.CharField()
    kind = serializers.ChoiceField(choices=["major", "minor", "patch"])
    added = serializers.ListField(child=JSONObject())
    removed = serializers.ListField(child=JSONObject())
    changed = serializers.ListField(child=JSONObject(), help_text="the first 1,000, word by word")
    changed_beyond = serializers.IntegerField(help_text="how many more changed")
    moved = serializers.ListField(child=JSONObject())
    statistics = serializers.ListField(child=JSONObject())


class VerificationOut(serializers.Serializer):
    state = serializers.ChoiceField(
        source="verification", choices=["", "ordered", "running", "done"], help_text="empty: nobody asked yet"
    )
    verified_at = serializers.DateTimeField(allow_null=True, help_text="when the last one ended")
    is_whole = serializers.SerializerMethodField(help_text="of the last one that ended; null: there is none")
    problems = serializers.ListField(child=serializers.CharField(), help_text="of the last one that ended")

    def get_is_whole(self, release: Any) -> bool | None:
        return not release.problems if release.verified_at else None


class Releases(ProjectView):
    @extend_schema(operation_id="list_releases", responses=ReleaseOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """All releases, newest first; `state` says which are ready."""
        self.parameters()
        return Response(ReleaseOut(self.project.releases.order_by("-id"), many=True).data)

    @extend_schema(
        operation_id="build_release",
        request=ReleaseIn,
        responses={202: ReleaseOut, 409: CONFLICT},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Orders a release. It is built in the background; its `state` says when it is ready."""
        asked = self.read(ReleaseIn)
        try:
            release = order(
                project=self.project,
                version=asked.get("version"),
                notes=asked["notes"],
                created_by=request.user.get_username(),
            )
        except ReleaseRefused as refusal:
            raise Refusal(status.HTTP_409_CONFLICT, detail=str(refusal)) from None
        return Response(ReleaseOut(release).data, status=status.HTTP_202_ACCEPTED)


class OneRelease(ProjectView):
    @extend_schema(operation_id="get_release", responses=ReleaseOut)
    def get(self, request: Request, slug: str, version: str) -> Response:
        """One release, with its figures."""
        self.parameters()
        return Response(ReleaseOut(release_or_404(self.project, version)).data)


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
    @extend_schema(operation_id="get_verification", responses=VerificationOut)
    def get(self, request: Request, slug: str, version: str) -> Response:
        """What the last verification of a release found, or how far it is."""
        self.parameters()
        return Response(VerificationOut(release_or_404(self.project, version, ready=True)).data)

    @extend_schema(operation_id="verify_release", request=None, responses={202: VerificationOut})
    def post(self, request: Request, slug: str, version: str) -> Response:
        """Orders a check of a release's files, rows and hashes against its manifest. Ask again for what it found."""
        release = release_or_404(self.project, version, ready=True)
        order_verification(release=release)
        return Response(VerificationOut(release).data, status=status.HTTP_202_ACCEPTED)


class Compare(ProjectView):
    @extend_schema(
        operation_id="compare_releases",
        parameters=[OpenApiParameter("from", str, required=True), OpenApiParameter("to", str, required=True)],
        responses={200: DifferenceOut, 409: CONFLICT},
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
        return Response(DifferenceOut(difference).data)
