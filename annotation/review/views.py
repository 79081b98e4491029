"""The expert's pages in the admin: the queue, one question a page, and the endpoints that its buttons call.

Everything works by plain GET and POST, and is a door for programs too (`Accept: application/json`):

=================================  ===================================================================
`GET  …/outcome/next/`             302 to what to decide next (`project` = slug; `show=blind`; `stage`), or
                                   to the queue when there is nothing; as JSON `{"next": address or null}`
`GET  …/outcome/ID/change/`        the page; as JSON `{"id", "key", "stage", "state", "version", "mode",
                                   "item", "value", "details", "held_by"}`. Holds it for ten minutes.
`POST …/outcome/ID/change/`        the decision, fields below; 302 to the next page, as JSON `{"review",
                                   "state", "version", "next"}`
`POST …/outcome/ID/check/`         the same fields; JSON `{"findings", "problem"}`, nothing is stored
`POST …/outcome/ID/skip/`          lets go and goes on
`POST …/outcome/undo/REVIEW/`      takes a decision back, and goes to its page
=================================  ===================================================================

Fields of a decision (every form carries `csrfmiddlewaretoken`):

- `decision`: `accept` or `reject`; `version`: as the page had it; `mode`: `blind` on a blind page, else empty;
- `reason` (a preset) and `reason_text` (free), joined; one of them is needed to reject;
- the outcome's fields by name, e.g. `question` (its new text), `answers.remove` (an index, repeated),
  `answers.add` (a text, repeated), `answers.short.INDEX` (a short version of that answer);
- or, in place of those, `operations`: a JSON list of them (`operations.py`);
- `confirmed`: `1` after warnings; `take_over`: `1` to take it from a colleague; `seconds`: time spent;
- `stage`, `show`: which queue to go on in.

What is refused comes back as the page with everything that was typed, or as `{"error", "message",
"findings"}`: 409 `stale` or `held`, 403 `not_allowed`, 422 `findings`, `confirm`, `reason`, `operation`.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.generic import TemplateView, View
from pydantic import ValidationError
from unfold.views import UnfoldModelAdminViewMixin

from annotation.projects.models import Project, Stage
from annotation.projects.queries import projects_of, task_type_of
from annotation.review import doors, queries
from annotation.review import operations as editing
from annotation.review.actions import (
    BadOperation,
    HeldByOther,
    NotAllowed,
    ReasonMissing,
    ReviewError,
    ReviewRefused,
    StaleReview,
    WantsConfirmation,
    decide,
    findings_on,
    hold,
    let_go,
    undo,
)
from annotation.review.doors import wants_json, whole_number
from annotation.review.models import Outcome, Review
from annotation.review.page import page_of, title_of, told

PAGE_SIZE = 50
MOST_SECONDS = 86_400
# So many of the newest blind decisions tell how far two experts agree: the page must not slow down with the project.
AGREEMENT_OVER = 100
SHOWN = {
    "pending": "To decide",
    "blind": "Blind, second decision",
    "accepted": "Accepted",
    "rejected": "Rejected",
    "mine": "Decided by me",
}


def address(name: str, *args: Any, **query: Any) -> str:
    return doors.address(f"review_outcome_{name}", *args, **query)


def stage_of(project: Project, name: str | None) -> Stage | None:
    return next((stage for stage in project.stages.all() if stage.name == name), None)


class ReviewMixin(UnfoldModelAdminViewMixin):
    """What all views here share: who may enter, and which outcomes there are for them."""

    title = "Review"
    request: HttpRequest

    def has_permission(self) -> bool:
        return self.model_admin.has_view_permission(self.request)

    def outcome(self, number: int | str) -> Outcome:
        """The outcome, of the person's own projects; anything else is a 404."""
        rows = self.model_admin.get_queryset(self.request)
        rows = rows.select_related("project", "stage__project", "item", "held_by")
        return get_object_or_404(rows, pk=whole_number(str(number)))


