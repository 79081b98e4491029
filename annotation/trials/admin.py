"""The graders' room in the admin: the queue in place of the list of trials, the grading page of their form."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from annotation.admin import EVERYBODY, ScopedAdmin
from annotation.trials.models import Trial
from annotation.trials.views import GradingQueueView, GradingView, NextTrialView


@admin.register(Trial)
class TrialAdmin(ScopedAdmin):
    """Trials change by grades alone: `grading.grade`, asked by the grading page."""

    viewers = EVERYBODY
    project_path = "programme__stage__project_id"

    def has_change_permission(self, request: HttpRequest, obj: Trial | None = None) -> bool:
        return self.has_view_permission(request, obj)

    def changelist_view(self, request: HttpRequest, extra_context: dict | None = None) -> HttpResponse:
        return GradingQueueView.as_view(model_admin=self)(request)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        return GradingView.as_view(model_admin=self)(request, object_id=object_id)

    def get_urls(self) -> list[URLPattern]:
        following = self.admin_site.admin_view(NextTrialView.as_view(model_admin=self))
        return [path("next/", following, name="trials_trial_next"), *super().get_urls()]
