"""The admin's sidebar: review first, then what the person's role lets them look at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse

GROUPS = [
    (
        "Review",
        [
            ("Queue", "review.outcome", "rule"),
            ("Decisions", "review.review", "history"),
            ("Qualification tests", "trials.trial", "school"),
        ],
    ),
    (
        "Collection",
        [
            ("Projects", "projects.project", "folder_open"),
            ("Stages", "projects.stage", "stacks"),
            ("Items", "projects.item", "quiz"),
            ("HITs", "hits.hit", "work"),
            ("Assignments", "hits.assignment", "assignment_turned_in"),
            ("Answers", "hits.answer", "chat"),
            ("Findings of checks", "checking.checkresult", "fact_check"),
            ("Live checks", "checking.livecheck", "bolt"),
            ("Questions to solvers", "solving.challenge", "psychology_alt"),
            ("Solvers’ answers", "solving.attempt", "smart_toy"),
            ("Solvers’ trainings", "solving.solverversion", "model_training"),
            ("Workers", "workers.worker", "badge"),
            ("Qualifications", "workers.qualification", "key"),
            ("Who holds them", "workers.grant", "verified_user"),
            ("Releases", "releases.release", "inventory_2"),
        ],
    ),
    (
        "Records",
        [
            ("Events", "events.event", "list_alt"),
            ("Calls to marketplaces", "providers.intent", "swap_horiz"),
        ],
    ),
    (
        "People",
        [
            ("Members of projects", "projects.membership", "group"),
            ("Accounts", "auth.user", "person"),
            ("Failed sign-ins", "axes.accessattempt", "lock"),
        ],
    ),
]


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Unfold's groups of links, without what this person may not see."""
    registered = {model._meta.label_lower: entry for model, entry in admin.site._registry.items()}
    groups = []
    for title, entries in GROUPS:
        items = [
            {"title": name, "icon": icon, "link": reverse(f"admin:{label.replace('.', '_')}_changelist")}
            for name, label, icon in entries
            if label in registered and registered[label].has_view_permission(request)
        ]
        if items:
            groups.append({"title": title, "separator": bool(groups), "items": items})
    return groups


def style(request: HttpRequest) -> str:
    """The address of our style sheet for the admin."""
    return static("css/review.css")
