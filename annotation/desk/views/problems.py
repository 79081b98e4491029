"""What needs a person: calls whose effect nobody knows, refusals, work that can't be placed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotation.desk import queries
from annotation.desk.access import Access, project_page
from annotation.desk.views.frame import page
from annotation.workers.queries import release_pseudonym


@project_page("run")
@require_safe
def table(request: HttpRequest, access: Access) -> HttpResponse:
    found = queries.problems_of(access.project)
    context = {
        "found": found,
        "intents": [(intent, queries.meaning_of(intent)) for intent in found.intents],
        "quarantined": [
            (assignment, release_pseudonym(access.project, assignment.worker.pseudonym))
            for assignment in found.quarantined
        ],
    }
    return page(request, access, "problems", context)
