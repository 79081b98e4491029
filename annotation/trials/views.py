"""The graders' pages in the admin: the queue, and one worker's trial a page. Doors for programs, too, as the review's.

`GET  …/trial/next/`        302 to what to grade next (`project` = slug; `show=talk`), or the queue; as JSON `{"next"}`
`GET  …/trial/ID/change/`   the page; as JSON `{"id", "state", "attempt", "rubric", "answers", "may_try_again"}`
`POST …/trial/ID/change/`   a grade: `verdict` (pass, again, fail), `points.NAME` for each question of the rubric,
                            `feedback`, `seconds`; 302 to the next, as JSON `{"state", "next"}`

What is refused comes back as the page with all that was typed, or as `{"error", "message"}`: 422 `incomplete`,
409 `done`, 403 `not_allowed`.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.generic import TemplateView, View
from unfold.views import UnfoldModelAdminViewMixin

from annotation.projects.models import Project
from annotation.projects.queries import projects_of
from annotation.trials import queries
from annotation.trials.grading import GradeRefused, grade
from annotation.trials.models import Trial
from annotation.trials.page import page_of
from annotation.workers.queries import release_pseudonym

SHOWN = {"waiting": "To grade", "talk": "To talk about", "decided": "Decided", "mine": "Graded by me"}
MOST_ROWS = 100
STATUSES = {"incomplete": 422, "done": 409, "not_allowed": 403}


def address(name: str, *args: Any, **query: Any) -> str:
    query = {key: value for key, value in query.items() if value not in (None, "")}
    return reverse(f"admin:trials_trial_{name}", args=args) + (f"?{urlencode(query)}" if query else "")


def wants_json(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")


def next_place(user: Any, project: Project, *, after: Trial | None = None, show: str = "") -> str:
    found = queries.next_trial(user, project, after=after, show=show)
    return address("change", found.pk, show=show, done=after and after.pk) if found else ""


class TrialMixin(UnfoldModelAdminViewMixin):
    """Who may enter, and which trials there are for them."""

    title = "Qualification tests"
    request: HttpRequest

    def has_permission(self) -> bool:
        return self.model_admin.has_view_permission(self.request)

    def trial(self, number: str) -> Trial:
        if not str(number).isdecimal():
            raise Http404("no such trial")
        rows = self.model_admin.get_queryset(self.request).select_related(
            "programme__qualification", "programme__stage__project", "worker", "assignment__hit"
        )
        return get_object_or_404(rows, pk=number)


class GradingQueueView(TrialMixin, TemplateView):
    """What waits for a grader, project by project."""

    template_name = "trials/queue.html"

    def get_context_data(self, **kwargs: Any) -> dict:
        user, asked = self.request.user, self.request.GET
        projects = queries.graded_projects(user)
        context = super().get_context_data(**kwargs) | {"projects": projects, "is_fullwidth": "1"}
        if not projects:
            return context
        wanted = asked.get("project")
        project = next((one for one in projects if one.slug == wanted), None if wanted else projects[0])
        if project is None:
            raise Http404("no such project")
        show = asked.get("show") if asked.get("show") in SHOWN else "waiting"
        counts = queries.counts_of(user, project)
        rows = list(queries.queue(user, project, show)[:MOST_ROWS])
        return context | {
            "project": project,
            "show": show,
            "counts": counts,
            "tabs": [(name, words, getattr(counts, name, None)) for name, words in SHOWN.items()],
            "rows": [(row, release_pseudonym(project, row.worker.pseudonym)) for row in rows],
            "start": address("next", project=project.slug) if counts.waiting else "",
            "start_talk": address("next", project=project.slug, show="talk") if counts.talk else "",
        }


class NextTrialView(TrialMixin, View):
    """Goes to what is to be graded next."""

    def get(self, request: HttpRequest) -> HttpResponse:
        slug, show = request.GET.get("project"), request.GET.get("show", "")
        found = ""
        if slug:
            project = get_object_or_404(projects_of(request.user), slug=slug)
            found = next_place(request.user, project, show=show)
        else:
            for project in queries.graded_projects(request.user):
                found = found or next_place(request.user, project, show=show)
        if wants_json(request):
            return JsonResponse({"next": found or None})
        return HttpResponseRedirect(found or address("changelist", project=slug))


class GradingView(TrialMixin, TemplateView):
    """One worker's trial: all answers beside what is known to be good, and the rubric."""

    template_name = "trials/trial.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not self.has_permission():
            return self.handle_no_permission()
        self.found = self.trial(kwargs["object_id"])
        self.problem: GradeRefused | None = None
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if wants_json(request):
            return JsonResponse(self._as_json())
        return self.render_to_response(self.get_context_data())

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        posted = request.POST
        project = self.found.programme.stage.project
        show = "talk" if posted.get("show") == "talk" else ""
        if posted.get("skip"):
            following = next_place(request.user, project, after=self.found, show=show)
            return HttpResponseRedirect(following or address("changelist", project=project.slug))
        try:
            grade(
                trial=self.found,
                grader=request.user,
                verdict=posted.get("verdict", ""),
                points=points_in(posted),
                feedback=posted.get("feedback", ""),
                seconds=_whole(posted.get("seconds")),
            )
        except GradeRefused as refused:
            return self._refused(refused)
        following = next_place(request.user, project, after=self.found, show=show)
        if wants_json(request):
            return JsonResponse({"state": self.found.state, "next": following or None})
        messages.success(request, SAID.get(self.found.state, "Your grade is kept."))
        return HttpResponseRedirect(following or address("changelist", project=project.slug))

    def _refused(self, refused: GradeRefused) -> HttpResponse:
        status = STATUSES[refused.kind]
        if wants_json(self.request):
            return JsonResponse({"error": refused.kind, "message": str(refused)}, status=status)
        self.problem = refused
        self.found.refresh_from_db()
        return self.render_to_response(self.get_context_data(form=self.request.POST), status=status)

    def get_context_data(self, form: Any = None, **kwargs: Any) -> dict:
        trial, user = self.found, self.request.user
        project = trial.programme.stage.project
        show = (self.request.POST or self.request.GET).get("show", "")
        given = {name: form.get(name, "") for name in form} if form is not None else None
        return super().get_context_data(**kwargs) | {
            "page": page_of(trial, user, worker=release_pseudonym(project, trial.worker.pseudonym), form=given),
            "trial": trial,
            "project": project,
            "posted": given or {},
            "problem": self.problem,
            "is_fullwidth": "1",
            "show": "talk" if show == "talk" else "",
            "left": queries.counts_of(user, project).waiting,
            "queue_address": address("changelist", project=project.slug, show=show if show == "talk" else ""),
        }

    def _as_json(self) -> dict:
        trial = self.found
        page = page_of(trial, self.request.user, worker=trial.worker.pseudonym)
        return {
            "id": trial.pk,
            "state": trial.state,
            "attempt": trial.attempt,
            "may_try_again": page.may_try_again,
            "why_not": page.why_not,
            "rubric": trial.programme.rubric,
            "answers": [
                {
                    "title": one.title,
                    "facts": {fact.label: fact.text for fact in one.facts},
                    "said": {said.label: list(said.texts) for said in one.said},
                    "reference": {said.label: list(said.texts) for said in one.reference},
                    "findings": [finding.check_name for finding in one.findings],
                }
                for one in page.answers
            ],
        }


SAID = {
    Trial.State.PASSED: "Both grades agree: the worker passed, and is told so.",
    Trial.State.FAILED: "Both grades agree: the worker did not pass, and is told why.",
    Trial.State.AGAIN: "Both grades agree: the worker may try again, and is told what was missing.",
    Trial.State.TALK: "Your verdict differs from your colleague's. Both sheets are open now: talk, then one decides.",
    Trial.State.WAITING: "Your grade is kept. A colleague grades this trial without sight of it.",
}


def points_in(posted: Any) -> dict[str, int]:
    """The points on a form, by the rubric's names; what is no number is left out, and so is missing."""
    found = {}
    for name, text in posted.items():
        if name.startswith("points.") and (number := _whole(text)) is not None:
            found[name.removeprefix("points.")] = number
    return found


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 9 else None