class QueueView(ReviewMixin, TemplateView):
    """What waits for an expert, project by project, the least agreed first."""

    title = "Review queue"
    template_name = "review/queue.html"

    def get_context_data(self, **kwargs: Any) -> dict:
        user, asked = self.request.user, self.request.GET
        projects = list(projects_of(user).order_by("name"))
        counts = queries.counts_of(user, projects)
        project = self._project(projects, counts, asked.get("project"))
        show = asked["show"] if asked.get("show") in SHOWN else "pending"
        context = super().get_context_data(**kwargs) | {
            "done": decided_before(user, asked.get("done")),
            "projects": [(each, counts[each.pk]) for each in projects],
            "project": project,
            "show": show,
            "is_fullwidth": "1",
        }
        if project is None:
            return context
        stage, search = stage_of(project, asked.get("stage")), asked.get("q", "").strip()[:200]
        rows, after = self._rows(queries.queue(user, project, show=show, stage=stage), search)
        carried = _carried({"stage": stage and stage.name, "show": show})
        numbers = asdict(counts[project.pk])
        return context | {
            "counts": counts[project.pk],
            "tabs": [(name, label, numbers.get(name)) for name, label in SHOWN.items()],
            "stages": list(project.stages.all()),
            "stage": stage,
            "search": search,
            "rows": [(row, title_of(row), address("change", row.pk, **carried)) for row in rows],
            "after": after,
            "is_first_page": not asked.get("after"),
            "agreement": queries.blind_agreement(project, newest=AGREEMENT_OVER),
            "recent": recent_decisions(user),
            "start": address("next", project=project.slug, stage=stage and stage.name),
            "start_blind": address("next", project=project.slug, stage=stage and stage.name, show="blind"),
        }

    def _project(self, projects: list[Project], counts: dict, slug: str | None) -> Project | None:
        if slug:
            found = next((project for project in projects if project.slug == slug), None)
            if found is None:
                raise Http404("no such project")
            return found
        return next((project for project in projects if counts[project.pk].pending), (projects or [None])[0])

    def _rows(self, rows: Any, search: str) -> tuple[list[Outcome], str]:
        """A page of the queue, and where the next one begins (empty: nowhere)."""
        doubt, _, number = self.request.GET.get("after", "").partition(":")
        try:
            rows = queries.after_place(rows, float(doubt), int(number)) if number else rows
        except ValueError:
            raise Http404("no such place in the queue") from None
        rows = rows.select_related("item", "stage__project", "held_by")
        page = queries.first_of(rows, PAGE_SIZE + 1, search=search)
        if len(page) <= PAGE_SIZE:
            return page, ""
        last = page[PAGE_SIZE - 1]
        return page[:PAGE_SIZE], f"{last.doubt!r}:{last.pk}"


class NextView(ReviewMixin, View):
    """Goes to what is to be decided next."""

    def get(self, request: HttpRequest) -> HttpResponse:
        projects, slug = list(projects_of(request.user).order_by("name")), request.GET.get("project", "")
        if slug:
            projects = [project for project in projects if project.slug == slug]
            if not projects:
                raise Http404("no such project")
        places = (next_place(request, project, None, **_carried(request.GET)) for project in projects)
        found = next(filter(None, places), "")
        if wants_json(request):
            return JsonResponse({"next": found or None})
        return HttpResponseRedirect(found or address("changelist", project=slug))


def _carried(query: Any) -> dict[str, str]:
    """The parts of an address that say which queue a reviewer goes through."""
    return {"stage": query.get("stage") or "", "show": "blind" if query.get("show") == "blind" else ""}


def next_place(
    request: HttpRequest, project: Project, after: Outcome | None, *, stage: str, show: str, done: int | None = None
) -> str:
    """The address of the next question, or empty when there is none. `done`: what was decided just now, told there."""
    found = queries.next_outcome(
        request.user,
        project=project,
        after=after,
        show="blind" if show == "blind" else "pending",
        stage=stage_of(project, stage),
    )
    return address("change", found.pk, stage=stage, show=show, done=done) if found else ""


def decided_before(user: Any, number: str | None) -> Review | None:
    """A person's own decision of an outcome, where it stands: the draft of it in their browser has done its work."""
    rows = queries.standing_decisions().filter(reviewer=user, outcome=whole_number(number) or 0)
    return rows.select_related("outcome").first()


