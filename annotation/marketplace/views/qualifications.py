"""Workers' qualifications: what they have, what they can ask for, the tests."""

from django.core import signing
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from annotation.marketplace import clock, finding, forms, qualifying, requirements, standing
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Qualification, QualificationRequest, QualificationType
from annotation.marketplace.views.pages import page_for, paged, refused, show

# The test's page itself proves who was given it, so that answers survive a session that ended meanwhile.
signer = signing.TimestampSigner(salt="marketplace.test")


@page_for("worker")
def overview(request: HttpRequest) -> HttpResponse:
    """One's own qualifications, and those that can be asked for."""
    words = request.GET.get("q", "")[:100]
    offered = QualificationType.objects.filter(status="Active", deleted_at__isnull=True).select_related("requester")
    for word in words.split()[: finding.MOST_WORDS]:
        offered = offered.filter(Q(name__icontains=word) | Q(description__icontains=word) | Q(keywords__icontains=word))
    mine = Qualification.objects.filter(worker=request.user).select_related("qualification_type__requester")
    values = standing.of(request.user).values
    system = [
        (kind, values.get(kind.type_id))
        for kind in requirements.SYSTEM_TYPES.values()
        if kind.type_id != requirements.MASTERS[1]
    ]
    asked = QualificationRequest.objects.filter(worker=request.user).select_related("qualification_type")
    return show(
        request,
        "qualifications.html",
        system=system,
        mine=mine,
        asked=asked.order_by("-pk")[:20],
        page=paged(request, offered.order_by("name"), 30),
        words=words,
    )


def _active(type_id: str) -> QualificationType:
    rows = QualificationType.objects.filter(deleted_at__isnull=True).select_related("requester")
    return get_object_or_404(rows, type_id=type_id)


@page_for("worker")
def detail(request: HttpRequest, type_id: str) -> HttpResponse:
    """One qualification: what it is, how one stands, what can be done now."""
    kind = _active(type_id)
    qualifying.lapse(worker=request.user, kind=kind)
    granted = Qualification.objects.filter(worker=request.user, qualification_type=kind).first()
    last = kind.requests.filter(worker=request.user).order_by("-pk").first()
    waiting = last is not None and last.status in ("Testing", "Pending")
    again, never = None, ""
    if not waiting:
        try:
            again = qualifying.next_try_at(kind, request.user)
        except Refusal as refusal:
            never = refusal.message
    can_ask = kind.status == "Active" and not waiting and not never and not (again and again > clock.now())
    context = {"kind": kind, "granted": granted, "last": last, "again": again, "never": never, "can_ask": can_ask}
    return show(request, "qualification.html", **context)


@page_for("worker")
@require_POST
def ask(request: HttpRequest, type_id: str) -> HttpResponse:
    """Ask for a qualification, or begin its test."""
    made = qualifying.ask(worker=request.user, kind=_active(type_id))
    return redirect("test" if made.status == "Testing" else "qualification", type_id)


@csrf_exempt  # the signed context is the authority; see `signer`
def test(request: HttpRequest, type_id: str) -> HttpResponse:
    """The test: drawn for a signed-in worker, taken from whoever holds the page."""
    return _hand_in(request, type_id) if request.method == "POST" else _paper(request, type_id)


@page_for("worker")
def _paper(request: HttpRequest, type_id: str) -> HttpResponse:
    kind = _active(type_id)
    qualifying.lapse(worker=request.user, kind=kind)
    begun = kind.requests.filter(worker=request.user, status="Testing").first()
    return _draw(request, begun) if begun else redirect("qualification", type_id)


def _draw(request: HttpRequest, begun: QualificationRequest, given: forms.Given | None = None) -> HttpResponse:
    kind = begun.qualification_type
    left = max(0, int((qualifying.ends_at(begun) - clock.now()).total_seconds()))
    response = show(
        request,
        "test.html",
        status=400 if given else 200,
        kind=kind,
        form=qualifying.read_test(begun.test),
        given=given,
        context=signer.sign(begun.request_id),
        seconds_left=left,
    )
    response.csp = {"img-src": "* data:"}
    return response


def _hand_in(request: HttpRequest, type_id: str) -> HttpResponse:
    try:
        request_id = signer.unsign(request.POST.get("context", ""), max_age=400 * 86_400)
    except signing.BadSignature:
        return refused(request, Refusal("This page was not made by this site; open the test again."), status=403)
    rows = QualificationRequest.objects.select_related("qualification_type__requester", "worker")
    begun = get_object_or_404(rows, request_id=request_id, qualification_type__type_id=type_id)
    given = forms.answers_to(qualifying.read_test(begun.test), request.POST)
    if given.faults and begun.status == "Testing":
        return _draw(request, begun, given)
    try:
        qualifying.hand_in_test(request=begun, given=given)
    except Refusal as refusal:
        return refused(request, refusal)
    if not request.user.is_authenticated:
        return redirect(f"{reverse('sign-in')}?next={reverse('qualification', args=[type_id])}")
    return redirect("qualification", type_id)
