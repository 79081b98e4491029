"""The paper's Table 1 and what else can be counted on R4C's rows, with intervals."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tasks.base import Accepted, Figure
from tasks.metrics.agreement import alpha
from tasks.metrics.figures import figure
from tasks.metrics.intervals import mean, ratio
from tasks.r4c.filtering import LEVELS, SPLIT
from tasks.r4c.release import is_answerable_throughout

TABLE = "Table 1: derivations by number of steps"
SHAPE = "Shape of derivations"
SOURCES = "Agreement of the references"
ANSWERABLE = "Answerability of derivations"
DERIVABLE = "Derivability of steps"


def figures(rows: Mapping[str, list[dict]]) -> list[Figure]:
    """All figures by split, and of the splits together."""
    together = [row for released in rows.values() for row in released]
    found = []
    for split, released in [*rows.items(), ("total", together)]:
        found += [*_table_1(split, released), *_shape(split, released), *_sources(split, released)]
    return found


def supporting_fact_figures(
    rows: Iterable[Mapping[str, Any]], facts: Mapping[str, set[tuple[str, int]]], split: str = "total"
) -> list[Figure]:
    """How derivations use the supporting facts, over the instances whose facts are known (`facts` by id)."""
    known = [(row, facts[row["id"]]) for row in rows if row["id"] in facts]
    outside = [sum((step[0], step[1]) not in gold for d in row["derivations"] for step in d) for row, gold in known]
    steps = [sum(map(len, row["derivations"])) for row, _ in known]
    covering, within, exactly = [], [], []
    for row, gold in known:
        cited = [{(step[0], step[1]) for step in derivation} for derivation in row["derivations"]]
        covering.append(sum(gold <= places for places in cited))
        within.append(sum(places <= gold for places in cited))
        exactly.append(sum(places == gold for places in cited))
    derivations = [len(row["derivations"]) for row, _ in known]
    return [
        figure(SOURCES, "steps that cite no supporting fact", split, ratio(outside, steps)),
        figure(SOURCES, "derivations that cite all supporting facts", split, ratio(covering, derivations)),
        figure(SOURCES, "derivations that cite supporting facts only", split, ratio(within, derivations)),
        figure(SOURCES, "derivations that cite exactly the supporting facts", split, ratio(exactly, derivations)),
    ]


def _table_1(split: str, rows: list[dict]) -> Iterator[Figure]:
    sizes = [len(derivation) for row in rows for derivation in row["derivations"]]
    yield Figure(TABLE, "questions", split, len(rows))
    yield Figure(TABLE, "derivations", split, len(sizes))
    yield Figure(TABLE, "1 step", split, sum(size == 1 for size in sizes))
    yield Figure(TABLE, "2 steps", split, sum(size == 2 for size in sizes))
    yield Figure(TABLE, "3 steps", split, sum(size == 3 for size in sizes))
    yield Figure(TABLE, "4 or more steps", split, sum(size >= 4 for size in sizes))


def _shape(split: str, rows: list[dict]) -> Iterator[Figure]:
    derivations = [row["derivations"] for row in rows]
    numbers = [len(several) for several in derivations]
    steps = [[step for derivation in several for step in derivation] for several in derivations]
    counts = [len(several) for several in steps]
    articles = [sum(len({step[0] for step in derivation}) for derivation in several) for several in derivations]
    yield figure(SHAPE, "steps a derivation", split, ratio(counts, numbers))
    yield figure(SHAPE, "articles a derivation", split, ratio(articles, numbers))
    for place, part in enumerate(("head", "relation", "tail")):
        words = [sum(len(step[2][place].split()) for step in several) for several in steps]
        yield figure(SHAPE, f"words a {part}", split, ratio(words, counts))
    first = [sum(step[1] == 0 for step in several) for several in steps]
    yield figure(SHAPE, "steps drawn from the first sentence", split, ratio(first, counts))


def _sources(split: str, rows: list[dict]) -> Iterator[Figure]:
    same = [all(derivation == row["derivations"][0] for derivation in row["derivations"]) for row in rows]
    cited = [[{(step[0], step[1]) for step in derivation} for derivation in row["derivations"]] for row in rows]
    places = [all(one == several[0] for one in several) for several in cited]
    yield Figure(SOURCES, "instances with identical references", split, sum(same), n=len(rows))
    yield figure(SOURCES, "instances whose references cite the same sentences", split, mean(places))


# --- What later stages say ------------------------------------------------------------------------


def supporting_facts(rows: Mapping[str, list[dict]], accepted: Iterable[Accepted]) -> list[Figure]:
    """`supporting_fact_figures` of each split, for the items whose facts are known."""
    facts = {
        item.key: {(fact["title"], fact["sentence"]) for fact in known}
        for item in accepted
        if (known := item.item.get("supporting_facts"))
    }
    return [figure for split, several in rows.items() for figure in supporting_fact_figures(several, facts, split)]


def answerability(accepted: Iterable[Accepted], stage: str, judging: str) -> list[Figure]:
    """The paper's answerability figures by split: shares of the verdicts, agreement, and what its rule keeps."""
    by_split: dict[str, list[Accepted]] = {}
    for item in accepted:
        by_split.setdefault(item.split, []).append(item)
    return [figure for split, items in by_split.items() for figure in _answerability(split, items, stage, judging)]


def _answerability(split: str, items: list[Accepted], stage: str, judging: str) -> Iterator[Figure]:
    judged = [item for item in items if any(follower.outcome for follower in item.followers.get(judging, []))]
    if not judged:
        return
    followers = [[one for one in item.followers[judging] if one.outcome] for item in judged]
    numbers = [len(several) for several in followers]
    for verdict in (*reversed(LEVELS), SPLIT):
        counts = [sum(one.outcome["verdict"] == verdict for one in several) for several in followers]
        yield figure(ANSWERABLE, f"derivations judged {verdict}", split, ratio(counts, numbers))
    votes = [
        [LEVELS[said] for given in one.judgements if (said := given["answer"].get("verdict")) in LEVELS]
        for several in followers
        for one in several
    ]
    for level in ("nominal", "ordinal"):
        yield figure(ANSWERABLE, f"Krippendorff's alpha, {level}", split, alpha(votes, level), "derivations")
    kept = [is_answerable_throughout(item, stage, judging) for item in judged]
    yield figure(ANSWERABLE, "questions whose derivations are all judged yes", split, mean(kept))


def derivability(accepted: Iterable[Accepted], judging: str) -> list[Figure]:
    """How many of the sampled steps experts can draw from their sentences, and how many all of them can."""
    followers = [one for item in accepted for one in item.followers.get(judging, []) if one.outcome]
    if not followers:
        return []
    said_yes = mean([one.outcome["derivable"] == "yes" for one in followers])
    found = [figure(DERIVABLE, "derivable", "total", said_yes, "steps")]
    twice = [votes for one in followers if len(votes := _last_word_of_each(one.reviews)) > 1]
    if twice:
        agreed = [set(votes) == {"yes"} for votes in twice]
        row = "derivable for all experts, of those that several judged"
        found.append(figure(DERIVABLE, row, "total", mean(agreed), "steps"))
    return found


def _last_word_of_each(reviews: Iterable[Mapping[str, Any]]) -> list[str]:
    said = {review["reviewer"]: review["value"]["derivable"] for review in reviews if review["decision"] == "accept"}
    return list(said.values())
