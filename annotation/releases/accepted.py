"""The accepted items of a release on disk: pipelines go over all of them, and the memory holds none of their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation.releases.spool import Spool
from tasks.base import Accepted, Follower


class StoredAccepted(Accepted):
    """An accepted item whose parts are read from disk whenever they are asked for.

    So a pipeline may keep all accepted items at hand, and the memory holds none of their texts.
    """

    def __init__(self, key: str, split: str, parts: Mapping[str, Spool], place: int):
        for name, value in {"key": key, "split": split, "_parts": parts, "_place": place}.items():
            object.__setattr__(self, name, value)

    @property
    def item(self) -> dict:
        return self._parts["item"][self._place]

    @property
    def outcomes(self) -> dict[str, dict]:
        return self._parts["outcomes"][self._place]

    @property
    def judgements(self) -> dict[str, list[dict]]:
        return self._parts["judgements"][self._place]

    @property
    def followers(self) -> dict[str, list[Follower]]:
        stored = self._parts["followers"][self._place]
        return {stage: [Follower(**one) for one in several] for stage, several in stored.items()}


class AcceptedItems(Sequence):
    """The accepted items, in order; their parts lie on disk."""

    def __init__(self, scratch: Path):
        self.parts = {
            name: Spool(scratch / f"{name}.jsonl") for name in ("item", "outcomes", "judgements", "followers")
        }
        self._names: list[tuple[str, str]] = []

    def append(self, item: Accepted) -> None:
        self._names.append((item.key, item.split))
        for name, spool in self.parts.items():
            value = getattr(item, name)
            if name == "followers":
                value = {stage: [asdict(one) for one in several] for stage, several in value.items()}
            spool.append(value)

    def close(self) -> None:
        for spool in self.parts.values():
            spool.close()

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        key, split = self._names[index]
        return StoredAccepted(key, split, self.parts, range(len(self))[index])
