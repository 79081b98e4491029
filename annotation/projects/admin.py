"""Projects, their people, stages and items; and the accounts of people, for superusers."""

from __future__ import annotations

from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db.models import Field
from django.forms import ModelChoiceField, ModelForm
from django.http import HttpRequest
from rest_framework.authtoken.models import TokenProxy
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from annotation.admin import (
    OWNER,
    ProjectFilter,
    ReadOnlyAdmin,
    ScopedAdmin,
    projects_in_role,
    shown_as_cents,
    shown_as_json,
    shown_text,
)
from annotation.projects.actions import Refused, add_member, remove_member
from annotation.projects.models import Item, Membership, Project, Stage


@admin.register(Project)
class ProjectAdmin(ScopedAdmin):
    """Looked at here; changed on the researcher's pages."""

    project_path = "pk"
    list_display = ["name", "pipeline", "environment", "state", "cap", "created_at"]
    list_filter = ["state"]
    search_fields = ["slug", "name"]
    ordering = ["name"]
    fields = ["name", "slug", "pipeline", "environment", "state", "cap", "floor", "chosen", "contact", "created_at"]
    cap = shown_as_cents("budget_cap_cents", description="budget cap")
    floor = shown_as_cents("wage_floor_cents", description="wage floor an hour")
    chosen = shown_as_json("settings")


@admin.register(Membership)
class MembershipAdmin(ScopedAdmin):
    """A project's people. Owners set them; nobody changes their own role."""

    viewers = (OWNER,)
    list_display = ["project", "user", "role"]
    list_select_related = ["project", "user"]
    list_filter = [ProjectFilter, "role"]
    search_fields = ["user__username", "project__slug"]
    ordering = ["project__name", "user__username"]
    fields = ["project", "user", "role"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Membership | None = None) -> bool:
        return self.has_view_permission(request) and (obj is None or self._may_set(request, obj.user_id))

    def has_delete_permission(self, request: HttpRequest, obj: Membership | None = None) -> bool:
        return self.has_change_permission(request, obj)

    def _may_set(self, request: HttpRequest, user_id: int) -> bool:
        return request.user.is_superuser or user_id != request.user.pk

    def get_readonly_fields(self, request: HttpRequest, obj: Membership | None = None) -> list[str]:
        return ["project", "user"] if obj else []

    def formfield_for_foreignkey(self, db_field: Field, request: HttpRequest, **kwargs: Any) -> ModelChoiceField:
        """Only one's own projects, and everybody but oneself."""
        if not request.user.is_superuser:
            if db_field.name == "project":
                kwargs["queryset"] = Project.objects.filter(pk__in=projects_in_role(request, [OWNER]))
            elif db_field.name == "user":
                kwargs["queryset"] = User.objects.exclude(pk=request.user.pk).filter(is_active=True)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Membership, form: ModelForm, change: bool) -> None:
        if not self._may_set(request, obj.user_id):
            raise PermissionDenied("Nobody changes their own role.")
        kept = add_member(project=obj.project, user=obj.user, role=obj.role)
        obj.pk = kept.pk

    def delete_model(self, request: HttpRequest, obj: Membership) -> None:
        try:
            remove_member(project=obj.project, user=obj.user)
        except Refused as refused:
            raise PermissionDenied(str(refused)) from None


@admin.register(Stage)
class StageAdmin(ScopedAdmin):
    """Looked at here; changed on the researcher's pages."""

    list_display = ["project", "name", "task_type", "state", "review", "reward", "answers_per_item"]
    list_select_related = ["project"]
    list_filter = [ProjectFilter, "state"]
    search_fields = ["name", "project__slug"]
    ordering = ["project__name", "position"]
    fields = [
        "project",
        "name",
        "position",
        "task_type",
        "crowd",
        "state",
        "review",
        "blind_share",
        "reward",
        "answers_per_item",
        "items_per_hit",
        "minutes_allowed",
        "lifetime_days",
        "auto_approval_hours",
        "chosen",
        "required",
    ]
    reward = shown_as_cents("reward_cents")
    chosen = shown_as_json("settings")
    required = shown_as_json("requirements")


@admin.register(Item)
class ItemAdmin(ScopedAdmin):
    list_display = ["key", "stage", "split", "state", "why", "state_since"]
    list_select_related = ["stage__project"]
    list_filter = [ProjectFilter, "state"]
    search_fields = ["key"]
    search_help_text = "A part of an item's key"
    ordering = ["-id"]
    fields = ["project", "stage", "key", "split", "state", "why", "content", "extra_answers", "state_since"]
    why = shown_text("reason")
    content = shown_as_json("payload")


# --- Accounts: superusers only --------------------------------------------------------------------

for model in (User, Group, TokenProxy, AccessAttempt, AccessFailureLog, AccessLog):
    admin.site.unregister(model)


@admin.register(User)
class PersonAdmin(UserAdmin, ModelAdmin):
    """People who may sign in. What they may do in a project is their membership's role."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "email", "is_staff", "is_superuser", "last_login"]
    list_filter = ["is_staff", "is_superuser", "is_active"]
    readonly_fields = ["last_login", "date_joined"]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("Person", {"fields": ["first_name", "last_name", "email"]}),
        ("May", {"fields": ["is_active", "is_staff", "is_superuser"]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]
    filter_horizontal = []

    def _is_superuser(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.is_active and request.user.is_superuser

    has_module_permission = _is_superuser
    has_view_permission = _is_superuser
    has_add_permission = _is_superuser
    has_change_permission = _is_superuser
    has_delete_permission = _is_superuser


@admin.register(AccessAttempt)
class AccessAttemptAdmin(ReadOnlyAdmin):
    """Failed sign-ins. Deleting a row unlocks the account from that address."""

    list_display = ["attempt_time", "username", "ip_address", "failures_since_start"]
    search_fields = ["username__exact", "ip_address__exact"]
    ordering = ["-attempt_time"]
    fields = ["attempt_time", "username", "ip_address", "failures_since_start", "path_info"]

    def has_delete_permission(self, request: HttpRequest, obj: AccessAttempt | None = None) -> bool:
        return self.has_view_permission(request)
