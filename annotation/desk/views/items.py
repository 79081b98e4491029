"""The table of a project's items, and all about one of them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotation.desk import queries, words
from annotation.desk.access import Access, project_page
from annotation.desk.forms.tables import ItemFilter
from annotation.desk.numbers import whole_number
from annotation.desk.views.frame import page as project_frame
from annotation.projects.queries import item_counts


@project_page("read")
@require_safe
def table(request: HttpRequest, access: Access) -> HttpResponse:
    stages = list(access.project.stages.order_by("position"))
    form = ItemFilter(request.GET, stages=stages, states=access.item_states)
    asked = form.cleaned_data if form.is_valid() else {}
    found = queries.slice_items(
        queries.items_of(
            access.project,
            stage=asked.get("stage", ""),
            state=asked.get("state", ""),
            split=asked.get("split", ""),
        ),
        text=asked.get("text", ""),
        after=whole_number(request.GET.get("after")),
        before=whole_number(request.GET.get("before")),
    )
    context = {
        "form": form,
        "slice": found,
        "rows": [(item, queries.label_of(item), access.state_of(item)) for item in found.rows],
        "count": _count(item_counts(access.project), asked),
        "is_filtered": any(asked.values()),
        "one_stage": len(stages) == 1,
    }
    return project_frame(request, access, "items", context)


def _count(counts: dict[str, dict[str, int]], asked: dict[str, str]) -> int | None:
    """How many items there are in all, where that is known without looking at each."""
    if asked.get("text") or asked.get("split"):
        return None
    wanted = [states for name, states in counts.items() if asked.get("stage") in ("", None, name)]
    state = asked.get("state")
    return sum(states[state] if state else sum(states.values()) for states in wanted)


@project_page("read")
@require_safe
def page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """One item, stage by stage: what was asked, answered, decided, and what happened when."""
    item = access.project.items.select_related("stage", "project").filter(pk=pk).first()
    if item is None:
        raise Http404("no such item")
    # The log tells decisions, which a reviewer may yet have to take blindly.
    events = queries.history_of(item) if access.may("run") else []
    stories = queries.stories_of(item, access, request.user)
    stages = sorted({story.item.stage for story in stories}, key=lambda stage: stage.position)
    context = {
        "item": item,
        "label": queries.label_of(item),
        "shown_state": access.state_of(item),
        "columns": [(stage, [story for story in stories if story.item.stage == stage]) for stage in stages],
        "stories": stories,
        "events": words.happenings(events, queries.names_in(access.project)),
    }
    return project_frame(request, access, "item", context)
