from django.contrib import admin

from annotation.admin import ProjectFilter, ScopedAdmin, shown_as_json, shown_text
from annotation.releases.models import Release


@admin.register(Release)
class ReleaseAdmin(ScopedAdmin):
    """Frozen releases. They are built, compared and downloaded on the project's page."""

    list_display = ["project", "version", "state", "created_at", "created_by"]
    list_select_related = ["project"]
    list_filter = [ProjectFilter, "state"]
    search_fields = ["version", "project__slug"]
    search_help_text = "A version, or a project's name in addresses"
    ordering = ["-id"]
    fields = [
        "project",
        "version",
        "state",
        "log_position",
        "manifest_sha256",
        "counted",
        "remarks",
        "fault",
        "created_by",
        "created_at",
    ]
    counted = shown_as_json("counts")
    remarks = shown_text("notes", most=2_000)
    fault = shown_text("error", most=2_000)
