"""The list of one's projects, a project's page, its settings and its log."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.desk import charts, queries, words
from annotation.desk.access import Access, may_create_projects, project_page
from annotation.desk.forms.projects import NewProject, ProjectSettings
from annotation.desk.numbers import whole_number
from annotation.desk.standing import standing_of
from annotation.desk.views.frame import page, posted
from annotation.events.queries import events_of_project
from annotation.hits import expiring
from annotation.projects import actions
from annotation.projects.queries import item_counts, item_counts_of, pipeline_of, projects_of, roles_of
from annotation.releases.queries import newest_release
from annotation.review import figures
from tasks import registry

RECENT = 12
LOOKED_AT = 120
LOG_PAGE = 100
BUSIEST = 10


@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    projects = list(projects_of(request.user).order_by("state", "name"))
    roles, counts = roles_of(request.user, projects), item_counts_of(projects)
    cards = [
        {"project": project, "role": roles[project.pk], "strip": charts.strip(counts[project.pk])}
        for project in projects
    ]
    context = {"cards": cards, "may_create": may_create_projects(request.user), "place": "home"}
    return render(request, "desk/home.html", context)


@login_required
@require_safe
def choose_pipeline(request: HttpRequest) -> HttpResponse:
    _require_creation(request)
    return render(request, "desk/choose_pipeline.html", {"pipelines": registry.pipelines().values(), "place": "home"})


@login_required
def new_project(request: HttpRequest, pipeline: str) -> HttpResponse:
    _require_creation(request)
    try:
        kind = registry.pipeline(pipeline)
    except registry.UnknownKind as unknown:
        raise Http404(str(unknown)) from None
    form = NewProject(posted(request), pipeline=kind)
    if request.method == "POST" and form.is_valid():
        try:
            project = actions.create_project(pipeline=kind.name, owner=request.user, **form.values())
        except actions.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, f"{project.name} is made. Next: bring in its source questions.")
            return redirect("desk:import", slug=project.slug)
    context = {"form": form, "pipeline": kind, "place": "home"}
    return render(request, "desk/new_project.html", context, status=422 if form.errors else 200)


def _require_creation(request: HttpRequest) -> None:
    if not may_create_projects(request.user):
        raise PermissionDenied("Making a project takes the role of owner or researcher in another one.")


@project_page("read")
@require_safe
def overview(request: HttpRequest, access: Access) -> HttpResponse:
    """Everything about a project on one page. Money and workers are left out for reviewers."""
    project, now = access.project, standing_of(access.project)
    context = {
        "next_steps": queries.next_steps(access, now.offers if access.may("run") else {}, now.counts),
        "funnel": charts.funnel(now.funnel),
        # An expert's reasons tell decisions, which a reviewer may yet have to take blindly.
        "losses": [step for step in now.funnel if step.reasons and (access.may("run") or step.name != "accepted")],
        "progress": now.progress,
        "agreement": [plot for name, shown in now.agreement.items() if (plot := charts.agreement(name, shown))],
        "answers": charts.answers_over_time(now.hours),
        "oldest": figures.oldest_unreviewed(project),
        "released": newest_release(project),
    }
    if access.may("run"):
        quoted = sum(offer.total_cents for offer in now.offers.values())
        plots = [charts.pay(name, shown, project.wage_floor_cents) for name, shown in now.pay.items()]
        context |= {
            "events": _recent(access),
            "money": now.spending,
            "spending": charts.spending(now.spending, quoted),
            "pay": [plot for plot in plots if plot],
            "implausible_times": sum(shown.left_out for shown in now.pay.values()),
            "workers": now.workers[:BUSIEST],
        }
    return page(request, access, "overview", context)


def _recent(access: Access) -> list[words.Happening]:
    newest = events_of_project(access.project.pk).order_by("-id")[:LOOKED_AT]
    return words.happenings(newest, queries.names_in(access.project))[:RECENT]


@project_page("run")
def change(request: HttpRequest, access: Access) -> HttpResponse:
    form = ProjectSettings(posted(request), project=access.project, may_own=access.may("own"))
    if request.method == "POST" and form.is_valid():
        try:
            changes = form.changes()
            before = item_counts(access.project)
            actions.change_project(project=access.project, **changes)
        except actions.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _what_changed(access, changes, before))
            return redirect("desk:settings", slug=access.project.slug)
    shares = _filter_shares(access)
    context = {"form": form, "filter": shares, "pipeline": pipeline_of(access.project)}
    return page(request, access, "settings", context, status=422 if form.errors else 200)


def _what_changed(access: Access, changes: dict, before: dict) -> str:
    if not changes:
        return "Nothing was different."
    text = "The settings are changed."
    after = _filter_shares(access)
    if "settings" in changes and after["total"]:
        first = next(iter(before.values()))
        text += (
            f" The filter excludes {after['excluded']:,} of {after['total']:,} source questions "
            f"({after['share']:.1%}) now; before it was {first['excluded']:,}."
        )
    return text


def _filter_shares(access: Access) -> dict:
    """How many source questions the filter excludes, as it stands."""
    first = next(iter(item_counts(access.project).values()), {})
    total, excluded = sum(first.values()) - first.get("trial", 0), first.get("excluded", 0)
    return {"total": total, "excluded": excluded, "share": excluded / total if total else 0.0}


MOVES = {"open": actions.open_project, "pause": actions.pause_project, "close": expiring.close}


@project_page("run")
@require_POST
def move(request: HttpRequest, access: Access) -> HttpResponse:
    """Opens, pauses or closes a project."""
    to = request.POST.get("to", "")
    if to not in MOVES:
        raise Http404("no such move")
    if to == "close" and request.POST.get("sure") != "yes":
        messages.error(request, "Nothing was closed: please tick the box that says you mean it.")
        return redirect("desk:settings", slug=access.project.slug)
    MOVES[to](project=access.project)
    said = {"open": "The project is open.", "pause": "The project is paused: nothing more is published."}
    messages.success(
        request, said.get(to, "The project is closed. What was handed in is still collected, paid and reviewed.")
    )
    return redirect("desk:project", slug=access.project.slug)


@project_page("run")
@require_safe
def log(request: HttpRequest, access: Access) -> HttpResponse:
    """Everything that happened, newest first."""
    before = whole_number(request.GET.get("before"))
    events = events_of_project(access.project.pk).order_by("-id")
    if before:
        events = events.filter(id__lt=before)
    found = list(events[: LOG_PAGE + 1])
    shown = found[:LOG_PAGE]
    context = {
        "events": words.happenings(shown, queries.names_in(access.project)),
        "before": shown[-1].pk if len(found) > LOG_PAGE else None,
    }
    return page(request, access, "log", context)
