"""What surrounds the work: profile, messages, appeals, reports, one's own data as CSV."""

import csv

from django.contrib import messages as flash
from django.contrib.auth import update_session_auth_hash
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_safe

from annotation.marketplace import messaging, requirements
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT, Assignment, Message, SystemValue
from annotation.marketplace.views.fields import plain_cell
from annotation.marketplace.views.pages import page_for, paged, refused, show, signed_in_page


@page_for("worker")
@require_safe
def history_csv(request: HttpRequest) -> HttpResponse:
    """All of one's own work as a table."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="my-work.csv"'
    writer = csv.writer(response)
    names = "assignment_id title requester status reward_usd bonus_usd accepted submitted feedback"
    writer.writerow(names.split())
    rows = Assignment.objects.filter(worker=request.user).select_related("hit__hit_type__requester").order_by("pk")
    for row in rows.annotate(bonus_cents=Sum("bonuses__cents")).iterator():
        cells = [
            row.assignment_id,
            row.hit.hit_type.title,
            row.hit.hit_type.requester.display_name,
            row.status,
            f"{row.reward_cents / 100:.2f}",
            f"{(row.bonus_cents or 0) / 100:.2f}",
            row.accepted_at.isoformat(timespec="seconds"),
            row.submitted_at.isoformat(timespec="seconds") if row.submitted_at else "",
            row.feedback,
        ]
        writer.writerow([plain_cell(cell) for cell in cells])
    return response


@page_for("worker")
@require_http_methods(["GET", "HEAD", "POST"])
def appeal(request: HttpRequest, assignment_id: str) -> HttpResponse:
    """Object to a rejection."""
    rows = Assignment.objects.filter(worker=request.user, assignment_id=assignment_id, status="Rejected")
    assignment = rows.select_related("hit__hit_type__requester").first()
    if assignment is None:
        raise Http404("You have no rejected work with this id.")
    if request.method == "POST":
        messaging.appeal(worker=request.user, assignment=assignment, text=request.POST.get("text", ""))
        flash.success(request, "Your appeal is with the requester. You will see the answer under History.")
        return redirect("history")
    return show(request, "appeal.html", assignment=assignment)


@page_for("worker")
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, hit_id: str) -> HttpResponse:
    """Tell the operator that something is wrong with a HIT."""
    hit = get_object_or_404(HIT.objects.select_related("hit_type__requester"), hit_id=hit_id)
    if request.method == "POST":
        reason, text = request.POST.get("reason", ""), request.POST.get("text", "")
        messaging.report(worker=request.user, hit=hit, reason=reason, text=text)
        flash.success(request, "Thank you. The operator of this marketplace has your report.")
        return redirect("work")
    return show(request, "report.html", hit=hit, reasons=messaging.REPORT_REASONS.items())


@page_for("worker")
@require_http_methods(["GET", "HEAD", "POST"])
def contact(request: HttpRequest, hit_id: str) -> HttpResponse:
    """Write to the requester of a HIT."""
    hit = get_object_or_404(HIT.objects.select_related("hit_type", "requester"), hit_id=hit_id)
    if request.method == "POST":
        body = request.POST.get("body", "").strip()
        if not body:
            return refused(request, Refusal("The message is empty; nothing was sent."), status=400)
        messaging.send(
            sender=request.user,
            recipient=hit.requester,
            subject=f"About “{hit.hit_type.title}”"[:200],
            body=body[:4096],
            hit=hit,
        )
        flash.success(request, "Your message is sent. The answer will be under Messages.")
        return redirect("messages")
    return show(request, "contact.html", hit=hit)


@signed_in_page
@require_safe
def inbox(request: HttpRequest) -> HttpResponse:
    """Messages got and sent, newest first; looking at them makes them read."""
    got = Message.objects.filter(recipient=request.user) | Message.objects.filter(sender=request.user)
    page = paged(request, got.select_related("sender", "recipient", "hit").order_by("-pk"), 30)
    new = {message.pk for message in page if message.recipient_id == request.user.pk and not message.read_at}
    response = show(request, "messages.html", page=page, new=new)
    for message in page:
        if message.pk in new:
            messaging.read(message=message)
    return response


@signed_in_page
@require_http_methods(["GET", "HEAD", "POST"])
def reply(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer a message."""
    rows = Message.objects.select_related("sender", "recipient", "hit")
    message = get_object_or_404(rows, pk=pk, recipient=request.user)
    if request.method != "POST":
        return show(request, "reply.html", message=message)
    body = request.POST.get("body", "").strip()
    if not body:
        return refused(request, Refusal("The message is empty; nothing was sent."), status=400)
    subject = message.subject if message.subject.startswith("Re: ") else f"Re: {message.subject}"[:200]
    messaging.send(sender=request.user, recipient=message.sender, subject=subject, body=body[:4096], hit=message.hit)
    flash.success(request, "Your answer is sent.")
    return redirect("messages")


@signed_in_page
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """The little that is known of an account, and what its owner can change."""
    user = request.user
    if request.method == "POST":
        fault = _change_password(request) if "password" in request.POST else _change_profile(request)
        if fault:
            flash.error(request, fault)
        else:
            flash.success(request, "Saved.")
        return redirect("profile")
    values = {value.qualification_type_id: value for value in user.system_values.all()}
    return show(request, "profile.html", country=values.get(requirements.LOCALE), adult=values.get(requirements.ADULT))


def _change_password(request: HttpRequest) -> str:
    user, new = request.user, request.POST.get("password", "")
    if not user.check_password(request.POST.get("old", "")):
        return "The present password is not right; nothing was changed."
    if len(new) < 8:
        return "The new password needs at least 8 characters; nothing was changed."
    user.set_password(new)
    user.save(update_fields=["password"])
    update_session_auth_hash(request, user)
    return ""


def _change_profile(request: HttpRequest) -> str:
    user, posted = request.user, request.POST
    if user.is_requester or user.is_operator:
        name = posted.get("display_name", "").strip()
        if not 1 <= len(name) <= 80:
            return "The name that others see takes 1 to 80 characters; nothing was changed."
        user.display_name = name
    user.accepts_next = bool(posted.get("accepts_next"))
    user.save(update_fields=["display_name", "accepts_next"])
    if not user.is_worker:
        return ""
    country = posted.get("country", "").strip().upper()
    if country and not (len(country) == 2 and country.isascii() and country.isalpha()):
        return "A country is two letters, such as DE; it was not changed."
    # A part of a country (which the operator sets) goes with its country.
    if not user.system_values.filter(qualification_type_id=requirements.LOCALE, country=country).exists():
        _set_value(user, requirements.LOCALE, country=country, subdivision="")
    _set_value(user, requirements.ADULT, integer_value=1 if posted.get("adult") else None)
    return ""


def _set_value(user, type_id: str, **value: object) -> None:
    if any(value.values()):
        SystemValue.objects.update_or_create(worker=user, qualification_type_id=type_id, defaults=value)
    else:
        SystemValue.objects.filter(worker=user, qualification_type_id=type_id).delete()
