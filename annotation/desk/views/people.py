"""Who is in a project, in which role; and its workers, by pseudonym."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotation.desk.access import ROLE_SENTENCES, Access, project_page
from annotation.desk.accounts import make_account
from annotation.desk.forms import NewMember
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
            user, password = form.cleaned_data["user"], ""
            if user is None:
                user, password = make_account(username=form.cleaned_data["username"])
            is_self = user == request.user
            if is_self:
                form.add_error("username", "Nobody changes their own role.")
            else:
                actions.add_member(project=access.project, user=user, role=form.cleaned_data["role"])
                messages.success(request, f"{user.get_username()} is {form.cleaned_data['role']} now.")
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
    if member.user_id == request.user.pk:
        raise actions.Refused("nobody changes their own role; another owner can")
    name, role = member.user.get_username(), request.POST.get("role", "")
    if role == "none":
        actions.remove_member(project=access.project, user=member.user)
        messages.success(request, f"{name} is no longer in this project.")
    else:
        actions.add_member(project=access.project, user=member.user, role=role)
        messages.success(request, f"{name} is {role} now.")


@project_page("run")
@require_safe
def workers(request: HttpRequest, access: Access) -> HttpResponse:
    return page(request, access, "workers", {"workers": figures.workers_of(access.project)})
