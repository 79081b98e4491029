"""Pages cut out once and filled in many times.

A page of a HIT is the same for everybody but for a few spots: the words typed so far, what the checks
say, the signed context. A template renders once with a mark at each such spot; a Stencil is that text,
cut at its marks. Filling it is one join. Nobody can write a mark into a text: it carries a secret.
"""

from __future__ import annotations

import itertools
import re
import secrets
from collections.abc import Mapping, Sequence

from django.utils.safestring import SafeString, mark_safe

_SECRET = secrets.token_hex(8)
_BEGIN, _END = f"\ue000{_SECRET}:", "\ue001"
_SPOT = re.compile(f"{re.escape(_BEGIN)}(.*?){_END}", re.DOTALL)
# Stands for the item's id in what is the same for every item.
HOLD = f"\ue002{_SECRET}\ue003"


def spot(name: str) -> SafeString:
    """A mark to put into a template where `name` will be filled in."""
    return mark_safe(f"{_BEGIN}{name}{_END}")  # noqa: S308 - our own mark, no text of anybody's


# A run of like pieces whose order differs from worker to worker stands between these, one mark before each piece.
_PIECE, _RUN_ENDS = "piece of ", "end of "


def piece(run: str) -> SafeString:
    """A mark before each piece of a run."""
    return spot(_PIECE + run)


def end(run: str) -> SafeString:
    """A mark behind a run's last piece."""
    return spot(_RUN_ENDS + run)


class Stencil:
    """A rendered template with its spots. What is filled in must be safe HTML already.

    `keep`: spots whose name holds this stay marks, for a stencil that is made of what this one gives.
    """

    def __init__(self, rendered: str, *, keep: str = ""):
        self._parts = _SPOT.split(rendered)
        self._spots = []
        for place in range(1, len(self._parts), 2):
            name = self._parts[place]
            if keep and keep in name:
                self._parts[place] = spot(name)
            else:
                self._parts[place] = ""
                self._spots.append((place, name))
        self._runs: dict[str, list[int]] = {}
        for place, name in self._spots:
            if name.startswith((_PIECE, _RUN_ENDS)):
                self._runs.setdefault(name.removeprefix(_PIECE).removeprefix(_RUN_ENDS), []).append(place)

    def fill(self, values: Mapping[str, str], orders: Mapping[str, Sequence[int]] | None = None) -> SafeString:
        """The text with `values` in its spots. `orders`: for runs by name, which piece stands first, second, …"""
        parts = self._parts.copy()
        for place, name in self._spots:
            if name in values:
                parts[place] = values[name]
        for run, order in (orders or {}).items():
            bounds = self._runs[run]
            pieces = [parts[start:stop] for start, stop in itertools.pairwise(bounds)]
            parts[bounds[0] : bounds[-1]] = [part for number in order for part in pieces[number]]
        return mark_safe("".join(parts))  # noqa: S308 - a rendered template with safe pieces put in
