"""What the admin classes of all rooms share: who sees what, and that nobody changes anything by accident.

A role in a project decides, never a permission row: people see rows of their own projects only, by the
roles that the class names; everybody else's rows answer 404. All classes are read-only unless they say
otherwise, and then an action of their room does the change. A superuser sees all projects; no class shows
a marketplace's worker id to anybody (`WorkerIdentity` is registered nowhere).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator

from annotation.marks import visible
from annotation.policies import without_worker_ids

OWNER, RESEARCHER, REVIEWER = "owner", "researcher", "reviewer"
RUNNERS = (OWNER, RESEARCHER)
EVERYBODY = (OWNER, RESEARCHER, REVIEWER)


def roles_of(request: HttpRequest) -> dict[int, str]:
    """The signed-in person's role by project id, read once a request."""
    if not hasattr(request, "roles_by_project"):
        request.roles_by_project = dict(request.user.memberships.values_list("project_id", "role"))
    return request.roles_by_project


def projects_in_role(request: HttpRequest, roles: Collection[str]) -> list[int]:
    return [project for project, role in roles_of(request).items() if role in roles]


class ReadOnlyAdmin(ModelAdmin):
    """Shows rows to superusers; nobody adds, changes or deletes."""

    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    # Big tables: the pages say previous and next, and nothing counts all rows.
    paginator = InfinitePaginator
    list_filter_submit = False
    actions = None
    compressed_fields = True

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.is_active and request.user.is_superuser

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only declared filters. Django's rule lets anybody probe any column of a list by its beginning."""
        for declared in self.get_list_filter(request):
            if isinstance(declared, str):
                if lookup == declared or lookup.startswith(f"{declared}__"):
                    return True
            elif lookup == declared.parameter_name:
                return True
        return False

    def get_sortable_by(self, request: HttpRequest) -> Collection[str]:
        """Newest first is an index; sorting a big table by any other column is not."""
        return ()

    def _get_obj_does_not_exist_redirect(self, request: HttpRequest, opts: Any, object_id: str) -> None:
        raise Http404(f"no {opts.verbose_name} {object_id}")


class ScopedAdmin(ReadOnlyAdmin):
    """Shows the rows of a person's own projects."""

    viewers: ClassVar[Collection[str]] = RUNNERS
    # The way from a row to its project's id.
    project_path: ClassVar[str] = "project_id"

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        user = request.user
        return user.is_active and (user.is_superuser or bool(projects_in_role(request, self.viewers)))

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        return rows.filter(**{f"{self.project_path}__in": projects_in_role(request, self.viewers)})


class ProjectFilter(admin.SimpleListFilter):
    """Narrows a list to one of the person's own projects (Django's own filter would name everybody's)."""

    title = "project"
    parameter_name = "project"

    def lookups(self, request: HttpRequest, model_admin: ScopedAdmin) -> list[tuple[str, str]]:
        projects = admin.site.get_model_admin(_project_model()).get_queryset(request)
        return [(str(number), name) for number, name in projects.values_list("pk", "name")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if not (self.value() or "").isdecimal():
            return queryset
        path = admin.site.get_model_admin(queryset.model).project_path
        return queryset.filter(**{path: int(self.value())})


def _project_model() -> type[Model]:
    from django.apps import apps

    return apps.get_model("projects", "Project")


# --- How values are shown -------------------------------------------------------------------------


def shown_as_json(field: str, *, description: str = "") -> Callable[[Any, Model], SafeString]:
    """A read-only column that shows a JSON field, indented, with hidden characters made visible."""

    @admin.display(description=description or field.replace("_", " "))
    def shown(model_admin: Any, row: Model) -> SafeString:
        text = json.dumps(without_worker_ids(getattr(row, field)), ensure_ascii=False, indent=2)
        return format_html('<pre class="review-json" tabindex="0">{}</pre>', visible(text))

    return shown


def shown_as_cents(field: str, *, description: str = "") -> Callable[[Any, Model], str]:
    @admin.display(description=description or field.removesuffix("_cents").replace("_", " "))
    def shown(model_admin: Any, row: Model) -> str:
        return f"${getattr(row, field) / 100:,.2f}"

    return shown


def shown_text(field: str, *, description: str = "", most: int = 300) -> Callable[[Any, Model], SafeString]:
    """A column with somebody's free text: shortened, hidden characters made visible, worker ids left out."""

    @admin.display(description=description or field.replace("_", " "))
    def shown(model_admin: Any, row: Model) -> SafeString | str:
        text = without_worker_ids(str(getattr(row, field) or ""))
        return visible(text if len(text) <= most else f"{text[:most]}…") or "–"

    return shown
