"""Replaying ARC-DA's public release: what to import, what the crowd knows, and whether the same comes out."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tasks import published
from tasks.arc_da import importing
from tasks.replaying import compared
from tasks.simulation import Replay

SOURCES = tuple(f"ARC-{level}-{split}.jsonl" for level in ("Easy", "Challenge") for split in ("train", "test"))
RELEASED = ("train", "test")  # the public copy lacks the dev split
DOWNLOADS = (
    "arc/ holds the .jsonl files of ARC (https://allenai.org/data/arc), and arc-da/ train.jsonl and test.jsonl of "
    "ARC-DA v1.1 (https://allenai.org/data/arc-da)"
)


def prepare(data: Path, folder: Path, *, limit: int | None = None) -> Replay:
    """The released questions (the first `limit` of them, in turn from each file) out of ARC's own files.

    `data` holds `arc/` and `arc-da/`; the files to import are written to `folder`. Raises FileNotFoundError.
    """
    expected = {row["question_id"]: row for row in _first(data / "arc-da", limit)}
    sources = []
    for name in SOURCES:
        target = folder / name
        prefix = importing.set_prefix(target, {})
        lines = [line for line in _lines(data / "arc", name) if prefix + json.loads(line)["id"] in expected]
        target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        if lines:
            sources.append(target)
    return Replay(
        sources=tuple(sources),
        knowledge=(*sources, *(published.need(data / "arc-da", f"{split}.jsonl") for split in RELEASED)),
        expected={split: _of_split(expected.values(), split) for split in RELEASED},
    )


def _first(folder: Path, limit: int | None) -> Iterator[dict]:
    files = [[json.loads(line) for line in _lines(folder, f"{split}.jsonl")] for split in RELEASED]
    for place, rows in enumerate(files):
        share = len(rows) if limit is None else (limit + place) // len(files)
        yield from rows[:share]


def _lines(folder: Path, name: str) -> list[str]:
    return [line for line in published.text(folder, name).split("\n") if line.strip()]


def _of_split(rows, split: str) -> list[dict]:
    return [row for row in rows if row["tag"].endswith(f"-{split.upper()}")]


def differences(expected: Mapping[str, Sequence[dict]], released: Mapping[str, Sequence[dict]]) -> list[str]:
    """Where a release is not the public one, record by record; the order of records is not part of it."""
    return compared(expected, released, key="question_id", named="a question")
