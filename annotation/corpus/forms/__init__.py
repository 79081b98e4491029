"""The forms that paragraph collections come in, and how each is read.

A reader takes a file and gives, one after the other, paragraphs with the line that each stands in, and
the problems that it finds. It keeps no more than one record in memory, however long the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from annotation.corpus.forms import articles, cirrus, records
from annotation.corpus.forms.records import Read, Unfit
from tasks import sources
from tasks.base import SourceProblem

FORMS = {
    "json-lines": "one paragraph a line: title, text, and where known id, section, headers, number",
    "strategyqa": "one JSON object: id → title, section, headers, para_index, content",
    "cirrus": "a Cirrus search dump of Wikipedia: an index line, then the page's line",
    "articles": "plain texts (.txt), or a folder of them: the title in the first line or the name",
}
_READERS = {
    "json-lines": records.json_lines,
    "strategyqa": records.strategyqa,
    "cirrus": cirrus.pages,
    "articles": articles.articles,
}

__all__ = ["FORMS", "Read", "Unfit", "files_of", "form_of", "read"]


def files_of(paths: Iterable[Path]) -> list[Path]:
    """The files meant: a folder stands for the .txt files in it, by name. Raises Unfit for what is not there."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*.txt") if file.is_file())
            if not inside:
                raise Unfit(f"{path} is a folder without .txt files")
            files += inside
        elif path.is_file():
            files.append(path)
        else:
            raise Unfit(f"there is no file {path}")
    return files


def form_of(path: Path) -> str:
    """The form that a file seems to have, by its name and its first member. What has none is read as JSON Lines,
    and its lines say what is wrong."""
    if path.suffix == ".txt":
        return "articles"
    members = sources.members(path)
    first = next(members, None)
    members.close()
    if isinstance(first, sources.Member) and isinstance(first.value, dict):
        if first.key == "index":
            return "cirrus"
        if records.PARAGRAPH_ID.fullmatch(first.key):
            return "strategyqa"
    return "json-lines"


def read(path: Path, form: str) -> Iterator[Read | SourceProblem]:
    return _READERS[form](path)
