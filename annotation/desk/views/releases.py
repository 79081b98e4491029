"""Releases: build, look at, compare, verify, download."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotation.desk import queries
from annotation.desk.access import Access, project_page
from annotation.desk.forms.releases import NewRelease
from annotation.desk.remembering import remembered
from annotation.desk.views.frame import page as project_frame
from annotation.desk.views.frame import posted
from annotation.projects.models import Project
from annotation.releases.actions import order
from annotation.releases.archive import archive_name, stream_zip
from annotation.releases.comparison import diff
from annotation.releases.emptiness import nothing_to_release
from annotation.releases.models import Release
from annotation.releases.queries import builds_of, release_called, released_stage, releases_of
from annotation.releases.results import ReleaseRefused
from annotation.releases.storage import ReleaseUnreadable
from annotation.releases.verifying import order_verification

MOST_CHANGES = 100


def release_or_404(project: Project, version: str, *, ready: bool = False) -> Release:
    release = release_called(project, version, ready=ready)
    if release is None:
        raise Http404("no such release")
    return release


@project_page("run")
def table(request: HttpRequest, access: Access) -> HttpResponse:
    """The list, and the form that orders a new one."""
    form = NewRelease(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            order(
                project=access.project,
                version=form.cleaned_data["version"] or None,
                notes=form.cleaned_data["notes"],
                created_by=request.user.get_username(),
            )
        except ReleaseRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, "The release is being built. This page shows how far it is.")
            return redirect("desk:releases", slug=access.project.slug)
    stage = released_stage(access.project)
    context = {
        "form": form,
        "stage": stage,
        "releases": [(release, queries.size_of(release)) for release in releases_of(access.project)],
        "builds": builds_of(access.project),
        "accepted": stage.items.filter(state="accepted").count(),
        "nothing": remembered(access.project, nothing_to_release),
    }
    return project_frame(request, access, "releases", context, status=422 if form.errors else 200)


@project_page("run")
@require_safe
def page(request: HttpRequest, access: Access, version: str) -> HttpResponse:
    release = release_or_404(access.project, version)
    context = {
        "release": release,
        "tables": queries.tables_of(release),
        "rows": queries.size_of(release),
        "others": [other for other in releases_of(access.project) if other != release],
    }
    return project_frame(request, access, "release", context)


@project_page("run")
@require_safe
def download(request: HttpRequest, access: Access, version: str) -> HttpResponseBase:
    release = release_or_404(access.project, version, ready=True)
    try:
        return zip_response(release)
    except ReleaseUnreadable as fault:
        messages.error(request, f"{version} can't be downloaded: {fault}")
        return redirect("desk:release", slug=access.project.slug, version=version)


def zip_response(release: Release) -> StreamingHttpResponse:
    """A release as a download. Raises ReleaseUnreadable."""
    response = StreamingHttpResponse(stream_zip(release), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{archive_name(release)}.zip"'
    return response


@project_page("run")
@require_POST
def check(request: HttpRequest, access: Access, version: str) -> HttpResponse:
    """Has a release's files, rows and identities checked against its manifest; its page says what came of it."""
    order_verification(release=release_or_404(access.project, version, ready=True))
    return redirect("desk:release", slug=access.project.slug, version=version)


@project_page("run")
@require_safe
def compare(request: HttpRequest, access: Access) -> HttpResponse:
    """What changed from one release to another."""
    before, after = (_asked(access, request.GET.get(name)) for name in ("from", "to"))
    context = {"releases": releases_of(access.project), "before": before, "after": after}
    if before and after:
        try:
            context["difference"] = diff(before, after, most=MOST_CHANGES)
        except ReleaseUnreadable as fault:
            context["fault"] = str(fault)
    return project_frame(request, access, "compare", context | {"most": MOST_CHANGES})


def _asked(access: Access, version: str | None) -> Release | None:
    return release_or_404(access.project, version, ready=True) if version else None
