from django.contrib import admin

from annotation.admin import ProjectFilter, ScopedAdmin, shown_as_json, shown_text
from annotation.checking.models import CheckResult, LiveCheck


@admin.register(CheckResult)
class CheckResultAdmin(ScopedAdmin):
    project_path = "item__project_id"
    list_display = ["at", "item", "check_name", "version", "level", "said", "source"]
    list_select_related = ["item"]
    list_filter = [ProjectFilter, "level", "source"]
    search_fields = ["item__key__exact", "check_name__exact"]
    search_help_text = "The whole key of an item, or the whole name of a check"
    ordering = ["-id"]
    fields = ["item", "check_name", "version", "level", "field", "said", "source", "at"]
    said = shown_text("message", most=2_000)


@admin.register(LiveCheck)
class LiveCheckAdmin(ScopedAdmin):
    project_path = "assignment__hit__project_id"
    list_display = ["at", "assignment", "revision"]
    list_select_related = ["assignment"]
    list_filter = [ProjectFilter]
    search_fields = ["assignment__id__exact"]
    search_help_text = "An assignment's number"
    ordering = ["-id"]
    fields = ["assignment", "revision", "said", "at"]
    said = shown_as_json("findings")
