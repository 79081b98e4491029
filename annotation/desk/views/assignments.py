"""The table of assignments, one of them, and a person's decisions on it: pay, reject, reward, bar, settle.

A decision that costs a worker money, or costs money, is shown once more before it is taken. Nothing here
waits for the marketplace: a decision is planned, and carried out by the dispatcher.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotation.desk import assignments as work
from annotation.desk import queries, words
from annotation.desk.access import Access, project_page
from annotation.desk.forms.decisions import BonusForm, Override, Rejection, Settlement, WithReason
from annotation.desk.forms.tables import AssignmentFilter
from annotation.desk.numbers import plain_text, whole_number
from annotation.desk.views.frame import page as project_frame
from annotation.desk.views.frame import posted
from annotation.hits import paying, quarantine
from annotation.hits.fees import bonus_fee_cents
from annotation.hits.models import Assignment
from annotation.hits.queries import spending, unplaced
from annotation.projects.actions import Refused
from annotation.workers.actions import bar_worker, unbar_worker
from annotation.workers.queries import release_pseudonym, worker_called

ON_ITS_WAY = "The marketplace is told within a minute."
LONGEST_PSEUDONYM = 20


def assignment_or_404(access: Access, pk: int) -> Assignment:
    found = work.find_assignment(access.project, pk)
    if found is None:
        raise Http404("no such assignment")
    return found


@project_page("run")
@require_safe
def table(request: HttpRequest, access: Access) -> HttpResponse:
    stages = list(access.project.stages.filter(crowd=True).order_by("position"))
    form = AssignmentFilter(request.GET, stages=stages)
    asked = form.cleaned_data if form.is_valid() else {}
    name = plain_text(asked.get("worker", ""), LONGEST_PSEUDONYM).strip()
    worker = worker_called(access.project, name) if name else None
    is_unknown = bool(name) and worker is None
    rows = work.assignments_of(
        access.project, stage=asked.get("stage", ""), state=asked.get("state", ""), worker=worker
    )
    context = {
        "form": form,
        "slice": work.slice_assignments(
            access.project,
            rows.none() if is_unknown else rows,
            after=whole_number(request.GET.get("after")),
            before=whole_number(request.GET.get("before")),
        ),
        "unknown_worker": name if is_unknown else "",
        "one_worker": name if worker else "",
        "is_barred": bool(worker and worker.is_barred),
        "is_filtered": any(asked.values()),
        "one_stage": len(stages) == 1,
    }
    return project_frame(request, access, "assignments", context)


@project_page("run")
@require_safe
def page(request: HttpRequest, access: Access, assignment: int) -> HttpResponse:
    """One assignment: what was answered, what the checks said, what happened, and what a person can decide."""
    found = work.work_of(assignment_or_404(access, assignment))
    context = {
        "work": found,
        "assignment": found.assignment,
        "stage": found.assignment.hit.stage,
        "answered": sum(given.answer is not None for given in found.given),
        "events": words.happenings(found.events, queries.names_in(access.project)),
    }
    return project_frame(request, access, "assignment", context)


# --- Decisions ------------------------------------------------------------------------------------


@project_page("run")
@require_POST
def approve(request: HttpRequest, access: Access, assignment: int) -> HttpResponse:
    """Approves submitted work now, whatever is left of the time to look."""
    found = assignment_or_404(access, assignment)
    try:
        if found.state == Assignment.State.REJECTED:
            raise Refused("a rejection is turned round on a page of its own, with a word to the worker")
        paying.approve(assignment=found)
    except Refused as refusal:
        messages.error(request, f"Nothing was changed: {refusal}.")
    else:
        messages.success(request, f"This work is being approved and paid. {ON_ITS_WAY}")
    return redirect("desk:assignment", slug=access.project.slug, assignment=found.pk)


@dataclass(frozen=True)
class Decision:
    """A page that asks for one decision: what it means, its form, and what taking it does."""

    title: str
    button: str
    means: list[str]
    take: Callable[[dict], str]
    why_not: str = ""
    warning: str = ""
    tone: str = "primary"
    # What is read and ticked before it is taken; empty where the form itself is enough.
    confirms: Callable[[dict], list[tuple[str, str]]] | None = None

    @property
    def asks_twice(self) -> bool:
        return self.confirms is not None


@project_page("run")
def reject(request: HttpRequest, access: Access, assignment: int) -> HttpResponse:
    found = assignment_or_404(access, assignment)
    lately = work.rejections_of(found.worker, access.project)
    reward = words.dollars(found.hit.reward_cents)

    def take(asked: dict) -> str:
        paying.reject(assignment=found, reason=asked["reason"])
        return f"This work is being rejected. {ON_ITS_WAY}"

    decision = Decision(
        title="Reject this work",
        button="Reject it",
        means=[
            f"The worker is not paid {reward}, and their approval rate falls, which decides what HITs they get.",
            "The worker reads your reason, word for word. Write to a person: what is wrong, and how they could tell.",
            "Its answers don't count any more, and its items may be offered again.",
            "Within 30 days of the submission you can turn it round; the worker is paid then.",
        ],
        take=take,
        why_not=paying.why_not_rejected(found),
        warning=(
            f"This project rejected {words.plural(lately, 'assignment')} of this worker within a day. "
            "Is it the instructions, or a check that is wrong?"
            if lately
            else ""
        ),
        tone="danger",
        confirms=lambda asked: [("The worker loses", reward), ("The worker reads", asked["reason"])],
    )
    return _decide(request, access, found, Rejection(posted(request)), decision)


@project_page("run")
def override(request: HttpRequest, access: Access, assignment: int) -> HttpResponse:
    """Turns a rejection round: the worker is paid after all."""
    found = assignment_or_404(access, assignment)

    def take(asked: dict) -> str:
        paying.approve(assignment=found, feedback=asked["feedback"])
        return f"The rejection is being turned round, and the worker paid. {ON_ITS_WAY}"

    why_not = paying.why_not_approved(found, access.project)
    if found.state != Assignment.State.REJECTED:
        why_not = f"only a rejection can be turned round; this work is {words.ASSIGNMENT_STATES[found.state]}"
    decision = Decision(
        title="Turn the rejection round",
        button="Approve and pay it after all",
        means=[
            f"The worker is paid {words.dollars(found.hit.reward_cents)}, and the rejection is taken off their record.",
            "Its answers count again.",
        ],
        take=take,
        why_not=why_not,
    )
    return _decide(request, access, found, Override(posted(request)), decision)


@project_page("run")
def bonus(request: HttpRequest, access: Access, assignment: int) -> HttpResponse:
    found = assignment_or_404(access, assignment)
    free = words.dollars(spending(access.project).free_cents)

    def take(asked: dict) -> str:
        paying.bonus(assignment=found, **asked)
        return f"A bonus of {words.dollars(asked['cents'])} is on its way. {ON_ITS_WAY}"

    def confirms(asked: dict) -> list[tuple[str, str]]:
        fee = bonus_fee_cents(asked["cents"])
        return [
            ("The worker receives", words.dollars(asked["cents"])),
            ("Marketplace's fee", words.dollars(fee)),
            ("Together", words.dollars(asked["cents"] + fee)),
            ("Left of the budget before it", free),
            ("The worker reads", asked["reason"]),
        ]

    decision = Decision(
        title="Pay a bonus",
        button="Pay it",
        means=[
            "The marketplace takes a fee of 20 % on top, at least one cent. It is shown before you confirm.",
            f"{free} of the budget is free.",
            "A bonus is paid once for a purpose: asking again for the same one changes nothing.",
        ],
        take=take,
        why_not=paying.why_no_bonus(found),
        confirms=confirms,
    )
    return _decide(request, access, found, BonusForm(posted(request)), decision)


@project_page("run")
def worker(request: HttpRequest, access: Access, assignment: int) -> HttpResponse:
    """Bars the worker of an assignment, or lets them work again."""
    found = assignment_or_404(access, assignment)
    place = words.marketplace(found.worker.environment)
    act = unbar_worker if found.worker.is_barred else bar_worker

    def take(asked: dict) -> str:
        act(worker=found.worker, reason=asked["reason"], project_id=access.project.pk)
        return "The worker may open HITs again." if act is unbar_worker else "The worker is barred."

    barring = Decision(
        title="Bar this worker",
        button="Bar the worker",
        means=[
            "The worker can't open further HITs, of this project or any other one of this server "
            f"in the same marketplace ({place}): a worker is known by marketplace, not by project.",
            "They see a polite refusal before any work. Your reason stays here; they don't read it.",
            "Work that is open may be finished, and what is handed in is paid as before.",
        ],
        take=take,
        tone="danger",
    )
    letting_in = Decision(
        title="Let this worker in again",
        button="Let the worker in",
        means=[f"The worker may open HITs again, of all projects of this server in the same marketplace ({place})."],
        take=take,
    )
    decision = letting_in if found.worker.is_barred else barring
    return _decide(request, access, found, WithReason(posted(request)), decision)


@project_page("run")
def settle(request: HttpRequest, access: Access, assignment: int) -> HttpResponse:
    """Pays by a bonus what the marketplace does not list as its worker's, or writes down what became of the pay."""
    found = assignment_or_404(access, assignment)

    def take(asked: dict) -> str:
        quarantine.settle_by_hand(assignment=found, **asked)
        if asked["how"] == "bonus":
            return f"A bonus of {words.dollars(found.hit.reward_cents)} is on its way. {ON_ITS_WAY}"
        return "Written down. The work is off the list of problems, and still doesn’t count."

    why_not = ""
    if found.settlement:
        why_not = f"this work is settled already ({found.settlement})"
    elif not unplaced(access.project).filter(pk=found.pk).exists():
        state = words.ASSIGNMENT_STATES[found.state]
        why_not = f"only work in quarantine, or that another worker got, is settled by hand; this is: {state}"
    no_bonus = quarantine.why_no_bonus(found)
    reward, fee = found.hit.reward_cents, bonus_fee_cents(found.hit.reward_cents)
    pays = (
        f"A bonus pays the worker {words.dollars(reward)}, and the marketplace takes {words.dollars(fee)} on top. "
        f"{words.dollars(spending(access.project).free_cents)} of the budget is free."
    )
    decision = Decision(
        title="Settle work that the marketplace doesn’t pay",
        button="Settle it",
        means=[
            "The marketplace does not list this as its worker’s work: it pays nothing, and the answers don’t count.",
            f"It can’t be paid by a bonus yet: {no_bonus}." if no_bonus else pays,
            "Somebody did it all the same. Say what becomes of their pay, for whoever looks at the books later.",
        ],
        take=take,
        why_not=why_not,
    )
    return _decide(request, access, found, Settlement(posted(request), without_bonus=bool(no_bonus)), decision)


