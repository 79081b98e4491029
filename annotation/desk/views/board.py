"""All stages of a project as columns: where items stand, for how long, where they fall out and why."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotation.desk.access import Access, project_page
from annotation.desk.views.frame import page
from annotation.projects.queries import pipeline_of, settings_of
from annotation.review.board import board_of, newest_feedback


@project_page("run")
@require_safe
def board(request: HttpRequest, access: Access) -> HttpResponse:
    columns = board_of(access.project)
    said = [one for column in columns for one in column.gave]
    kind, settings = pipeline_of(access.project), settings_of(access.project)
    rules = {name: kind.on_feedback(name, settings) for name in dict.fromkeys(one.kind for one in said)}
    context = {
        "columns": columns,
        "said": said,
        "rules": rules,
        "newest": newest_feedback(access.project),
        "most": max((column.total for column in columns), default=0),
    }
    return page(request, access, "board", context)
