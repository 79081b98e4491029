"""The operator's pages: accounts and their money, pay-outs, reports, opening and closing."""

import csv
import json

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.db.models import Count, F, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_safe

from annotation.marketplace import accounts, clock, faults, ledger, market, messaging, requirements
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Account, Book, Entry, Invitation, PayOut, Report, SystemValue
from annotation.marketplace.views import fields
from annotation.marketplace.views.pages import page_for, paged, show

EDITABLE = (requirements.APPROVED, requirements.PERCENT, requirements.ADULT, requirements.MASTERS[0])


@page_for("operator")
@require_http_methods(["GET", "HEAD", "POST"])
def overview(request: HttpRequest) -> HttpResponse:
    """All accounts, invitations, the marketplace's own books."""
    if request.method == "POST":
        role = request.POST.get("role", "worker")
        if role not in ("worker", "requester"):
            raise Refusal(f"An invitation is for a worker or a requester; found {role!r}.")
        made = accounts.invite(role=role, note=request.POST.get("note", "")[:200])
        messages.success(
            request, f"Invitation for a {role}: {settings.MARKETPLACE_PUBLIC_URL}/sign-up/?invitation={made.code}"
        )
        return redirect("operator")
    words = request.GET.get("q", "").strip()[:80]
    rows = Account.objects.order_by("-pk")
    if words:
        named = Q(username__icontains=words) | Q(display_name__icontains=words)
        rows = rows.filter(named | Q(customer_id__iexact=words))
    invitations = Invitation.objects.filter(used_by__isnull=True).order_by("-pk")[:50]
    owed = Book.objects.filter(kind=Book.EARNINGS).aggregate(cents=Sum("balance_cents", default=0))["cents"]
    return show(
        request,
        "operator/overview.html",
        page=paged(request, rows),
        words=words,
        invitations=invitations,
        owed=owed,
        fees=ledger.balance(Book.FEES),
        public_url=settings.MARKETPLACE_PUBLIC_URL,
    )


@page_for("operator")
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest, pk: int) -> HttpResponse:
    """One account: roles, money, limits, a worker's values, faults."""
    row = get_object_or_404(Account, pk=pk)
    if request.method == "POST":
        with fields.done_once(request):
            messages.success(request, _change(request, row))
        return redirect("operator-account", pk)
    values = {value.qualification_type_id: value for value in row.system_values.all()}
    shown = [(requirements.SYSTEM_TYPES[type_id], values.get(type_id)) for type_id in EDITABLE]
    mine = Q(source__owner=row) | Q(target__owner=row)
    return show(
        request,
        "operator/account.html",
        account=row,
        books=row.books.order_by("kind"),
        values=shown,
        country=values.get(requirements.LOCALE),
        page=paged(request, Entry.objects.filter(mine).select_related("source", "target").order_by("-pk"), 30),
        faults_allowed=faults.allowed(),
        plan=json.dumps(row.fault_plan, indent=2),
    )


@transaction.atomic
def _change(request: HttpRequest, row: Account) -> str:
    posted = request.POST
    match posted.get("do"):
        case "prepay":
            ledger.prepay(requester=row, **_money(request))
            return "The prepayment is entered."
        case "refund":
            ledger.refund(requester=row, **_money(request))
            return "The refund is entered."
        case "roles":
            return _change_roles(request, row)
        case "limit":
            row.calls_per_second = max(0, fields.whole(request, "calls", "The calls a second"))
            row.save(update_fields=["calls_per_second"])
            return "The limit is set." if row.calls_per_second else "The limit is lifted."
        case "values":
            return _change_values(request, row)
        case "faults":
            if not faults.allowed():
                raise Refusal("Faults on purpose are switched off in production.", "PermissionDenied")
            row.fault_plan = faults.read(posted.get("plan", ""))
            row.save(update_fields=["fault_plan"])
            return "The fault plan is set." if row.fault_plan else "There is no fault plan."
        case other:
            raise Refusal(f"There is nothing called {other!r} to do with an account.")


def _money(request: HttpRequest) -> dict:
    return {
        "cents": fields.cents(request, "amount", "The amount"),
        "note": request.POST.get("note", "")[:200],
        "token": fields.token(request),
    }


def _change_roles(request: HttpRequest, row: Account) -> str:
    posted = request.POST
    if row == request.user and not (posted.get("is_operator") and posted.get("is_active")):
        raise Refusal("You cannot take your own operator's role or switch your own account off.")
    for name in ("is_worker", "is_requester", "is_operator", "is_active"):
        setattr(row, name, bool(posted.get(name)))
    row.save(update_fields=["is_worker", "is_requester", "is_operator", "is_active"])
    return "The roles are set."


