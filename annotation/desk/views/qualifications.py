"""Qualification tests: make one, fill it, offer it, watch it, grant and revoke by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotation.desk import requirements, words
from annotation.desk.access import Access, project_page
from annotation.desk.forms.qualifications import (
    GiveByHand,
    NewItems,
    NewTest,
    TakeAway,
    TestSettings,
    Workers,
    settings_of,
)
from annotation.desk.uploads import saved_uploads
from annotation.desk.views.frame import page, posted
from annotation.desk.views.publishing import confirm_and_publish
from annotation.desk.views.stages import stage_or_404
from annotation.projects.actions import Refused
from annotation.trials import programmes
from annotation.trials.models import Programme
from annotation.trials.queries import programmes_of, trials_of
from annotation.trials.report import report_of
from annotation.workers import qualifying
from annotation.workers.models import Grant
from annotation.workers.queries import qualifications_of, release_pseudonym, worker_called

MOST_ROWS = 200


def programme_or_404(access: Access, number: int) -> Programme:
    found = programmes_of(access.project).filter(pk=number).first()
    if found is None:
        raise Http404("no such test")
    return found


def to_test(access: Access, programme: Programme) -> HttpResponse:
    return redirect("desk:qualification", slug=access.project.slug, number=programme.pk)


@project_page("run")
@require_safe
def table(request: HttpRequest, access: Access) -> HttpResponse:
    """All tests of a project with their figures, and what its stages ask for."""
    project = access.project
    context = {
        "tests": [(programme, report_of(programme)) for programme in programmes_of(project)],
        "asked": [
            (stage, list(stage.qualifications.order_by("name")))
            for stage in project.stages.filter(crowd=True).order_by("position")
        ],
    }
    return page(request, access, "qualifications", context)


@project_page("run")
def make(request: HttpRequest, access: Access, name: str) -> HttpResponse:
    """A new test in the form of a stage."""
    stage = stage_or_404(access, name)
    if not stage.crowd:
        raise Http404("an expert stage has no workers to test")
    form = NewTest(posted(request), stands=programmes.settings_of_new(stage))
    if request.method == "POST" and form.is_valid():
        try:
            made = programmes.make_programme(
                stage=stage,
                name=form.cleaned_data["name"],
                description=form.cleaned_data["description"],
                ask_for_it=form.cleaned_data["ask_for_it"],
                **form.wanted(),
            )
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, "The test is made. Give it items next.")
            return to_test(access, made)
    context = {"stage": stage, "form": form}
    return page(request, access, "new_qualification", context, status=422 if form.errors else 200)


@project_page("run")
@require_safe
def show(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """One test: where it stands, who took it, who holds the qualification."""
    return _shown(request, access, programme_or_404(access, number))


def _shown(
    request: HttpRequest, access: Access, programme: Programme, *, form: Any = None, status: int = 200
) -> HttpResponse:
    project, qualification = access.project, programme.qualification
    trials = trials_of(project).filter(programme=programme).order_by("-id")[:MOST_ROWS]
    grants = qualification.grants.select_related("worker").order_by("-granted_at")[:MOST_ROWS]
    asking = set(qualification.stages.values_list("pk", flat=True))
    context = {
        "programme": programme,
        "report": report_of(programme),
        "gate": [requirements.sentence(one) for one in programme.gate],
        "sets": len(programmes.sets_of(programme)),
        "item_count": programme.trial_items.count(),
        "on_offer": qualification.trial_hits.filter(state="offered").count(),
        "trials": [(one, release_pseudonym(project, one.worker.pseudonym)) for one in trials],
        "grants": [(one, release_pseudonym(project, one.worker.pseudonym)) for one in grants],
        "stages_asking": [(stage, stage.pk in asking) for stage in project.stages.filter(crowd=True)],
        "items_form": form if isinstance(form, NewItems) else NewItems(),
        "workers_form": form if isinstance(form, Workers) else Workers(),
        "give_form": form if isinstance(form, GiveByHand) else GiveByHand(prefix="give"),
        "take_form": form if isinstance(form, TakeAway) else TakeAway(prefix="take"),
        "form": form,
    }
    return page(request, access, "qualification", context, status=status)


@project_page("run")
def change(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """The settings of a test."""
    programme = programme_or_404(access, number)
    form = TestSettings(posted(request), stands=settings_of(programme))
    if request.method == "POST" and form.is_valid():
        try:
            changes = form.changes()
            if changes:
                programmes.change_programme(programme=programme, **changes)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            said = "The test is changed. Trials that are out keep what they promised."
            messages.success(request, said if changes else "Nothing was different.")
            return to_test(access, programme)
    context = {"programme": programme, "stage": programme.stage, "form": form}
    return page(request, access, "new_qualification", context, status=422 if form.errors else 200)


@project_page("run")
@require_POST
def add_items(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Items for a test: from files, from the examples, or set aside."""
    programme = programme_or_404(access, number)
    form = NewItems(request.POST, request.FILES)
    if form.is_valid():
        try:
            added = _bring_in(programme, form.cleaned_data)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, f"{words.plural(added, 'item')} added to the test.")
            return to_test(access, programme)
    return _shown(request, access, programme, form=form, status=422)


