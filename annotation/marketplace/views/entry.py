"""The door: the API's root address, signing up, in and out, health."""

from django import forms
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.views import LoginView
from django.core.validators import RegexValidator
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from annotation.marketplace import accounts, lockout, market
from annotation.marketplace.api import protocol
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Account, Invitation
from annotation.marketplace.views.pages import refused, show
from annotation.policies import client_address


@csrf_exempt
def root(request: HttpRequest) -> HttpResponse:
    """A POST is a call of the requester API; a browser is sent to where it belongs."""
    if request.method == "POST":
        return protocol.respond(request)
    return csrf_protect(home)(request)


def home(request: HttpRequest) -> HttpResponse:
    """Each role's first page."""
    user = request.user
    if not user.is_authenticated:
        return show(request, "welcome.html", sign_up=settings.MARKETPLACE_SIGN_UP)
    if user.is_worker:
        return redirect("work")
    return redirect("operator" if user.is_operator else "requester")


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """For whoever watches the process: the database answers."""
    Account.objects.exists()
    return JsonResponse({"ok": True})


class SignUpForm(forms.Form):
    """What a new worker tells: a name to sign in with, no more than that is needed."""

    # Read as signing in reads it: letters that look alike are one.
    username = UsernameField(
        validators=[RegexValidator(r"^[\w.@+-]{3,64}\Z", "Use 3 to 64 letters, digits or . _ @ + -.")],
        label="User name",
        help_text="3 to 64 letters, digits or . _ @ + -. Requesters never see a worker's.",
    )
    password = forms.CharField(
        min_length=8,
        max_length=256,
        help_text="At least 8 characters.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    country = forms.RegexField(
        r"^[A-Za-z]{2}$",
        required=False,
        help_text="Two letters, such as DE, KE or US. Some work is offered in certain countries only.",
        error_messages={"invalid": "Give the two letters of a country, such as DE."},
        widget=forms.TextInput(attrs={"autocomplete": "country", "maxlength": "2"}),
    )
    invitation = forms.CharField(required=False, max_length=32, label="Invitation code")
    consent = forms.BooleanField(
        label="I have read how work and data are handled here, and I agree.",
        error_messages={"required": "You can only take part if you agree."},
    )

    def clean_username(self) -> str:
        """Names are taken once, whatever their capitals."""
        name = self.cleaned_data["username"]
        if Account.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError("This user name is taken.")
        return name

    def clean_invitation(self) -> str:
        """Where sign-up is by invitation, the code must be one that is unused."""
        code = self.cleaned_data["invitation"].strip()
        if settings.MARKETPLACE_SIGN_UP == "open" and not code:
            return ""
        if not Invitation.objects.filter(code=code, used_by__isnull=True).exists():
            raise forms.ValidationError("This invitation code is not known or was used.")
        return code


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account and go to work."""
    if market.present().closed_at:
        return refused(request, Refusal("This marketplace is closed; it takes no new accounts."))
    form = SignUpForm(request.POST or None, initial={"invitation": request.GET.get("invitation", "")[:32]})
    if request.method == "POST" and form.is_valid():
        fields = {name: form.cleaned_data[name] for name in ("username", "password", "country", "invitation")}
        try:
            account = accounts.sign_up(**fields)
        except IntegrityError:  # somebody took the name between the check and now
            return refused(request, Refusal("This user name is taken; go back and choose another."))
        except Refusal as refusal:
            return refused(request, refusal)
        login(request, account, backend="django.contrib.auth.backends.ModelBackend")
        return redirect("home")
    code = str(form["invitation"].value() or "").replace("\x00", "")
    invited = Invitation.objects.filter(code=code, used_by__isnull=True).first() if code else None
    return show(
        request,
        "sign_up.html",
        form=form,
        role=invited.role if invited else "worker",
        needs_invitation=settings.MARKETPLACE_SIGN_UP != "open",
        status=400 if form.errors else 200,
    )


class SignIn(LoginView):
    """Sign in, unless too many passwords for this name were wrong from there."""

    template_name = "marketplace/sign_in.html"
    redirect_authenticated_user = True

    def _who(self) -> tuple[str, str]:
        return self.request.POST.get("username", "")[:1000], client_address(self.request)

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Refuse before checking the password when too many were wrong."""
        if lockout.is_shut(*self._who()):
            form = self.get_form()
            return self.render_to_response(self.get_context_data(form=form, locked=True), status=429)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: forms.Form) -> HttpResponse:
        """Let them in."""
        lockout.forget(*self._who())
        return super().form_valid(form)

    def form_invalid(self, form: forms.Form) -> HttpResponse:
        """Count the failure."""
        lockout.note_wrong(*self._who())
        response = super().form_invalid(form)
        response.status_code = 400
        return response