def _change_values(request: HttpRequest, row: Account) -> str:
    for type_id in EDITABLE:
        text = request.POST.get(type_id, "").strip()
        if text:
            value = fields.whole(request, type_id, requirements.SYSTEM_TYPES[type_id].description)
            SystemValue.objects.update_or_create(
                worker=row, qualification_type_id=type_id, defaults={"integer_value": value}
            )
        else:
            SystemValue.objects.filter(worker=row, qualification_type_id=type_id).delete()
    country, part = request.POST.get("country", "").strip().upper(), request.POST.get("subdivision", "").strip().upper()
    for letters in filter(None, (country, part)):
        if not (len(letters) == 2 and letters.isascii() and letters.isalnum()):
            raise Refusal(f"A country and its part are two letters each; found {letters!r}.")
    if country:
        SystemValue.objects.update_or_create(
            worker=row,
            qualification_type_id=requirements.LOCALE,
            defaults={"country": country, "subdivision": part},
        )
    else:
        SystemValue.objects.filter(worker=row, qualification_type_id=requirements.LOCALE).delete()
    return "The values are set. An empty one is counted from the work done."


@page_for("operator")
@require_http_methods(["GET", "HEAD", "POST"])
def payouts(request: HttpRequest) -> HttpResponse:
    """What is owed to workers, as lists to be paid."""
    if request.method == "POST":
        messages.success(request, _to_payout(request))
        return redirect("payouts")
    owed = Book.objects.filter(kind=Book.EARNINGS, balance_cents__gt=0)
    sums = owed.aggregate(total=Sum("balance_cents", default=0), count=Count("pk"))
    lists = PayOut.objects.annotate(workers=Count("entries"), cents=Sum("entries__cents", default=0))
    return show(
        request,
        "operator/payouts.html",
        page=paged(request, owed.select_related("owner").order_by("-balance_cents", "pk"), 100),
        **sums,
        lists=lists.defer("lines").order_by("-pk")[:50],
    )


def _to_payout(request: HttpRequest) -> str:
    if request.POST.get("do") == "paid":
        row = get_object_or_404(PayOut, pk=fields.whole(request, "payout", "The list"))
        row.paid_at = row.paid_at or clock.now()
        row.save(update_fields=["paid_at"])
        return f"List {row.pk} is marked as paid."
    made = ledger.make_payout(operator=request.user)
    return f"List {made.pk} is made: {len(made.lines)} workers. Download it, pay it, then mark it as paid."


@page_for("operator")
@require_safe
def payout_csv(request: HttpRequest, pk: int) -> HttpResponse:
    """One list for whoever pays."""
    row = get_object_or_404(PayOut, pk=pk)
    names = dict(
        Account.objects.filter(customer_id__in=[line["worker_id"] for line in row.lines]).values_list(
            "customer_id", "username"
        )
    )
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="pay-out-{pk}.csv"'
    writer = csv.writer(response)
    writer.writerow(["worker_id", "username", "amount_usd", "paid"])
    for line in row.lines:
        amount = ledger.dollars(line["cents"])
        username = fields.plain_cell(names.get(line["worker_id"], ""))
        writer.writerow([line["worker_id"], username, amount, "yes" if row.paid_at else "no"])
    return response


@page_for("operator")
@require_http_methods(["GET", "HEAD", "POST"])
def reports(request: HttpRequest) -> HttpResponse:
    """What workers reported."""
    if request.method == "POST":
        row = get_object_or_404(Report, pk=fields.whole(request, "report", "The report"))
        row.closed_at = clock.now()
        row.save(update_fields=["closed_at"])
        messages.success(request, "The report is closed.")
        return redirect("reports")
    rows = Report.objects.select_related("hit__hit_type", "hit__requester", "worker")
    rows = rows.order_by(F("closed_at").asc(nulls_first=True), "-pk")
    return show(request, "operator/reports.html", page=paged(request, rows), reasons=messaging.REPORT_REASONS)


@page_for("operator")
@require_http_methods(["GET", "HEAD", "POST"])
def market_page(request: HttpRequest) -> HttpResponse:
    """Open or close the marketplace, put a notice on every page."""
    if request.method == "POST":
        notice = request.POST.get("notice", "").strip()
        if request.POST.get("do") == "close":
            market.close(notice=notice)
        else:
            market.reopen(notice=notice)
        messages.success(request, "Saved.")
        return redirect("market")
    return show(request, "operator/market.html")