def recent_decisions(user: Any) -> list[dict]:
    """A person's last ten decisions, with the question in one line."""
    return [
        {
            "review": review,
            "title": title_of(review.outcome),
            "address": address("change", review.outcome_id),
        }
        for review in queries.last_decisions(user)
    ]


class DecisionView(ReviewMixin, TemplateView):
    """One question a page: everything said of it on one side, the decision on the other."""

    template_name = "review/outcome.html"

    @property
    def title(self) -> str:
        return f"Review {self.found.item.key}"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not self.has_permission():
            return self.handle_no_permission()
        self.found = self.outcome(kwargs["object_id"])
        self.is_blind = queries.is_blind_for(request.user, self.found)
        self.problem: dict | None = None
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self._hold(take_over=False)
        if wants_json(request):
            return JsonResponse(self._as_json())
        return self.render_to_response(self.get_context_data())

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        posted = request.POST
        if posted.get("take_over") == "1":
            self._hold(take_over=True)
        try:
            review = decide(
                outcome=self.found,
                reviewer=request.user,
                decision=posted.get("decision", ""),
                operations=operations_in(self.found, posted),
                reason=reason_in(posted),
                version=version_in(posted),
                is_blind=posted.get("mode") == "blind",
                seconds=seconds_in(posted),
                confirmed=posted.get("confirmed") == "1",
            )
        except (ReviewError, BadOperation) as error:
            return self._refused(error)
        following = next_place(request, self.found.project, self.found, done=self.found.pk, **_carried(posted))
        if wants_json(request):
            found = {"review": review.pk, "state": self.found.state, "version": self.found.version}
            return JsonResponse(found | {"next": following or None})
        if following:
            return HttpResponseRedirect(following)
        messages.success(request, "That was the last one. Nothing is left to decide here.")
        return HttpResponseRedirect(address("changelist", project=self.found.project.slug, done=self.found.pk))

    def _hold(self, *, take_over: bool) -> None:
        if not hold(outcome=self.found, by=self.request.user, take_over=take_over):
            self.problem = {"kind": "held", "message": str(HeldByOther(self.found))}

    def _refused(self, error: ValueError) -> HttpResponse:
        """The page again, with all that was typed and with what is in the way."""
        kind, status = kind_of(error)
        message, findings = str(error), getattr(error, "findings", [])
        self.found.refresh_from_db()
        self.is_blind = queries.is_blind_for(self.request.user, self.found)
        other = getattr(error, "other", None)
        if kind == "stale" and self.is_blind:
            # Their edits were made without sight of the colleague's: they still can be the blind decision.
            other = None
            message = (
                "A colleague decided this question while you had it open. It is one of those that want a second, "
                "blind decision, so the first is not shown: send yours again, and it is stored as the second."
            )
        if wants_json(self.request):
            shown = [asdict(finding) for finding in findings]
            return JsonResponse({"error": kind, "message": message, "findings": shown}, status=status)
        self.problem = {
            "kind": kind,
            "message": message,
            "findings": findings,
            "other": told(other, self.found, task_type_of(self.found.stage)) if other else None,
        }
        return self.render_to_response(self.get_context_data(form=self.request.POST), status=status)

    def get_context_data(self, form: Any = None, **kwargs: Any) -> dict:
        outcome, user, query = self.found, self.request.user, self.request.POST or self.request.GET
        carried = _carried(query)
        fields = {name: form.getlist(name) for name in form} if form is not None else None
        return super().get_context_data(**kwargs) | {
            "page": page_of(outcome, is_blind=self.is_blind, reader=user, form=fields),
            "outcome": outcome,
            "is_fullwidth": "1",
            "problem": self.problem,
            "reasons": task_type_of(outcome.stage).reasons.items(),
            "posted": form or {},
            "confirm": bool(self.problem) and self.problem["kind"] == "confirm",
            "carried": {name: value for name, value in carried.items() if value},
            "recent": recent_decisions(user),
            "done": decided_before(user, self.request.GET.get("done")),
            "left": queries.queue(user, outcome.project, show=carried["show"] or "pending").count(),
            "queue_address": address("changelist", project=outcome.project.slug, **carried),
        }

    def _as_json(self) -> dict:
        outcome = self.found
        return {
            "id": outcome.pk,
            "key": outcome.item.key,
            "stage": outcome.stage.name,
            "state": "" if self.is_blind else outcome.state,
            "version": outcome.version,
            "mode": "blind" if self.is_blind else "",
            "item": outcome.item.payload,
            "value": outcome.value,
            "details": outcome.details,
            "held_by": str(outcome.held_by) if self.problem else None,
        }


