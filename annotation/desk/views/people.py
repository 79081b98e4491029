"""Who is in a project, in which role; and its workers, by pseudonym."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotation.desk.access import ROLE_SENTENCES, Access, project_page
from annotation.desk.accounts import add_person
from annotation.desk.forms.people import NewMember
from annotation.desk.views.frame import page, posted
from annotation.projects import actions
from annotation.projects.models import Membership
from annotation.review import figures


@project_page("run")
def table(request: HttpRequest, access: Access) -> HttpResponse:
    """The people; an owner adds to them here."""
    fresh = None
    form = NewMember(posted(request))
    if request.method == "POST":
        access.require("own")
        if form.is_valid():
            role = form.cleaned_data["role"]
            try:
                _refuse_self(request, form.cleaned_data["user"])
                user, password = add_person(project=access.project, username=form.cleaned_data["username"], role=role)
            except actions.Refused as refusal:
                form.add_error("username", f"Nothing was changed: {refusal}.")
            else:
                messages.success(request, f"{user.get_username()} is {role} now.")
                if not password:
                    return redirect("desk:people", slug=access.project.slug)
                fresh, form = {"user": user, "password": password}, NewMember()
    context = {
        "members": access.project.memberships.select_related("user").order_by("role", "user__username"),
        "form": form,
        "roles": ROLE_SENTENCES.items(),
        "role_names": Membership.Role.choices,
        "fresh": fresh,
    }
    response = page(request, access, "people", context, status=422 if form.errors else 200)
    if fresh:
        response["Cache-Control"] = "no-store"
    return response


@project_page("own")
@require_POST
def change(request: HttpRequest, access: Access, user_id: int) -> HttpResponse:
    """Changes a member's role, or takes it away. Nobody changes their own."""
    member = access.project.memberships.select_related("user").filter(user_id=user_id).first()
    if member is None:
        raise Http404("no such member")
    try:
        _change(request, access, member)
    except actions.Refused as refusal:
        messages.error(request, f"Nothing was changed: {refusal}.")
    return redirect("desk:people", slug=access.project.slug)


def _change(request: HttpRequest, access: Access, member: Membership) -> None:
    _refuse_self(request, member.user)
    name, role = member.user.get_username(), request.POST.get("role", "")
    if role == "none":
        actions.remove_member(project=access.project, user=member.user)
        messages.success(request, f"{name} is no longer in this project.")
    else:
        actions.add_member(project=access.project, user=member.user, role=role)
        messages.success(request, f"{name} is {role} now.")


def _refuse_self(request: HttpRequest, user: Any) -> None:
    if user == request.user:
        raise actions.Refused("nobody changes their own role; another owner can")


@project_page("run")
@require_safe
def workers(request: HttpRequest, access: Access) -> HttpResponse:
    return page(request, access, "workers", {"workers": figures.workers_of(access.project)})