def _bring_in(programme: Programme, wanted: dict[str, Any]) -> int:
    known = programmes.example_items(programme) if wanted["examples"] else []
    with saved_uploads(wanted["files"]) as paths:
        for path in paths:
            known += programmes.read_items(programme, path)
    return programmes.bring_in(programme=programme, items=known, first=wanted["set_aside"] or 0)


@project_page("run")
def offer(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """What offering the test costs, to the cent; a confirmation of exactly that publishes."""
    programme = programme_or_404(access, number)
    asked = Workers(request.POST if request.method == "POST" else request.GET)
    if not asked.is_valid():
        return _shown(request, access, programme, form=asked, status=422)
    workers = asked.cleaned_data["workers"]
    quote = programmes.quote_programme(programme, workers=workers)
    publish = partial(programmes.publish_programme, programme=programme, workers=workers)
    confirming = confirm_and_publish(request, access, quote, publish)
    if confirming.hits is not None:
        messages.success(request, f"{words.plural(len(confirming.hits), 'trial HIT')} on the way to the marketplace.")
        return to_test(access, programme)
    context = {
        "programme": programme,
        "offer": quote,
        "workers": workers,
        "gate": [requirements.sentence(one) for one in programme.gate],
    }
    return page(request, access, "offer_trials", context | confirming.context, status=confirming.status)


@project_page("run")
@require_POST
def end(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Takes the test's HITs off the market."""
    programme = programme_or_404(access, number)
    count = programmes.end_trials(programme=programme)
    said = f"{words.plural(count, 'trial HIT')} on the way off the market." if count else "No trial HIT is on offer."
    messages.success(request, said)
    return to_test(access, programme)


@project_page("run")
@require_POST
def give(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Gives a worker the qualification without a test."""
    form = GiveByHand(request.POST, prefix="give")
    said = "{worker} is granted {value}; the marketplace follows."
    return _held(request, access, number, form, act=qualifying.grant, said=said)


@project_page("run")
@require_POST
def take(request: HttpRequest, access: Access, number: int) -> HttpResponse:
    """Takes the qualification from a worker."""
    form = TakeAway(request.POST, prefix="take")
    said = "{worker} no longer holds it; the marketplace follows."
    return _held(request, access, number, form, act=qualifying.revoke, said=said)


def _held(
    request: HttpRequest, access: Access, number: int, form: Form, *, act: Callable[..., Grant], said: str
) -> HttpResponse:
    """Has a worker hold the qualification or no longer, as a form says, or shows the form again with what is wrong."""
    programme = programme_or_404(access, number)
    if form.is_valid():
        fields = form.cleaned_data
        try:
            person = _worker(access, fields["worker"])
            act(qualification=programme.qualification, **fields | {"worker": person})
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, said.format(**fields))
            return to_test(access, programme)
    return _shown(request, access, programme, form=form, status=422)


def _worker(access: Access, name: str) -> Any:
    person = worker_called(access.project, name.strip())
    if person is None:
        raise Refused(f"nobody is called {name.strip()!r} in this project: expected a pseudonym of its releases")
    return person


@project_page("run")
@require_POST
def ask(request: HttpRequest, access: Access, number: int, name: str) -> HttpResponse:
    """Has a stage's HITs ask for the qualification, or no longer."""
    programme, stage = programme_or_404(access, number), stage_or_404(access, name)
    asks = request.POST.get("asks") == "yes"
    try:
        (qualifying.require if asks else qualifying.no_longer_require)(
            qualification=programme.qualification, stage=stage
        )
    except Refused as refusal:
        messages.error(request, f"Nothing was changed: {refusal}.")
    else:
        verb = "ask" if asks else "no longer ask"
        messages.success(request, f"HITs of {words.spaced(stage.name)} that are published from now on {verb} for it.")
    return to_test(access, programme)


@project_page("run")
@require_POST
def send_again(request: HttpRequest, access: Access, number: int, grant: int) -> HttpResponse:
    """Asks the marketplace once more for what it refused."""
    programme = programme_or_404(access, number)
    row = Grant.objects.filter(pk=grant, qualification__in=qualifications_of(access.project)).first()
    if row is None:
        raise Http404("no such grant")
    try:
        qualifying.send_again(grant=row)
    except Refused as refusal:
        messages.error(request, f"Nothing was changed: {refusal}.")
    else:
        messages.success(request, "The marketplace is asked once more.")
    return to_test(access, programme)
