"""Who the simulated workers are: how they work, apart from what they know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from tasks.simulation import CAREFUL, CARELESS, QUITTER, SEATS, SLOW, SPAMMER, Person


@dataclass(frozen=True)
class Habits:
    """How a character behaves on any page.

    `drafts`: saves while typing. `returns`: one in so many HITs is given back half-way (0: none).
    `confirms`: insists where the page only asks whether it is sure. `patience`: attempts to hand in
    before the HIT is returned.
    """

    drafts: int = 0
    returns: int = 0
    confirms: bool = True
    patience: int = 4


HABITS = {
    CAREFUL: Habits(drafts=1),
    SLOW: Habits(drafts=6),
    CARELESS: Habits(),
    SPAMMER: Habits(patience=6),
    QUITTER: Habits(drafts=2, returns=2),
}
# Ten workers are six careful people (one of them slow), two careless ones, a spammer and one who gives up.
CAST = (CAREFUL, CARELESS, CAREFUL, SLOW, CAREFUL, SPAMMER, CAREFUL, QUITTER, CARELESS, CAREFUL)


def cast(number: int, characters: tuple[str, ...] = CAST, first_seat: int = 0) -> Iterator[Person]:
    """So many workers, in turn of each character, each with a seat of their own in what is known."""
    for place, character in enumerate(islice(cycle(characters), number), first_seat):
        yield Person(character=character, seat=place % SEATS)
