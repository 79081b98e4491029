from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from annotation.admin import ProjectFilter, ScopedAdmin, shown_text
from annotation.workers.models import Grant, Qualification, Worker


@admin.register(Worker)
class WorkerAdmin(ScopedAdmin):
    """Workers by pseudonym. Their marketplace's ids (WorkerIdentity) are shown nowhere."""

    project_path = "assignments__hit__project_id"
    list_display = ["pseudonym", "environment", "first_seen_at", "is_barred"]
    list_filter = ["environment", "is_barred"]
    search_fields = ["pseudonym"]
    search_help_text = "A pseudonym, or its beginning"
    ordering = ["-id"]
    fields = ["pseudonym", "environment", "first_seen_at", "is_barred", "remark"]
    remark = shown_text("note")

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).distinct()


@admin.register(Qualification)
class QualificationAdmin(ScopedAdmin):
    """What stages ask of their workers."""

    list_display = ["name", "project", "environment", "state", "created_at"]
    list_select_related = ["project"]
    list_filter = [ProjectFilter, "state", "environment"]
    search_fields = ["name", "reference__exact"]
    search_help_text = "A part of a name, or a whole reference"
    ordering = ["-id"]
    fields = ["name", "project", "environment", "state", "told", "least_value", "fault", "created_at"]
    told = shown_text("description", most=2_000)
    fault = shown_text("error", most=2_000)


@admin.register(Grant)
class GrantAdmin(ScopedAdmin):
    """Who holds which qualification, by pseudonym."""

    project_path = "qualification__project_id"
    list_display = ["id", "qualification", "worker", "value", "granted_at", "granted_by", "revoked_at", "value_there"]
    list_select_related = ["qualification", "worker"]
    list_filter = ["value"]
    search_fields = ["worker__pseudonym__startswith"]
    search_help_text = "The beginning of a worker's pseudonym"
    ordering = ["-id"]
    fields = [
        "qualification",
        "worker",
        "value",
        "value_there",
        "granted_at",
        "granted_by",
        "why",
        "revoked_at",
        "revoked_by",
        "why_revoked",
        "may_retake",
        "fault",
    ]
    why = shown_text("reason", most=1_000)
    why_revoked = shown_text("revoked_reason", most=1_000)
    fault = shown_text("problem", most=2_000)
