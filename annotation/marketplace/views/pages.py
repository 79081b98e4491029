"""What all pages share: who may see them, what the bar shows, how a refusal looks."""

from collections.abc import Callable
from functools import wraps
from urllib.parse import urlsplit

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Page, Paginator
from django.db import connection
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme

from annotation.marketplace import answers, market, sweep
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Account, Assignment, Message

View = Callable[..., HttpResponse]
# How many messages are new, how many HITs are in hand. Every page asks it, so it is one question in SQL.
IN_THE_BAR = (
    f"SELECT (SELECT COUNT(*) FROM {Message._meta.db_table} WHERE recipient_id = %s AND read_at IS NULL),"  # noqa: S608
    f" (SELECT COUNT(*) FROM {Assignment._meta.db_table} WHERE worker_id = %s AND status = %s)"
)


def show(request: HttpRequest, template: str, status: int = 200, **context: object) -> HttpResponse:
    """Draw a page with the counts that its bar needs."""
    user = request.user
    # Looked up when the page's bar asks; what stands in a frame has no bar.
    context["bar"] = SimpleLazyObject(lambda: _in_the_bar(user) if user.is_authenticated else {})
    context["market"] = SimpleLazyObject(market.present)
    return render(request, f"marketplace/{template}", context, status=status)


def _in_the_bar(user: Account) -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(IN_THE_BAR, [user.pk, user.pk, "Accepted"])
        unread, queued = cursor.fetchone()
    return {"unread": unread, "queued": queued}


def refused(request: HttpRequest, refusal: Refusal, *, status: int = 409, **context: object) -> HttpResponse:
    """Say in words what was not done and why."""
    return show(request, "refused.html", status=status, refusal=refusal, **context)


def without_control_characters(sent: QueryDict) -> QueryDict:
    """What was sent, without what no XML and so no answer of the API can hold (and NUL, which PostgreSQL refuses).

    A paste from a word processor has them, and nobody sees them.
    """
    if not any(answers.UNWRITABLE.search(text) for name, values in sent.lists() for text in (name, *values)):
        return sent
    plain = sent.copy()
    for name, values in sent.lists():
        if any(answers.UNWRITABLE.search(text) for text in (name, *values)):
            plain.pop(name)
            plain.setlist(answers.UNWRITABLE.sub("", name), [answers.UNWRITABLE.sub("", text) for text in values])
    return plain


def _read_plain(request: HttpRequest) -> None:
    request.GET = without_control_characters(request.GET)
    if request.method == "POST":
        request.POST = without_control_characters(request.POST)


# Fields that nobody typed, or that nobody may read.
NOT_SHOWN = {"csrfmiddlewaretoken", "token", "context", "next", "password", "old"}


def _typed(request: HttpRequest) -> list[str]:
    """What of a form is long enough to be somebody's work."""
    return [text for name, text in request.POST.items() if name not in NOT_SHOWN and len(text) > 20]


def _came_from(request: HttpRequest) -> str:
    """The page of ours that a form stood on; it may have an address of its own that takes posts only."""
    referer = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(referer, {request.get_host()})
    return urlsplit(referer)._replace(scheme="", netloc="").geturl() if referer and ours else "/"


def keeps_typed(view: View) -> View:
    """A form sent after the session ended comes back with what was typed, instead of a bare sign-in page."""

    @wraps(view)
    def kept(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method == "POST" and not request.user.is_authenticated:
            back = _came_from(request)
            if typed := _typed(request):
                return show(request, "signed_out.html", status=401, typed=typed, back=back)
            return redirect_to_login(back)
        return view(request, *args, **kwargs)

    return kept


def signed_in_page(view: View) -> View:
    """A page for whoever is signed in; refusals become pages, and what is due is done first."""

    @wraps(view)
    @keeps_typed
    @login_required
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        _read_plain(request)
        sweep.bring_up_to_date()
        try:
            return view(request, *args, **kwargs)
        except Refusal as refusal:
            return refused(request, refusal, typed=_typed(request))

    return guarded


def page_for(role: str) -> Callable[[View], View]:
    """A page for signed-in people with a role: `worker`, `requester` or `operator`."""

    def decorate(view: View) -> View:
        @wraps(view)
        def for_role(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if getattr(request.user, f"is_{role}"):
                return view(request, *args, **kwargs)
            refusal = Refusal(f"This page is for {role}s; you are signed in as {request.user}.")
            return refused(request, refusal, status=403)

        return signed_in_page(for_role)

    return decorate


MOST_WAITING = 20  # of what waits for somebody, oldest first, above a page's own list


def paged(request: HttpRequest, rows: object, size: int = 50) -> Page:
    """The page of a list that the address asks for."""
    return Paginator(rows, size).get_page(request.GET.get("page"))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is nothing at this address, or nothing for this person."""
    return refused(request, Refusal("There is nothing at this address, or nothing for you."), status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The request itself is not right."""
    return HttpResponse("The request was not understood.", status=400, content_type="text/plain")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Not for this person."""
    return refused(request, Refusal("This page is not for you."), status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Our own fault; drawn without the database, which may be what failed."""
    text = "Something went wrong on our side. What you handed in is kept. Please try again in a minute."
    return HttpResponse(text, status=500, content_type="text/plain")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form came without the token of its page: a tab older than the last sign-in, or cookies switched off."""
    words = "This form was too old, or your browser keeps no cookies. Open its page again and send it once more."
    # Only what our own pages sent is shown: nobody else may put words on this one.
    typed = _typed(request) if request.headers.get("Sec-Fetch-Site") == "same-origin" else []
    return refused(request, Refusal(words), status=403, typed=typed)
