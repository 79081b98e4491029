"""What the frame posts to: work handed in, from a page of another site and so without a session."""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from annotation.marketplace import answers, sweep, working
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Assignment, HeldSubmission
from annotation.marketplace.views.pages import show

WORDS = {
    "Submitted": "Your work is handed in. You will see it under History, and its pay once it is approved.",
    "Approved": "Your work is handed in, approved and paid.",
    "Rejected": "This work was handed in before and has been decided.",
}


def in_frame(response: HttpResponse) -> HttpResponse:
    """Let our own work page hold this page in its frame."""
    response.csp = {"frame-ancestors": f"'self' {settings.MARKETPLACE_PUBLIC_URL}"}
    return response


@csrf_exempt
@xframe_options_sameorigin
@require_http_methods(["GET", "POST"])
def external_submit(request: HttpRequest) -> HttpResponse:
    """Take a posted form: `assignmentId` and at least one other field."""
    if request.method == "GET":
        return refuse(request, "Post the form: work handed in through the address is not taken.", 405)
    try:
        posted = request.POST
        # Some tools send the names with an HTML entity left in: `amp;assignmentId`.
        fields = [(name.removeprefix("amp;"), value) for name in posted for value in posted.getlist(name)]
    except (RequestDataTooBig, TooManyFieldsSent):
        return refuse(request, "The form is too large: at most 1,000 fields and 2.5 MB.", 413)
    named = dict(fields)
    kept = [(name, value) for name, value in fields if name not in answers.ENVELOPE]
    sweep.bring_up_to_date()
    try:
        if not kept:
            raise Refusal("The form must carry at least one field besides assignmentId; nothing was handed in.")
        outcome = working.hand_in(
            assignment_id=named.get("assignmentId", ""),
            answer=answers.write(kept),
            signed_in=request.user if request.user.is_authenticated else None,
            claimed=named.get("workerId", ""),
        )
    except Refusal as refusal:
        return refuse(request, refusal.message, 409)
    return outcome_page(request, outcome)


def outcome_page(request: HttpRequest, outcome: working.HandedIn) -> HttpResponse:
    """What the frame shows once work has arrived."""
    if outcome.held:
        return in_frame(show(request, "confirm.html", held=outcome.held))
    return _taken(request, outcome.assignment)


def _taken(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    hit_type = assignment.hit.hit_type
    words = WORDS[assignment.status]
    return in_frame(show(request, "taken.html", assignment=assignment, hit_type=hit_type, words=words))


def refuse(request: HttpRequest, message: str, status: int) -> HttpResponse:
    """What the frame shows when work was not taken."""
    return in_frame(show(request, "not_taken.html", status=status, message=message))


@csrf_exempt  # the key is the authority, and the session cookie does not come with another site's post
@xframe_options_sameorigin
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """The signed-in worker says that the work just posted is theirs."""
    held = HeldSubmission.objects.filter(key=key).first()
    if held is None:
        raise Http404("This work was confirmed already.")
    user = request.user
    if request.method == "GET" or not (user.is_authenticated and user.is_worker):
        return in_frame(show(request, "confirm.html", held=held))
    try:
        outcome = working.confirm_held(worker=user, held=held)
    except Refusal as refusal:
        return refuse(request, refusal.message, 409)
    return _taken(request, outcome.assignment)
