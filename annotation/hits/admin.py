from django.contrib import admin

from annotation.admin import ProjectFilter, ScopedAdmin, shown_as_cents, shown_as_json, shown_text
from annotation.hits.models import HIT, Answer, Assignment


@admin.register(HIT)
class HITAdmin(ScopedAdmin):
    list_display = ["id", "project", "stage", "state", "reward", "max_assignments", "offered_at", "expires_at"]
    list_select_related = ["project", "stage__project"]
    list_filter = [ProjectFilter, "state", "environment"]
    search_fields = ["id__exact", "items__key__exact"]
    search_help_text = "A HIT's number, or the whole key of one of its items"
    ordering = ["-id"]
    fields = [
        "project",
        "stage",
        "state",
        "environment",
        "reward",
        "fee",
        "max_assignments",
        "minutes_allowed",
        "offered_at",
        "expires_at",
        "closed_at",
        "close_reason",
    ]
    reward = shown_as_cents("reward_cents")
    fee = shown_as_cents("fee_cents", description="fee an assignment")


@admin.register(Assignment)
class AssignmentAdmin(ScopedAdmin):
    """Work by pseudonym. The marketplace's assignment id and the receipt lead to a worker, so they are not shown."""

    project_path = "hit__project_id"
    list_display = ["id", "hit", "worker", "state", "opened_at", "submitted_at", "seconds_spent"]
    list_select_related = ["hit", "worker"]
    list_filter = [ProjectFilter, "state"]
    search_fields = ["id__exact", "worker__pseudonym__startswith"]
    search_help_text = "An assignment's number, or the beginning of a worker's pseudonym"
    ordering = ["-id"]
    fields = [
        "hit",
        "worker",
        "state",
        "opened_at",
        "handed_over_at",
        "submitted_at",
        "decided_at",
        "seconds_spent",
        "said",
        "told",
        "typed",
        "source",
    ]
    said = shown_text("comment", most=2_000)
    told = shown_text("feedback", most=2_000)
    typed = shown_as_json("draft")


@admin.register(Answer)
class AnswerAdmin(ScopedAdmin):
    """What workers answered. Never edited."""

    project_path = "item__project_id"
    list_display = ["id", "item", "worker", "counts", "created_at"]
    list_select_related = ["item", "assignment__worker"]
    list_filter = [ProjectFilter, "counts"]
    search_fields = ["id__exact", "item__key__exact", "assignment__worker__pseudonym__startswith"]
    search_help_text = "An answer's number, the whole key of its item, or the beginning of a worker's pseudonym"
    ordering = ["-id"]
    fields = ["item", "worker", "what", "counts", "created_at"]
    what = shown_as_json("data", description="answer")

    @admin.display(description="worker")
    def worker(self, answer: Answer) -> str:
        return answer.assignment.worker.pseudonym
