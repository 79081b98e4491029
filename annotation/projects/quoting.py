"""Copies the paragraphs that an item quotes from the project's corpus into the item, when it comes into being.

Who works on it then reads what its makers read, whatever becomes of the corpus.
"""

from __future__ import annotations

from annotation.corpus.queries import index_for
from annotation.projects.models import Stage
from annotation.projects.queries import task_type_of


def with_quotes(stage: Stage, payload: dict) -> dict:
    """The payload with the texts of its paragraphs, where its task type quotes any; what there is not is left out.

    Raises IndexMissing or IndexFailed: an item without its texts would ask for the impossible.
    """
    kind = task_type_of(stage)
    if not kind.quotes:
        return payload
    index = index_for(stage.project)
    wanted = kind.paragraphs_of(kind.Item.model_validate(payload))
    found = index.paragraphs(wanted) if index else {}
    quoted = {name: {"title": each.title, "section": each.section, "text": each.text} for name, each in found.items()}
    return payload | {kind.quotes: quoted}
