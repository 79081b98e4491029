"""What changed from one release to another: items added, removed, changed word by word, moved; figures."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from annotation.releases.formats import read_line
from annotation.releases.manifest import manifest_of, statistics_of
from annotation.releases.models import Release
from annotation.releases.storage import Folder, ReleaseUnreadable, open_folder
from annotation.review.diff import words_changed


@dataclass
class Difference:
    """What separates two releases. Items are named by their id in the published rows.

    `changed_beyond`: changed items past the limit that was set, which are counted and not told.
    """

    before: str
    after: str
    added: list[dict] = field(default_factory=list)
    removed: list[dict] = field(default_factory=list)
    changed: list[dict] = field(default_factory=list)
    moved: list[dict] = field(default_factory=list)
    statistics: list[dict] = field(default_factory=list)
    changed_beyond: int = 0

    @property
    def changes(self) -> int:
        """How many items changed."""
        return len(self.changed) + self.changed_beyond

    @property
    def kind(self) -> str:
        """The version step that this calls for: major, minor or patch."""
        if self.removed or self.changed or self.moved:
            return "major"
        return "minor" if self.added else "patch"


class Contents(NamedTuple):
    """What a comparison needs of a release, finished or still being built."""

    name: str
    folder: Folder
    splits: list[str]
    id_field: str
    figures: list[dict]


class _Place(NamedTuple):
    split: str
    digest: bytes
    offset: int


def diff(a: Release | str | Path, b: Release | str | Path, *, most: int | None = None) -> Difference:
    """What changed from release `a` to release `b`: Release rows, or locations of their folders.

    `most`: of so many changed items it is worked out how they changed. Raises ReleaseUnreadable.
    """
    return compare(contents_of(a), contents_of(b), most=most)


def contents_of(release: Release | str | Path) -> Contents:
    """Opens a finished release. Raises ReleaseUnreadable where there is none."""
    folder = open_folder(release.location if isinstance(release, Release) else release)
    try:
        manifest, statistics = manifest_of(folder), statistics_of(folder)
    except ReleaseUnreadable as fault:
        raise ReleaseUnreadable(f"{fault}: {folder.location} holds no release, or a broken one") from None
    figures = [figure.model_dump() for figure in statistics.figures]
    return Contents(manifest.version, folder, sorted(manifest.splits), manifest.id_field, figures)


def compare(before: Contents, after: Contents, *, most: int | None = None) -> Difference:
    old, new = _index(before), _index(after)
    result = Difference(before.name, after.name)
    result.added = [{"id": key, "split": new[key].split} for key in sorted(new.keys() - old.keys())]
    result.removed = [{"id": key, "split": old[key].split} for key in sorted(old.keys() - new.keys())]
    both = sorted(old.keys() & new.keys())
    result.moved = [
        {"id": key, "from": old[key].split, "to": new[key].split} for key in both if old[key].split != new[key].split
    ]
    edited = [key for key in both if old[key].digest != new[key].digest]
    with _Rows(before.folder) as rows_before, _Rows(after.folder) as rows_after:
        for key in edited[:most]:
            fields = field_changes(rows_before.at(old[key]), rows_after.at(new[key]))
            result.changed.append({"id": key, "split": new[key].split, "fields": fields})
    result.changed_beyond = len(edited) - len(result.changed)
    result.statistics = _figure_changes(before.figures, after.figures)
    return result


def _index(contents: Contents) -> dict[str, _Place]:
    places: dict[str, _Place] = {}
    for split in contents.splits:
        offset = 0
        with contents.folder.open(f"data/{split}.jsonl") as handle:
            for number, line in enumerate(handle, start=1):
                try:
                    key = str(read_line(line)[contents.id_field])
                except (ValueError, KeyError, TypeError):
                    place = f"data/{split}.jsonl:{number} of {contents.folder.location}"
                    raise ReleaseUnreadable(f"{place} is no row with a {contents.id_field}") from None
                places[key] = _Place(split, hashlib.blake2b(line, digest_size=12).digest(), offset)
                offset += len(line)
    return places


class _Rows:
    """Single rows of a release, read by their place."""

    def __init__(self, folder: Folder):
        self._folder = folder
        self._handles: dict[str, Any] = {}

    def __enter__(self) -> _Rows:
        return self

    def __exit__(self, *_: object) -> None:
        for handle in self._handles.values():
            handle.close()

    def at(self, place: _Place) -> dict:
        if place.split not in self._handles:
            self._handles[place.split] = self._folder.open(f"data/{place.split}.jsonl")
        handle = self._handles[place.split]
        handle.seek(place.offset)
        return read_line(handle.readline())


def field_changes(before: dict, after: dict) -> dict[str, dict]:
    """How each field changed: texts by words, lists by entries, anything else by its two values."""
    names = dict.fromkeys((*before, *after))
    return {name: _change(before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)}


def _change(before: Any, after: Any) -> dict:
    if isinstance(before, str) and isinstance(after, str):
        return {"words": [list(step) for step in words_changed(before, after)]}
    if isinstance(before, list) and isinstance(after, list):
        removed, added = _without(before, after), _without(after, before)
        return {"removed": removed, "added": added} if removed or added else {"reordered": after}
    return {"before": before, "after": after}


def _without(entries: list, others: list) -> list:
    left = list(others)
    kept = []
    for entry in entries:
        if entry in left:
            left.remove(entry)
        else:
            kept.append(entry)
    return kept


def _figure_changes(before: list[dict], after: list[dict]) -> list[dict]:
    old, new = _by_place(before), _by_place(after)
    return [
        {"table": table, "row": row, "column": column, "before": old.get(place), "after": new.get(place)}
        for place in dict.fromkeys((*new, *old))
        if old.get(place) != new.get(place)
        for table, row, column in [place]
    ]


def _by_place(figures: list[dict]) -> dict[tuple, Any]:
    return {(figure["table"], figure["row"], figure["column"]): figure["value"] for figure in figures}
