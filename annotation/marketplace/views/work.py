"""Workers' pages: find, preview, accept, work, return, queue, history, earnings."""

from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.db.models import Sum
from django.db.models.functions import TruncDate
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotation.marketplace import clock, finding, frames, ledger, standing, working
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT, Assignment, Book, Entry, HITType
from annotation.marketplace.views.pages import page_for, paged, refused, show

# Of HITs of a group, when others are quicker each time.
MOST_TRIES = 20


def framed(response: HttpResponse) -> HttpResponse:
    """Let this page hold the task's frame."""
    response.csp = {"frame-src": " ".join(settings.MARKETPLACE_FRAME_SOURCES)}
    return response


@page_for("worker")
def find(request: HttpRequest) -> HttpResponse:
    """The list of HIT groups."""
    words, order = request.GET.get("q", "")[:200], request.GET.get("order", "newest")
    pay = request.GET.get("pay", "")
    least_cents = round(float(pay) * 100) if pay.replace(".", "", 1).isdecimal() and len(pay) < 8 else 0
    stand = standing.of(request.user)
    groups = finding.groups_for(stand, words=words, least_cents=least_cents, order=order)
    if request.GET.get("qualified"):
        groups = [group for group in groups if not group.lacks]
    page = paged(request, groups, 20)
    page.object_list = finding.explained(stand, page.object_list)
    return show(
        request,
        "find.html",
        page=page,
        total=len(groups),
        words=words,
        order=order,
        pay=pay,
        qualified=request.GET.get("qualified"),
        orders=finding.ORDERS.items(),
    )


def _group(group_id: str) -> HITType:
    return get_object_or_404(HITType.objects.select_related("requester"), group_id=group_id)


@page_for("worker")
@require_GET
def preview(request: HttpRequest, group_id: str) -> HttpResponse:
    """See the task before taking it; nothing is taken by looking."""
    hit_type = _group(group_id)
    stand = standing.of(request.user)
    unmet = standing.explain(stand, stand.unmet(hit_type, "accept"))
    if not stand.may(hit_type, "preview"):
        refusal = Refusal("You cannot preview this work yet.")
        return refused(request, refusal, status=403, unmet=unmet, hit_type=hit_type)
    wanted = request.GET.get("hit", "")
    after = HIT.objects.filter(hit_id=request.GET.get("after", "")).first()
    hit = finding.next_hit(request.user, hit_type, after=after)
    if wanted:
        hit = standing.open_hits_for(request.user).filter(hit_type=hit_type, hit_id=wanted).first() or hit
    if hit is None:
        return refused(request, Refusal("All HITs of this group are taken."), status=404, hit_type=hit_type)
    typical = finding.typical_seconds([hit_type.pk]).get(hit_type.pk)
    group = finding.Group(hit_type, 0, hit.created_at, hit.expires_at, typical)
    return framed(
        show(request, "preview.html", hit=hit, hit_type=hit_type, group=group, frame=frames.frame_for(hit), unmet=unmet)
    )


@page_for("worker")
@require_POST
def accept_group(request: HttpRequest, group_id: str) -> HttpResponse:
    """Take the next HIT of a group."""
    hit_type = _group(group_id)
    for _ in range(MOST_TRIES):
        pk = finding.next_pk(request.user, hit_type)
        if pk is None:
            break
        with suppress(working.Taken):
            return _accept(request, HIT(pk=pk, hit_type=hit_type, requester=hit_type.requester))
    # Who goes on by itself has just handed in: the page of that work says that it was the last.
    if Assignment.objects.filter(worker=request.user, assignment_id=request.POST.get("after", "")).exists():
        return redirect("assignment", request.POST["after"])
    return refused(request, Refusal("All HITs of this group are taken."), hit_type=hit_type)


@page_for("worker")
@require_POST
def accept_hit(request: HttpRequest, hit_id: str) -> HttpResponse:
    """Take one HIT."""
    hit = get_object_or_404(HIT.objects.select_related("hit_type", "requester").defer("question"), hit_id=hit_id)
    try:
        return _accept(request, hit)
    except working.Taken as refusal:
        return refused(request, refusal, hit_type=hit.hit_type)


def _accept(request: HttpRequest, hit: HIT) -> HttpResponse:
    if "accepts_next" in request.POST or "auto_accept_shown" in request.POST:
        request.user.accepts_next = bool(request.POST.get("accepts_next"))
        request.user.save(update_fields=["accepts_next"])
    try:
        assignment = working.accept(worker=request.user, hit=hit)
    except working.Taken:
        raise
    except Refusal as refusal:
        stand = standing.of(request.user)
        unmet = standing.explain(stand, stand.unmet(hit.hit_type, "accept"))
        return refused(request, refusal, unmet=unmet, hit_type=hit.hit_type)
    return redirect("assignment", assignment.assignment_id)


