"""The candidate answers of a question: the right one and titles of its articles.

The paper gives three titles at random beside the answer, and "neither". For a yes/no question its rule
makes the answer obvious; the opposite word can be offered instead of one title.
"""

import random
from collections.abc import Sequence

from tasks.r4c.shapes import shown

NEITHER = "neither"
WRONG_CANDIDATES = 3
OPPOSITES = {"yes": "no", "no": "yes"}


def candidates(key: str, answer: str, titles: Sequence[str], *, offer_opposite: bool = True) -> list[str]:
    """The right answer first, then up to three wrong ones, drawn by the item's key: the same each time.

    Titles that equal the answer, or each other, but for case are no wrong candidates; where fewer than
    three others are left, there are fewer.
    """
    right = shown(answer)
    wrong: dict[str, str] = {}
    opposite = OPPOSITES.get(right.lower()) if offer_opposite else None
    if opposite:
        wrong[opposite] = opposite
    dice = random.Random(f"candidates of {key}")
    for title in dice.sample(sorted(titles), len(titles)):
        text = shown(title)
        if len(wrong) < WRONG_CANDIDATES and text.lower() != right.lower():
            wrong.setdefault(text.lower(), text)
    return [right, *wrong.values()]
