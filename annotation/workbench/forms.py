"""A task type's form.html, taken apart: the page around the items is rendered once, the items one by one.

Only the blocks `item` and `answer` are rendered for each item; the card around them (`item.html`) is the
same for all of them but for a few places.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.template import Context, Template
from django.template.loader import get_template, render_to_string
from django.template.loader_tags import BlockNode, ExtendsNode
from django.utils.safestring import SafeString, mark_safe

from annotation.workbench.stencils import HOLD, Stencil, spot
from annotation.workbench.widgets import spots_of
from tasks.base import Example, TaskType

PARTS = ("number", "shown", "asked", "note")


def template_name(kind: TaskType) -> str:
    return f"{kind.name.replace('.', '/')}/form.html"


class ItemForm:
    """The blocks of a form.html that belong to one item."""

    def __init__(self, kind: TaskType):
        self.kind = kind
        self._template: Template = get_template(template_name(kind)).template
        self._blocks = _blocks_of(self._template)
        missing = {"item", "answer"} - set(self._blocks)
        if missing:
            raise LookupError(f"{template_name(kind)} lacks the block {', '.join(sorted(missing))}")
        self.name = self._render("item_name", {}).strip() if "item_name" in self._blocks else "Question"

    def _render(self, block: str, values: dict[str, Any]) -> SafeString:
        context = Context(values)
        with context.render_context.push_state(self._template), context.bind_template(self._template):
            return self._blocks[block].nodelist.render(context)

    def render(self, *, key: str, number: int, total: int, item: dict, stage_settings: Any) -> str:
        """One item's part of a page, with its spots. `item` is what workers may see of it."""
        values = {"kind": self.kind, "item": item, "key": key, "number": number, "settings": stage_settings}
        parts = {"number": str(number), "shown": self._render("item", values), "asked": self._render("answer", values)}
        return _card(self.name, total).fill(parts).replace(HOLD, key)

    def render_example(self, example: Example, stage_settings: Any) -> SafeString:
        """A worked example in the very form that workers fill in."""
        kind = self.kind
        item = kind.shown_to_workers(kind.Item.model_validate(example.item))
        values = {"kind": kind, "item": item, "key": "example", "number": 0, "settings": stage_settings}
        parts = {
            "shown": self._render("item", values),
            "asked": self._render("answer", values),
            "note": render_to_string("workbench/example_note.html", {"note": example.note}) if example.note else "",
        }
        filled = Stencil(_card(self.name, 0).fill(parts).replace(HOLD, "example"))
        answer = kind.Answer.model_validate(example.answer)
        values = {f"example.{name}": field.values(getattr(answer, name)) for name, field in kind.fields.items()}
        return filled.fill(spots_of(values))


def _blocks_of(template: Template) -> dict[str, BlockNode]:
    """Every block of a template and of those that it extends, the nearest first."""
    blocks: dict[str, BlockNode] = {}
    while template is not None:
        extends = next((node for node in template.nodelist if isinstance(node, ExtendsNode)), None)
        own = extends.nodelist if extends else template.nodelist
        for block in own.get_nodes_by_type(BlockNode):
            blocks.setdefault(block.name, block)
        template = _parent_of(template, extends) if extends else None
    return blocks


def _parent_of(template: Template, extends: ExtendsNode) -> Template:
    context = Context()
    with context.render_context.push_state(template), context.bind_template(template):
        return extends.get_parent(context)


@lru_cache(maxsize=64)
def _card(name: str, total: int) -> Stencil:
    """The card around an item. `total` 0: a worked example."""
    # The spots that are filled for each worker must outlive the filling of the card: they stand behind HOLD.
    return Stencil(
        render_to_string(
            "workbench/item.html",
            {
                "name": name,
                "total": total,
                "is_example": not total,
                "key": mark_safe(HOLD),  # noqa: S308 - the mark that stands for the item
                **{part: spot(part) for part in PARTS},
                "state": spot(f"state {HOLD}"),
                "findings": spot(f"findings {HOLD}"),
                "told": spot(f"told {HOLD}"),
            },
        ),
        keep=HOLD,
    )


@lru_cache(maxsize=64)
def _item_form(kind: TaskType) -> ItemForm:
    return ItemForm(kind)


def item_form(kind: TaskType) -> ItemForm:
    """A task type's form for one item. While a page is being written (DEBUG), anew each time."""
    return ItemForm(kind) if settings.DEBUG else _item_form(kind)
