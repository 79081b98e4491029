from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from annotation.admin import ScopedAdmin, shown_text
from annotation.workers.models import Worker


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
