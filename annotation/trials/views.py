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

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.generic import TemplateView, View
from unfold.views import UnfoldModelAdminViewMixin

from annotation.projects.models import Project
from annotation.projects.queries import projects_of
from annotation.review import doors
from annotation.review.doors import wants_json, whole_number
from annotation.trials import queries
from annotation.trials.grading import GradeRefused, grade
from annotation.trials.models import Grade, Trial
from annotation.trials.page import page_of
from annotation.workers.queries import release_pseudonym

SHOWN = {"waiting": "To grade", "talk": "To talk about", "decided": "Decided", "mine": "Graded by me"}
MOST_ROWS = 100
STATUSES = {"incomplete": 422, "done": 409, "not_allowed": 403}


def address(name: str, *args: Any, **query: Any) -> str:
    return doors.address(f"trials_trial_{name}", *args, **query)


def next_place(
    user: Any, project: Project, *, after: Trial | None = None, show: str = "", done: int | None = None
) -> str:
    """The address of the next trial, or empty when there is none. `done`: what was graded just now."""
    found = queries.next_trial(user, project, after=after, show=show)
    return address("change", found.pk, show=show, done=done) if found else ""


def graded_before(user: Any, number: str | None) -> dict[str, Any]:
    """A trial that a person graded, and in which of its states: their drafts of it have done their work."""
    grades = Grade.objects.filter(grader=user, trial=whole_number(number) or 0)
    states = [
        Trial.State.TALK if is_joint else Trial.State.WAITING for is_joint in grades.values_list("is_joint", flat=True)
    ]
    return {"trial": number, "states": " ".join(states)} if states else {}


class TrialMixin(UnfoldModelAdminViewMixin):
    """Who may enter, and which trials there are for them."""

    title = "Qualification tests"
    request: HttpRequest

    def has_permission(self) -> bool:
        return self.model_admin.has_view_permission(self.request)

    def trial(self, number: str) -> Trial:
        rows = self.model_admin.get_queryset(self.request).select_related(
            "programme__qualification", "programme__stage__project", "worker", "assignment__hit"
        )
        return get_object_or_404(rows, pk=whole_number(number))


class GradingQueueView(TrialMixin, TemplateView):
    """What waits for a grader, project by project."""

    template_name = "trials/queue.html"

    def get_context_data(self, **kwargs: Any) -> dict:
        user, asked = self.request.user, self.request.GET
        projects = queries.graded_projects(user)
        context = super().get_context_data(**kwargs) | {
            "projects": projects,
            "is_fullwidth": "1",
            "done": graded_before(user, asked.get("done")),
        }
        if not projects:
            return context
        wanted = asked.get("project")
        project = next((one for one in projects if one.slug == wanted), None if wanted else projects[0])
        if project is None:
            raise Http404("no such project")
        show = asked.get("show") if asked.get("show") in SHOWN else "waiting"
        counts = queries.counts_of(user, project)
        rows = list(queries.queue(user, project, show)[: MOST_ROWS + 1])
        shown, graders = rows[:MOST_ROWS], {programme.graders for programme in queries.programmes_of(project)}
        return context | {
            "project": project,
            "show": show,
            "counts": counts,
            "tabs": [(name, words, getattr(counts, name, None)) for name, words in SHOWN.items()],
            "rows": [(row, release_pseudonym(project, row.worker.pseudonym)) for row in shown],
            "has_more": len(rows) > len(shown),
            "graders": "one or two" if len(graders) > 1 else "two" if 2 in graders else "one",
            "start": address("next", project=project.slug) if counts.waiting else "",
            "start_talk": address("next", project=project.slug, show="talk") if counts.talk else "",
        }


class NextTrialView(TrialMixin, View):
    """Goes to what is to be graded next."""

    def get(self, request: HttpRequest) -> HttpResponse:
        slug, show = request.GET.get("project"), request.GET.get("show", "")
        projects = list(projects_of(request.user)) if slug else queries.graded_projects(request.user)
        asked = [project for project in projects if project.slug == slug] if slug else projects
        if slug and not asked:
            raise Http404("no such project")
        found = next(filter(None, (next_place(request.user, project, show=show) for project in asked)), "")
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
            made = grade(
                trial=self.found,
                grader=request.user,
                verdict=posted.get("verdict", ""),
                points=points_in(posted),
                feedback=posted.get("feedback", ""),
                seconds=whole_number(posted.get("seconds")),
            )
        except GradeRefused as refused:
            return self._refused(refused)
        following = next_place(request.user, project, after=self.found, show=show, done=self.found.pk)
        if wants_json(request):
            return JsonResponse({"state": self.found.state, "next": following or None})
        messages.success(request, what_came_of(made))
        return HttpResponseRedirect(following or address("changelist", project=project.slug, done=self.found.pk))

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
            "done": graded_before(user, self.request.GET.get("done")),
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
    Trial.State.PASSED: "the worker passed, and is told so.",
    Trial.State.FAILED: "the worker did not pass, and is told why.",
    Trial.State.AGAIN: "the worker may try again, and is told what was missing.",
    Trial.State.TALK: "Your verdict differs from your colleague's. Both sheets are open now: talk, then one decides.",
    Trial.State.WAITING: "Your grade is kept. A colleague grades this trial without sight of it.",
}


def what_came_of(grade: Grade) -> str:
    """What a grader reads once their grade is taken."""
    said = SAID[grade.trial.state]
    if not grade.trial.is_decided:
        return said
    if grade.is_joint:
        return f"That is your verdict together: {said}"
    is_alone = grade.trial.grades.filter(is_joint=False).count() == 1
    return f"{'Your grade decides' if is_alone else 'Both grades agree'}: {said}"


def points_in(posted: Any) -> dict[str, int]:
    """The points on a form, by the rubric's names; what is no number is left out, and so is missing."""
    found = {}
    for name, text in posted.items():
        if name.startswith("points.") and (number := whole_number(text)) is not None:
            found[name.removeprefix("points.")] = number
    return found
