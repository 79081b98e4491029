from django.contrib import admin

from annotation.admin import ProjectFilter, ScopedAdmin, shown_as_cents, shown_as_json, shown_text
from annotation.providers.models import Intent


@admin.register(Intent)
class IntentAdmin(ScopedAdmin):
    """What we asked of the marketplaces and what came of it. Worker ids in requests stay in the vault."""

    list_display = ["created_at", "kind", "state", "what_for", "money", "attempts", "due_at"]
    list_filter = [ProjectFilter, "state", "kind", "environment"]
    search_fields = ["key__exact", "token__exact"]
    search_help_text = "A whole key or token"
    ordering = ["-id"]
    fields = [
        "kind",
        "state",
        "what_for",
        "environment",
        "money",
        "asked",
        "answered",
        "said",
        "attempts",
        "first_sent_at",
        "last_sent_at",
        "due_at",
        "absorbed_at",
        "asked_by",
        "created_at",
    ]
    what_for = shown_text("key")
    money = shown_as_cents("cents", description="may spend")
    asked = shown_as_json("request")
    answered = shown_as_json("result")
    said = shown_text("error", most=2_000)
