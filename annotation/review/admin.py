"""The expert's room in the admin. The queue stands in place of the list of outcomes, the review page of its form."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation.admin import EVERYBODY, ProjectFilter, ScopedAdmin, shown_as_json, shown_text
from annotation.marks import visible
from annotation.review.models import Outcome, Review
from annotation.review.views import CheckView, DecisionView, NextView, QueueView, SkipView, UndoView


@admin.register(Outcome)
class OutcomeAdmin(ScopedAdmin):
    """Outcomes change by decisions alone: `actions.decide`, asked by the review page."""

    viewers = EVERYBODY

    def has_change_permission(self, request: HttpRequest, obj: Outcome | None = None) -> bool:
        return self.has_view_permission(request, obj)

    def changelist_view(self, request: HttpRequest, extra_context: dict | None = None) -> HttpResponse:
        return QueueView.as_view(model_admin=self)(request)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        return DecisionView.as_view(model_admin=self)(request, object_id=object_id)

    def get_urls(self) -> list[URLPattern]:
        def page(route: str, view: type, name: str) -> URLPattern:
            wrapped = self.admin_site.admin_view(view.as_view(model_admin=self))
            return path(route, wrapped, name=f"review_outcome_{name}")

        return [
            page("next/", NextView, "next"),
            page("undo/<int:review_id>/", UndoView, "undo"),
            page("<int:object_id>/check/", CheckView, "check"),
            page("<int:object_id>/skip/", SkipView, "skip"),
            *super().get_urls(),
        ]


@admin.register(Review)
class ReviewAdmin(ScopedAdmin):
    """Decisions, newest first. One that a person may still make blindly a second time is not shown to them."""

    viewers = EVERYBODY
    project_path = "outcome__project_id"
    list_display = ["created_at", "item", "reviewer", "decision", "why", "is_blind", "seconds", "undone_at"]
    list_select_related = ["outcome__item", "reviewer"]
    list_filter = [ProjectFilter, "decision", "is_blind"]
    search_fields = ["outcome__item__key__exact", "reviewer__username"]
    search_help_text = "The whole key of an item, or a part of a reviewer's name"
    ordering = ["-id"]
    fields = [
        "item",
        "outcome",
        "reviewer",
        "decision",
        "why",
        "done",
        "became",
        "is_blind",
        "seconds",
        "created_at",
        "undone_at",
    ]
    why = shown_text("reason")
    done = shown_as_json("operations")
    became = shown_as_json("value", description="value after them")

    @admin.display(description="item")
    def item(self, review: Review) -> SafeString:
        """The key by which people know the item, and how it stands now."""
        return format_html("{} ({})", visible(review.outcome.item.key), review.outcome.state)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Review]:
        rows = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        own = Review.objects.filter(reviewer=request.user, undone_at=None).values("outcome")
        return rows.filter(Q(outcome__wants_blind_review=False) | Q(outcome__in=own))
