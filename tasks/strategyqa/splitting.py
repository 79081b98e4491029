"""A split by annotators: no writer of a test question wrote a train question (Geva, Goldberg, Berant 2019)."""

from collections.abc import Mapping


def writers_for_test(questions: Mapping[str, int], *, wanted: int, writers: int | None = None) -> frozenset[str]:
    """The writers whose questions make the test set: as near to `wanted` questions as can be, fewer before more.

    `questions` is how many each writer wrote; `writers`, where given, is how many of them to take. Among equal
    choices the first writers in order of their names win, so that the split is the same each time.
    """
    if writers is not None and not 0 < writers < len(questions):
        raise ValueError(f"expected 1 to {len(questions) - 1} of {len(questions)} writers, found {writers}")
    names = sorted(questions)
    # Swapping one writer at a time moves the total by at most what one writer wrote, so the nearest lies below this.
    fewest = sum(sorted(questions.values())[: writers or 1])
    most = max(wanted, fewest) + max(questions.values(), default=0)
    # (writers taken, questions taken) → who they are, by the first way there.
    ways: dict[tuple[int, int], tuple[str, ...]] = {(0, 0): ()}
    for name in names:
        for (taken, total), chosen in list(ways.items()):
            reached = taken + 1, total + questions[name]
            if reached[1] <= most and (writers is None or reached[0] <= writers):
                ways.setdefault(reached, (*chosen, name))
    fitting = [way for way in ways if (way[0] == writers if writers else 0 < way[0] < len(names))]
    if not fitting:
        raise ValueError(f"expected two writers or more, found {len(names)}")
    best = min(fitting, key=lambda way: (abs(way[1] - wanted), way[1] - wanted, way[0]))
    return frozenset(ways[best])


def leaking_writers(splits: Mapping[str, Mapping[str, str]]) -> dict[str, list[str]]:
    """Writers who stand in several splits, with these. `splits` holds each split's writer by question."""
    found: dict[str, set[str]] = {}
    for split, writers in splits.items():
        for writer in writers.values():
            found.setdefault(writer, set()).add(split)
    return {writer: sorted(where) for writer, where in sorted(found.items()) if len(where) > 1}