def _mine(request: HttpRequest, assignment_id: str) -> Assignment:
    rows = Assignment.objects.select_related("hit__hit_type__requester").defer("hit__question")
    found = rows.filter(assignment_id=assignment_id, worker=request.user).order_by("-pk").first()
    if found is None:
        raise Http404("You have no assignment with this id.")
    found.worker, found.hit.requester = request.user, found.hit.hit_type.requester
    return found


def seconds_left(assignment: Assignment) -> int:
    """Whole seconds until the deadline."""
    return max(0, int((assignment.deadline - clock.now()).total_seconds()))


@page_for("worker")
@require_GET
def assignment_page(request: HttpRequest, assignment_id: str) -> HttpResponse:
    """The work page, or what became of the work."""
    assignment = _mine(request, assignment_id)
    hit = assignment.hit
    if assignment.status != "Accepted":
        following = finding.next_hit(request.user, hit.hit_type)
        return show(request, "after.html", assignment=assignment, hit=hit, following=following)
    return framed(
        show(
            request,
            "work.html",
            assignment=assignment,
            hit=hit,
            hit_type=hit.hit_type,
            frame=frames.frame_for(hit, assignment),
            seconds_left=seconds_left(assignment),
        )
    )


@page_for("worker")
@require_GET
def assignment_state(request: HttpRequest, assignment_id: str) -> JsonResponse:
    """For the work page's script: is it handed in, how much time is left, where to go next."""
    assignment = _mine(request, assignment_id)
    return JsonResponse(
        {
            "status": assignment.status,
            "seconds_left": seconds_left(assignment) if assignment.status == "Accepted" else 0,
            "next": reverse("assignment", args=[assignment_id]),
        }
    )


@page_for("worker")
@require_POST
def give_back(request: HttpRequest, assignment_id: str) -> HttpResponse:
    """Return work, with a reason if the worker wants to give one."""
    assignment = _mine(request, assignment_id)
    working.give_back(worker=request.user, assignment=assignment, reason=request.POST.get("reason", ""))
    messages.success(request, f"You returned “{assignment.hit.hit_type.title}”. It is free for others now.")
    return redirect("work")


@page_for("worker")
@require_GET
def queue(request: HttpRequest) -> HttpResponse:
    """All HITs accepted and not handed in yet, most urgent first."""
    rows = Assignment.objects.filter(worker=request.user, status="Accepted").order_by("deadline")
    waiting = [(row, seconds_left(row)) for row in rows.select_related("hit__hit_type__requester")]
    return show(request, "queue.html", waiting=waiting, most=working.MOST_AT_ONCE)


@page_for("worker")
@require_GET
def history(request: HttpRequest) -> HttpResponse:
    """All work of this worker, newest first."""
    status = request.GET.get("status", "")
    rows = Assignment.objects.filter(worker=request.user).exclude(status="Accepted").order_by("-pk")
    if status:
        rows = rows.filter(status=status)
    rows = rows.select_related("hit__hit_type__requester", "appeal").annotate(bonus_cents=Sum("bonuses__cents"))
    statuses = ("Submitted", "Approved", "Rejected", "Returned", "Abandoned")
    return show(request, "history.html", page=paged(request, rows), chosen=status, statuses=statuses)


@page_for("worker")
@require_GET
def earnings(request: HttpRequest) -> HttpResponse:
    """What was earned, what waits for approval, what was paid out."""
    entries = Entry.objects.filter(target__owner=request.user, target__kind=Book.EARNINGS)
    by_kind = dict(entries.order_by().values_list("kind").annotate(Sum("cents")))
    days = (
        entries.annotate(day=TruncDate("created_at")).values("day").annotate(cents=Sum("cents")).order_by("-day")[:60]
    )
    waiting = Assignment.objects.filter(worker=request.user, status="Submitted")
    paid_out = Entry.objects.filter(source__owner=request.user, kind="payout").select_related("payout")
    return show(
        request,
        "earnings.html",
        owed=ledger.balance(Book.EARNINGS, request.user),
        rewards=by_kind.get("reward", 0),
        bonuses=by_kind.get("bonus", 0),
        waiting=waiting.aggregate(cents=Sum("hit__hit_type__reward_cents"))["cents"] or 0,
        today=entries.filter(created_at__gte=clock.now() - timedelta(hours=24)).aggregate(cents=Sum("cents"))["cents"]
        or 0,
        days=days,
        paid_out=paid_out.order_by("-pk")[:50],
        recent=entries.select_related("hit__hit_type", "bonus").order_by("-pk")[:50],
    )


@require_GET
def old_address(request: HttpRequest) -> HttpResponse:
    """`/mturk/preview?groupId=…`, the address that old scripts print."""
    group = HITType.objects.filter(group_id=request.GET.get("groupId", "").replace("\x00", "")).first()
    return redirect("preview", group.group_id) if group else redirect("home")
