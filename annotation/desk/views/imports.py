"""Bringing in source files: what they add, or what is wrong with them, line by line."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from annotation.desk import words
from annotation.desk.access import Access, project_page
from annotation.desk.forms.importing import Upload
from annotation.desk.uploads import saved_uploads
from annotation.desk.views.frame import page
from annotation.projects.actions import Refused
from annotation.projects.importing import ImportRefused, ImportReport, import_items
from annotation.projects.models import Project
from annotation.projects.queries import item_counts, pipeline_of

MOST_PROBLEMS = 200


@project_page("run")
def upload(request: HttpRequest, access: Access) -> HttpResponse:
    known = pipeline_of(access.project).read_options
    form = Upload(request.POST, request.FILES, options=known) if request.method == "POST" else Upload(options=known)
    problems: list[Any] = []
    if request.method == "POST" and form.is_valid():
        try:
            report = import_uploads(access.project, form.cleaned_data["files"], form.options())
        except ImportRefused as refusal:
            problems = refusal.report.problems
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, sentence(report))
            return redirect("desk:project", slug=access.project.slug)
    context = {
        "form": form,
        "problems": problems[:MOST_PROBLEMS],
        "more_problems": max(0, len(problems) - MOST_PROBLEMS),
        "total_problems": len(problems),
        "pipeline": pipeline_of(access.project),
        "counts": next(iter(item_counts(access.project).values()), {}),
    }
    return page(request, access, "import", context, status=422 if problems or form.errors else 200)


def import_uploads(project: Project, files: list[Any], options: dict[str, str] | None = None) -> ImportReport:
    """Imports uploaded files under their own names (the split may stand in them). All or nothing."""
    with saved_uploads(files) as paths:
        return import_items(project=project, paths=paths, options=options)


def sentence(report: ImportReport) -> str:
    known = f" {words.plural(report.known, 'item')} had been imported before." if report.known else ""
    if not report.added:
        return f"Nothing new was in these files.{known}"
    share = report.excluded / report.added
    return (
        f"{words.plural(report.added, 'item')} imported; the filter excludes {report.excluded:,} of them "
        f"({share:.1%}).{known}"
    )
