"""Who may do what in a project. Every page and endpoint asks here, and starts from the person's own projects.

A project of somebody else answers 404, as one that does not exist. A member who lacks a power is told so (403).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from annotation.projects import queries
from annotation.projects.models import Item, Membership, Project

OWNER, RESEARCHER, REVIEWER = (
    Membership.Role.OWNER.value,
    Membership.Role.RESEARCHER.value,
    Membership.Role.REVIEWER.value,
)

DECISIONS = (Item.State.ACCEPTED, Item.State.REJECTED)
DECIDED = "decided"

# What each power means, in the words of a refusal.
POWERS = {
    "read": "see a project's items, answers and progress",
    "run": "see its money, change its settings, import, publish and release",
    "own": "set its budget and its people",
}
ROLES = {
    OWNER: {"read", "run", "own"},
    RESEARCHER: {"read", "run"},
    REVIEWER: {"read"},
}
ROLE_SENTENCES = {
    OWNER: "Does everything a researcher does, and sets the budget and the people.",
    RESEARCHER: "Imports, changes settings, publishes within the budget, builds releases.",
    REVIEWER: "Reads items and answers, and decides in the expert's queue. Sees no money and no workers' table.",
}


@dataclass(frozen=True)
class Access:
    """One person's standing in one project."""

    project: Project
    role: str

    def may(self, power: str) -> bool:
        return power in ROLES[self.role]

    def require(self, power: str) -> None:
        if not self.may(power):
            raise PermissionDenied(f"To {POWERS[power]} takes another role than yours ({self.role}).")

    def state_of(self, item: Item) -> str:
        """An item's state as this person may know it: who may be asked to decide blindly sees no decision."""
        return DECIDED if item.state in DECISIONS and not self.may("run") else item.state

    @property
    def item_states(self) -> list[str]:
        """The states that this person may look for."""
        return [state for state in Item.State.values if self.may("run") or state not in DECISIONS]


def access_to(user: Any, slug: str) -> Access:
    """The person's standing in the project of that name. Raises Http404 where they have none."""
    project = queries.projects_of(user).filter(slug=slug).first()
    role = queries.role_of(user, project) if project else None
    if project is None or role not in ROLES:
        raise Http404("no such project")
    return Access(project, role)


def may_create_projects(user: Any) -> bool:
    """Reviewers may not: a project spends money. Who runs one project may make another."""
    runs_one = Membership.objects.filter(user=user, role__in=[OWNER, RESEARCHER]).exists
    return user.has_perm("projects.add_project") or runs_one()


def project_page(power: str = "read"):
    """Makes a view of `(request, access, …)` out of an address that begins with a project's slug."""

    def decorate(view):
        @login_required
        @wraps(view)
        def checked(request: HttpRequest, slug: str, **rest: Any) -> HttpResponse:
            access = access_to(request.user, slug)
            access.require(power)
            return view(request, access, **rest)

        checked.power = power
        return checked

    return decorate
