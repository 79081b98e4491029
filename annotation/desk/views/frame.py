"""What every page of a project shows around its content: its name, state, places, and the colour of its money."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from annotation.desk import corpora, queries
from annotation.desk.access import Access


def page(request: HttpRequest, access: Access, place: str, context: dict, status: int = 200) -> HttpResponse:
    """A project's page from `templates/desk/<place>.html`."""
    project = access.project
    around = {
        "project": project,
        "access": access,
        "may_run": access.may("run"),
        "may_own": access.may("own"),
        "place": place,
        "stages": project.stages.order_by("position"),
        "is_searched": corpora.is_searched(project),
        "problem_count": queries.problem_count(project) if access.may("run") else 0,
        "real_money": queries.is_real_money(project),
    }
    return render(request, f"desk/{place}.html", around | context, status=status)


def posted(request: HttpRequest) -> QueryDict | None:
    """What a form was sent, be it nothing at all; None where none was."""
    return request.POST if request.method == "POST" else None
