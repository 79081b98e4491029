"""A stage: its settings, what publishing it costs, publishing, pausing and topping up."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotation.desk import charts, queries, requirements, words
from annotation.desk.access import Access, project_page
from annotation.desk.forms.stages import StageSettings
from annotation.desk.plots import Plot
from annotation.desk.views.frame import page, posted
from annotation.desk.views.publishing import confirm_and_publish
from annotation.hits import publishing
from annotation.hits.expiring import expire_stage
from annotation.hits.queries import ENOUGH_TIMES, progress, spending, timings
from annotation.projects import actions
from annotation.projects.models import Stage
from annotation.projects.queries import item_counts, task_type_of
from annotation.review import figures
from annotation.solving import training
from annotation.solving.queries import facts_of


def stage_or_404(access: Access, name: str) -> Stage:
    stage = queries.stage_of(access.project, name)
    if stage is None:
        raise Http404("no such stage")
    return stage


@project_page("run")
def change(request: HttpRequest, access: Access, name: str) -> HttpResponse:
    stage = stage_or_404(access, name)
    form = StageSettings(posted(request), stage=stage)
    if request.method == "POST" and form.is_valid():
        try:
            changes = form.changes()
            actions.change_stage(stage=stage, **changes)
        except actions.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            said = "The stage is changed. HITs that are out keep what they promised."
            messages.success(request, said if changes else "Nothing was different.")
            return redirect("desk:stage", slug=access.project.slug, name=stage.name)
    context = {
        "stage": stage,
        "kind": task_type_of(stage),
        "form": form,
        "counts": item_counts(access.project)[stage.name],
        "assignments": progress(stage) if stage.crowd else None,
        "progress": figures.progress(stage) if stage.crowd else None,
        "requirements": requirements.sentences(stage),
        "pay": _pay(access, stage) if stage.crowd else None,
        "solvers": facts_of(stage),
        "here": stage.name,
    }
    return page(request, access, "stage", context, status=422 if form.errors else 200)


def _pay(access: Access, stage: Stage) -> Plot | None:
    return charts.pay(stage.name, figures.hourly_pay(access.project, stage), access.project.wage_floor_cents)


@project_page("run")
def quote_page(request: HttpRequest, access: Access, name: str) -> HttpResponse:
    """What publishing would cost, to the cent; a confirmation of exactly that publishes."""
    stage = stage_or_404(access, name)
    if not stage.crowd:
        raise Http404("an expert stage publishes nothing")
    only_unfinished = request.GET.get("only") == "unfinished"
    offer = publishing.quote(stage, only_unfinished=only_unfinished)
    publish = partial(publishing.publish, stage=stage, only_unfinished=only_unfinished)
    confirming = confirm_and_publish(request, access, offer, publish)
    if confirming.hits is not None:
        messages.success(request, f"{words.plural(len(confirming.hits), 'HIT')} on the way to the marketplace.")
        return redirect("desk:project", slug=access.project.slug)
    context = {
        "stage": stage,
        "offer": offer,
        "only_unfinished": only_unfinished,
        "spending": charts.spending(spending(access.project), offer.total_cents),
        "fee_share": offer.fee_cents / offer.reward_cents if offer.reward_cents else None,
        "is_measured": timings(stage).count >= ENOUGH_TIMES,
        "after_cents": offer.cap_cents - offer.committed_cents - offer.total_cents,
        "requirements": requirements.sentences(stage),
        "here": stage.name,
    }
    return page(request, access, "quote", context | confirming.context, status=confirming.status)


def _train(request: HttpRequest, stage: Stage) -> None:
    ordered = training.order(stage=stage, solvers=training.learners(stage))
    if ordered:
        messages.success(request, f"The training of {words.plural(len(ordered), 'solver')} is ordered.")
    else:
        messages.info(request, "All of them are being trained already.")


@project_page("run")
@require_POST
def move(request: HttpRequest, access: Access, name: str) -> HttpResponse:
    """Opens or pauses a stage, takes its HITs off the market, or has its solvers trained."""
    stage = stage_or_404(access, name)
    to = request.POST.get("to", "")
    if to == "open":
        actions.open_stage(stage=stage)
        messages.success(request, f"{stage.name} is open.")
    elif to == "pause":
        actions.pause_stage(stage=stage)
        messages.success(request, f"{stage.name} is paused: nothing more of it is published. HITs that are out stay.")
    elif to == "expire":
        actions.pause_stage(stage=stage)
        count = expire_stage(stage=stage)
        messages.success(
            request,
            f"{words.plural(count, 'HIT')} on the way off the market; {stage.name} is paused. "
            "Who accepted one in time may finish and is paid.",
        )
    elif to == "train":
        _train(request, stage)
    else:
        raise Http404("no such move")
    return redirect("desk:stage", slug=access.project.slug, name=stage.name)