class CheckView(ReviewMixin, View):
    """What the review checks say of the edits so far. Stores nothing but that somebody is at work."""

    def post(self, request: HttpRequest, object_id: str) -> HttpResponse:
        outcome = self.outcome(object_id)
        hold(outcome=outcome, by=request.user)
        try:
            shape = task_type_of(outcome.stage).Outcome
            final = editing.apply(shape, outcome.value, operations_in(outcome, request.POST))
            findings = findings_on(outcome, final)
        except (BadOperation, ValidationError) as error:
            return JsonResponse({"findings": [], "problem": str(error)})
        return JsonResponse({"findings": [asdict(finding) for finding in findings], "problem": ""})


class SkipView(ReviewMixin, View):
    """Leaves a question for later, or to somebody else."""

    def post(self, request: HttpRequest, object_id: str) -> HttpResponse:
        outcome = self.outcome(object_id)
        let_go(outcome=outcome, by=request.user)
        following = next_place(request, outcome.project, outcome, **_carried(request.POST))
        if not following:
            messages.info(request, "There is no other question to decide here.")
        return HttpResponseRedirect(following or address("changelist", project=outcome.project.slug))


class UndoView(ReviewMixin, View):
    """Takes a decision back and goes to its question."""

    def post(self, request: HttpRequest, review_id: int) -> HttpResponse:
        rows = Review.objects.filter(outcome__in=self.model_admin.get_queryset(request))
        review = get_object_or_404(rows.select_related("outcome"), pk=review_id)
        try:
            undo(review=review, by=request.user)
        except NotAllowed as refused:
            if wants_json(request):
                return JsonResponse({"error": "not_allowed", "message": str(refused)}, status=403)
            messages.error(request, str(refused))
        else:
            if wants_json(request):
                return JsonResponse({"outcome": review.outcome_id})
            messages.success(request, "Taken back. The question is as it was before.")
        return HttpResponseRedirect(address("change", review.outcome_id, **_carried(request.POST)))


# --- What a form says -----------------------------------------------------------------------------


def operations_in(outcome: Outcome, posted: Any) -> list[dict]:
    """The operations that a form asks for. Raises BadOperation."""
    if posted.get("operations"):
        return editing.read_json(posted["operations"])
    fields = {name: posted.getlist(name) for name in posted}
    return editing.read_form(task_type_of(outcome.stage).Outcome, outcome.value, fields)


def reason_in(posted: Any) -> str:
    """A preset's code and the reviewer's words: `too_open: insects`."""
    return ": ".join(part for name in ("reason", "reason_text") if (part := posted.get(name, "").strip()))


def version_in(posted: Any) -> int:
    """The outcome's version that the page had; -1, which none has, where it says none."""
    version = whole_number(posted.get("version"))
    return -1 if version is None else version


def seconds_in(posted: Any) -> int | None:
    seconds = whole_number(posted.get("seconds"))
    return None if seconds is None else min(seconds, MOST_SECONDS)


def kind_of(error: ValueError) -> tuple[str, int]:
    """A refusal's short name and status."""
    kinds = [
        (StaleReview, "stale", 409),
        (HeldByOther, "held", 409),
        (NotAllowed, "not_allowed", 403),
        (WantsConfirmation, "confirm", 422),
        (ReviewRefused, "findings", 422),
        (ReasonMissing, "reason", 422),
        (BadOperation, "operation", 422),
    ]
    return next(((name, status) for kind, name, status in kinds if isinstance(error, kind)), ("decision", 422))