def _decide(
    request: HttpRequest, access: Access, assignment: Assignment, form: forms.Form, decision: Decision
) -> HttpResponse:
    """Asks; shows what was typed once more where that is wanted; takes the decision."""
    is_confirming = False
    if request.method == "POST" and decision.why_not:
        form.add_error(None, f"{decision.why_not[0].upper()}{decision.why_not[1:]}.")
    elif request.method == "POST" and form.is_valid():
        is_confirming = decision.asks_twice and request.POST.get("confirmed") != "yes"
        if not is_confirming:
            try:
                said = decision.take(form.cleaned_data)
            except Refused as refusal:
                form.add_error(None, f"{refusal}.")
            else:
                messages.success(request, said)
                return redirect("desk:assignment", slug=access.project.slug, assignment=assignment.pk)
    context = {
        "decision": decision,
        "assignment": assignment,
        "worker": release_pseudonym(access.project, assignment.worker.pseudonym),
        "stage": assignment.hit.stage,
        "form": form,
        "is_confirming": is_confirming,
        # The box was there and was not ticked.
        "is_unticked": is_confirming and "shown" in request.POST,
        "summary": decision.confirms(form.cleaned_data) if is_confirming and decision.confirms else [],
    }
    return project_frame(request, access, "decide", context, status=422 if form.errors else 200)
