"""Signing in and out, one's password, and the token for the API."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from rest_framework.authtoken.models import Token

sign_in = LoginView.as_view(template_name="desk/sign_in.html")
sign_out = LogoutView.as_view(next_page="desk:sign_in")


@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    return _page(request, PasswordChangeForm(request.user))


@login_required
@require_POST
def make_token(request: HttpRequest) -> HttpResponse:
    """A fresh token, shown this once. One that there was stops working."""
    Token.objects.filter(user=request.user).delete()
    token = Token.objects.create(user=request.user)
    response = _page(request, PasswordChangeForm(request.user), fresh=token.key)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
def revoke_token(request: HttpRequest) -> HttpResponse:
    gone, _ = Token.objects.filter(user=request.user).delete()
    messages.success(request, "The token is revoked." if gone else "There was no token.")
    return redirect("desk:account")


@sensitive_post_parameters()
@login_required
@require_POST
def change_password(request: HttpRequest) -> HttpResponse:
    form = PasswordChangeForm(request.user, request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    form.save()
    update_session_auth_hash(request, form.user)
    messages.success(request, "Your password is changed.")
    return redirect("desk:account")


def _page(request: HttpRequest, form: PasswordChangeForm, fresh: str = "", status: int = 200) -> HttpResponse:
    for field in form.fields.values():
        field.widget.attrs.pop("autofocus", None)
    token = Token.objects.filter(user=request.user).first()
    context = {"form": form, "token": token, "fresh": fresh, "place": "account"}
    return render(request, "desk/account.html", context, status=status)
