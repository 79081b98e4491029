from django.contrib import admin

from annotation.admin import ProjectFilter, ScopedAdmin, shown_text
from annotation.solving.models import Attempt, Challenge, SolverVersion


@admin.register(Challenge)
class ChallengeAdmin(ScopedAdmin):
    project_path = "item__project_id"
    list_display = ["asked_at", "item", "said", "right", "state", "is_handed_in"]
    list_select_related = ["item"]
    list_filter = [ProjectFilter, "state", "is_handed_in"]
    search_fields = ["item__key__exact"]
    search_help_text = "The whole key of an item"
    ordering = ["-id"]
    fields = ["item", "assignment", "said", "right", "state", "is_handed_in", "asked_at", "judged_at"]
    said = shown_text("text", most=1_000)


@admin.register(Attempt)
class AttemptAdmin(ScopedAdmin):
    project_path = "challenge__item__project_id"
    list_display = ["at", "challenge", "solver", "version", "answer", "score", "is_right"]
    list_select_related = ["challenge"]
    list_filter = [ProjectFilter, "is_right"]
    search_fields = ["challenge__item__key__exact", "solver__exact"]
    search_help_text = "The whole key of an item, or the whole name of a solver"
    ordering = ["-id"]
    fields = ["challenge", "solver", "version", "answer", "score", "is_right", "at"]


@admin.register(SolverVersion)
class SolverVersionAdmin(ScopedAdmin):
    project_path = "stage__project_id"
    list_display = ["ordered_at", "stage", "solver", "number", "state", "is_current", "lessons"]
    list_select_related = ["stage__project"]
    list_filter = [ProjectFilter, "state", "is_current"]
    search_fields = ["solver__exact"]
    search_help_text = "The whole name of a solver"
    ordering = ["-id"]
    fields = [
        "stage",
        "solver",
        "number",
        "state",
        "is_current",
        "lessons",
        "digest",
        "fault",
        "ordered_at",
        "finished_at",
    ]
    fault = shown_text("error", most=2_000)
