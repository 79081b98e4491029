from django.contrib import admin

from annotation.admin import ProjectFilter, ScopedAdmin, shown_as_json
from annotation.events.models import Event


@admin.register(Event)
class EventAdmin(ScopedAdmin):
    """The log, newest first."""

    list_display = ["at", "verb", "actor", "subject"]
    list_filter = [ProjectFilter]
    search_fields = ["subject__exact", "verb__exact", "actor__exact"]
    search_help_text = "A whole subject (item:12), verb (outcome.accepted) or actor (user:3)"
    ordering = ["-id"]
    fields = ["at", "verb", "actor", "subject", "what"]
    what = shown_as_json("data", description="details")
