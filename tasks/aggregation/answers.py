"""Free-form answers of several workers: near-identical ones merged for display, the raw ones kept beside."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tasks.text import comparable


@dataclass(frozen=True, order=True)
class Given:
    """An answer as it was given: its text and the key of the judgement that it stands in."""

    text: str
    key: int = 0


@dataclass(frozen=True)
class Merged:
    """Answers that differ in case, articles or a full stop only, under the text that stands for them."""

    text: str
    given: tuple[Given, ...]

    @property
    def keys(self) -> list[int]:
        return sorted({given.key for given in self.given})


def merged(answers: Iterable[Given], *, form: Callable[[str], str] = comparable) -> list[Merged]:
    """Near-identical answers together, the most often given first. `form`: in which texts must be equal for that.

    The text most often given stands for its group; among equals the one without a full stop, then the
    shortest, then the first in the alphabet.
    """
    groups: dict[str, list[Given]] = {}
    for given in sorted(answers):
        groups.setdefault(form(given.text), []).append(given)
    found = [Merged(_best_text(group), tuple(group)) for group in groups.values()]
    return sorted(found, key=lambda group: (-len(group.keys), group.text.lower(), group.text))


def _best_text(group: list[Given]) -> str:
    times = Counter(given.text for given in group)
    return min(times, key=lambda text: (-times[text], text.endswith("."), len(text), text))
