"""What stands in the frame when we hold it ourselves: requesters' HTML, and QuestionForms drawn here."""

import re

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.core.signing import BadSignature, SignatureExpired
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.templatetags.static import static
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from annotation.marketplace import answers, forms, frames, questions, sweep, working
from annotation.marketplace.api.hits import uploads
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT
from annotation.marketplace.views import submitting
from annotation.marketplace.views.pages import show

# Old HTML names Amazon's hosts; the same pages must hand in here.
SUBMIT_HOSTS = re.compile(r"https?://(?:www|worker|workersandbox)\.mturk\.com/mturk/externalSubmit")
HELPER_SCRIPT = re.compile(r"https?://s3\.amazonaws\.com/mturk-public/externalHIT_v1\.js")


@xframe_options_exempt
@require_safe
def question(request: HttpRequest, hit_id: str) -> HttpResponse:
    """The frame's page of an HTMLQuestion or QuestionForm."""
    hit = get_object_or_404(HIT.objects.select_related("hit_type"), hit_id=hit_id, question_kind__in=("html", "form"))
    if hit.question_kind == "html":
        return _html(hit)
    assignment_id = request.GET.get("assignmentId", frames.PREVIEW)
    return _draw(request, hit, assignment_id, worker_id=request.GET.get("workerId", ""))


def _html(hit: HIT) -> HttpResponse:
    html = questions.read(hit.question).html
    html = SUBMIT_HOSTS.sub(f"{settings.MARKETPLACE_PUBLIC_URL}/mturk/externalSubmit", html)
    html = HELPER_SCRIPT.sub(frames.content_url() + static("marketplace/external-hit.js"), html)
    response = HttpResponse(html)
    # The requester's page may do what any page may, but with an origin of its own that is nobody's.
    response["Content-Security-Policy"] = (
        f"sandbox {frames.STRICT_SANDBOX}; frame-ancestors 'self' {settings.MARKETPLACE_PUBLIC_URL}; "
        "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'; object-src 'none'; base-uri 'none'"
    )
    return response


def _draw(
    request: HttpRequest, hit: HIT, assignment_id: str, *, worker_id: str, given: forms.Given | None = None
) -> HttpResponse:
    form = questions.form_of(hit.question)
    response = show(
        request,
        "question.html",
        status=400 if given and given.faults else 200,
        hit=hit,
        form=form,
        given=given,
        assignment_id=assignment_id,
        worker_id=worker_id,
        preview=assignment_id == frames.PREVIEW,
        submit_url=f"{settings.MARKETPLACE_PUBLIC_URL}/mturk/formSubmit",
    )
    response.csp = {
        "frame-ancestors": f"'self' {settings.MARKETPLACE_PUBLIC_URL}",
        "img-src": "* data:",
        "form-action": f"'self' {settings.MARKETPLACE_PUBLIC_URL}",
    }
    return response


@require_safe
def upload(request: HttpRequest, named: str) -> HttpResponse:
    """Where GetFileUploadURL points: good for 60 seconds, and without a file."""
    try:
        uploads.unsign(named, max_age=60)
    except SignatureExpired:
        return HttpResponse("This address was good for 60 seconds.", status=410, content_type="text/plain")
    except BadSignature:
        return HttpResponse("This address was not made here.", status=404, content_type="text/plain")
    text = "This answer holds no uploaded file: uploads ended in 2017 and are not taken here."
    return HttpResponse(text, status=404, content_type="text/plain")


@csrf_exempt  # posted from a frame without a session; see working.hand_in
@xframe_options_exempt
@require_POST
def form_submit(request: HttpRequest) -> HttpResponse:
    """Take the answers to a QuestionForm; what is missing sends the page back with everything typed."""
    try:
        posted = request.POST
        assignment_id, hit_id = posted.get("assignmentId", ""), posted.get("hitId", "").replace("\x00", "")
    except (RequestDataTooBig, TooManyFieldsSent):
        return submitting.refuse(request, "The form is too large: at most 1,000 fields and 2.5 MB.", 413)
    hit = get_object_or_404(HIT.objects.select_related("hit_type"), hit_id=hit_id, question_kind="form")
    given = forms.answers_to(questions.form_of(hit.question), posted)
    worker_id = posted.get("workerId", "")
    if given.faults:
        return _draw(request, hit, assignment_id, worker_id=worker_id, given=given)
    sweep.bring_up_to_date()
    try:
        outcome = working.hand_in(
            assignment_id=assignment_id,
            answer=answers.write_form(given),
            signed_in=request.user if request.user.is_authenticated else None,
            claimed=worker_id,
        )
    except Refusal as refusal:
        return submitting.refuse(request, refusal.message, 409)
    return submitting.outcome_page(request, outcome)
