"""What needs a person: calls whose effect nobody knows, refusals, work that can't be placed; and what they can do."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotation.desk import queries, words
from annotation.desk.access import Access, project_page
from annotation.desk.jobs import advance_all
from annotation.desk.numbers import plain_text
from annotation.desk.views.frame import page
from annotation.hits import retrying
from annotation.hits.quarantine import look_again
from annotation.projects.actions import Refused
from annotation.providers import actions as ledger
from annotation.providers.models import Intent
from annotation.trials.models import Programme
from annotation.waking import wake
from annotation.workers.queries import release_pseudonym


@dataclass(frozen=True)
class Trouble:
    """A call to the marketplace that needs a person: in words, with what they can do about it."""

    intent: Intent
    what: str
    now: str
    may_repeat: bool
    may_say_done: bool
    may_say_not: bool
    assignment: int | None
    test: int | None


@project_page("run")
@require_safe
def table(request: HttpRequest, access: Access) -> HttpResponse:
    found = queries.problems_of(access.project)
    context = {
        "found": found,
        "troubles": [trouble_of(intent) for intent in found.intents],
        "quarantined": [
            (assignment, release_pseudonym(access.project, assignment.worker.pseudonym))
            for assignment in found.quarantined
        ],
    }
    return page(request, access, "problems", context)


def trouble_of(intent: Intent) -> Trouble:
    what, now = queries.meaning_of(intent)
    return Trouble(
        intent=intent,
        what=what,
        now=now,
        may_repeat=not ledger.why_not_again(intent),
        may_say_done=not ledger.why_not_told(intent, is_done=True),
        may_say_not=not ledger.why_not_told(intent, is_done=False),
        assignment=_number_of(intent, "assignment"),
        test=None if intent.state == Intent.State.UNKNOWN else _test_of(intent),
    )


def _number_of(intent: Intent, about: str) -> int | None:
    """The row that a call was about, where it is one of these."""
    parts = intent.key.split("/")
    return int(parts[2]) if len(parts) > 3 and parts[1] == about and parts[2].isdigit() else None


def _test_of(intent: Intent) -> int | None:
    """The test on whose page a worker's qualification is asked for anew."""
    grant = _number_of(intent, "grant")
    if grant is None:
        return None
    return Programme.objects.filter(qualification__grants=grant).values_list("pk", flat=True).first()


@project_page("run")
@require_POST
def look(request: HttpRequest, access: Access) -> HttpResponse:
    """Has the marketplace asked about every HIT that is out, and about closed ones with work in quarantine."""
    count = look_again(project=access.project)
    wake(advance_all)
    messages.success(
        request,
        f"The marketplace is being asked about {words.plural(count, 'HIT')}. Reload this page in a minute: "
        "what it lists is gone from here then.",
    )
    return redirect("desk:problems", slug=access.project.slug)


def call_or_404(access: Access, pk: int) -> Intent:
    intent = Intent.objects.filter(project_id=access.project.pk, pk=pk).first()
    if intent is None:
        raise Http404("no such call")
    return intent


@project_page("run")
@require_POST
def again(request: HttpRequest, access: Access, call: int) -> HttpResponse:
    intent = call_or_404(access, call)
    try:
        retrying.try_again(intent=intent)
    except Refused as refusal:
        messages.error(request, f"Not tried again: {refusal}.")
    else:
        messages.success(request, f"{queries.meaning_of(intent)[0]} is tried again now.")
    return redirect("desk:problems", slug=access.project.slug)


@project_page("run")
@require_POST
def call_off(request: HttpRequest, access: Access, call: int) -> HttpResponse:
    intent = call_or_404(access, call)
    try:
        retrying.call_off(intent=intent, reason=request.POST.get("reason", "").replace("\x00", ""))
    except Refused as refusal:
        messages.error(request, f"Not called off: {refusal}.")
    else:
        messages.success(request, f"{queries.meaning_of(intent)[0]} is called off.")
    return redirect("desk:problems", slug=access.project.slug)


@project_page("run")
@require_POST
def tell(request: HttpRequest, access: Access, call: int) -> HttpResponse:
    """A person looked in the marketplace what became of a call that was lost sight of."""
    intent, found = call_or_404(access, call), request.POST.get("found")
    if found not in ("done", "not"):
        raise Http404("no such finding")
    try:
        retrying.tell(intent=intent, is_done=found == "done", reason=plain_text(request.POST.get("reason"), 1_000))
    except Refused as refusal:
        messages.error(request, f"Nothing was changed: {refusal}.")
    else:
        wake(advance_all)
        said = "is taken as done" if found == "done" else "is taken as not done: try it again or call it off below"
        messages.success(request, f"{queries.meaning_of(intent)[0]} {said}.")
    return redirect("desk:problems", slug=access.project.slug)
