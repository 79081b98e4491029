"""What needs a person: calls whose effect nobody knows, refusals, work that can't be placed; and what they can do."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotation.desk import queries, words
from annotation.desk.access import Access, project_page
from annotation.desk.jobs import advance_all
from annotation.desk.views.frame import page
from annotation.hits import retrying
from annotation.hits.quarantine import look_again
from annotation.projects.actions import Refused
from annotation.providers.actions import REPEATABLE
from annotation.providers.models import Intent
from annotation.waking import wake
from annotation.workers.queries import release_pseudonym


@project_page("run")
@require_safe
def table(request: HttpRequest, access: Access) -> HttpResponse:
    found = queries.problems_of(access.project)
    context = {
        "found": found,
        "intents": [
            (intent, queries.meaning_of(intent), is_repeatable(intent), subject_of(intent)) for intent in found.intents
        ],
        "quarantined": [
            (assignment, release_pseudonym(access.project, assignment.worker.pseudonym))
            for assignment in found.quarantined
        ],
    }
    return page(request, access, "problems", context)


def is_repeatable(intent: Intent) -> bool:
    return intent.state == Intent.State.REFUSED and intent.kind in REPEATABLE


def subject_of(intent: Intent) -> int | None:
    """The assignment that a call was about."""
    parts = intent.key.split("/")
    return int(parts[2]) if len(parts) > 3 and parts[1] == "assignment" and parts[2].isdigit() else None


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
