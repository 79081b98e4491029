"""The figures of the paper's Table 4 and section 4 over released rows, with intervals over questions."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from tasks.base import Accepted, Figure
from tasks.metrics.figures import figure
from tasks.metrics.intervals import mean, ratio
from tasks.strategyqa.decomposition import faults
from tasks.strategyqa.evidence import StepEvidence, page_of, paired_overlaps

TABLE = "Table 4: the dataset"
STEPS = "Steps"
EVIDENCE = "Evidence"
VERIFIED = "Verification of the evidence"
AGREEMENT = "Agreement of the evidence matchers"
_TOKEN = re.compile(r"\w+|[^\w\s]")


def figures(rows: Mapping[str, Sequence[dict]]) -> list[Figure]:
    """All figures of the splits that have decompositions and evidence, and the short ones of the others."""
    found = []
    for split, released in rows.items():
        if not released:
            continue
        found += _questions(split, released)
        if all("decomposition" in row for row in released):
            found += _steps(split, released)
        if all("evidence" in row for row in released):
            evidence = [[[StepEvidence.of(step) for step in one] for one in row["evidence"]] for row in released]
            found += [*_evidence(split, evidence), *_coverage(split, evidence), *_agreement(split, evidence)]
    return found


def writer_figures(writers: Mapping[str, Sequence[str]]) -> list[Figure]:
    """How many people wrote each split's questions, and how much the busiest of them."""
    found = []
    for split, names in writers.items():
        counts = Counter(names)
        if counts:
            found.append(Figure(TABLE, "writers", split, len(counts)))
            found.append(Figure(TABLE, "most questions of a writer", split, max(counts.values())))
    return found


def verification(accepted: Iterable[Accepted], stage: str) -> Iterator[Figure]:
    """What the verifiers made of a sample: whether the paragraphs alone lead to the answer (paper, section 4.2)."""
    verdicts = [one.outcome["verdict"] for item in accepted for one in item.followers.get(stage, ()) if one.outcome]
    if verdicts:
        yield Figure(VERIFIED, "questions verified", "sample", len(verdicts))
    for verdict in sorted(set(verdicts)):
        yield figure(VERIFIED, verdict, "sample", mean([each == verdict for each in verdicts]))


def rejection_figure(rejected: int, accepted: int) -> Figure:
    """The share of written questions that the solvers rejected."""
    share = rejected / (rejected + accepted) if rejected + accepted else None
    return Figure(TABLE, "rejected by solvers", "total", share, n=rejected + accepted, method="share of questions")


def _questions(split: str, rows: Sequence[dict]) -> Iterator[Figure]:
    yield Figure(TABLE, "questions", split, len(rows))
    if all("answer" in row for row in rows):
        yield figure(TABLE, 'questions answered "yes"', split, mean([row["answer"] for row in rows]))
    if all("term" in row for row in rows):
        terms = Counter(row["term"] for row in rows)
        yield Figure(TABLE, "terms", split, len(terms))
        yield Figure(TABLE, "most questions of a term", split, max(terms.values()))
    yield figure(TABLE, "words a question", split, mean([len(row["question"].split()) for row in rows]))
    for name, tokens_of in (("blanks", str.split), ("tokens", _TOKEN.findall)):
        trigrams = Counter(chain.from_iterable(_trigrams(tokens_of(row["question"].lower())) for row in rows))
        text, number = min(trigrams.items(), key=lambda pair: (-pair[1], pair[0]), default=("none", 0))
        yield Figure(TABLE, f"most frequent trigram by {name} ({text})", split, number)


def _trigrams(tokens: Sequence[str]) -> list[str]:
    return [" ".join(tokens[start : start + 3]) for start in range(len(tokens) - 2)]


def _steps(split: str, rows: Sequence[dict]) -> Iterator[Figure]:
    decompositions = [row["decomposition"] for row in rows]
    sizes = Counter(map(len, decompositions))
    yield Figure(TABLE, "unique steps", split, len(set(chain.from_iterable(decompositions))))
    yield figure(TABLE, "steps a question", split, mean(list(map(len, decompositions))))
    for size in sorted(sizes):
        yield Figure(STEPS, f"questions of {size} step{'s' if size > 1 else ''}", split, sizes[size])
    yield Figure(STEPS, "sound decompositions", split, sum(not faults(steps) for steps in decompositions))


def _evidence(split: str, evidence: Sequence[Sequence[Sequence[StepEvidence]]]) -> Iterator[Figure]:
    paragraphs = {place for row in evidence for one in row for step in one for place in step.places}
    yield Figure(TABLE, "unique paragraphs", split, len(paragraphs))
    yield Figure(TABLE, "pages of these paragraphs", split, len(set(map(page_of, paragraphs))))
    counted = [[sum(len(step.places) for step in one) for one in row] for row in evidence]
    yield figure(TABLE, "paragraphs a question", split, mean([sum(each) / len(each) for each in counted]))
    last = [sum(one[-1].is_operation for one in row) for row in evidence]
    yield figure(EVIDENCE, "last steps marked operation", split, ratio(last, [len(row) for row in evidence]))
    inner = [sum(step.is_operation for one in row for step in one[:-1]) for row in evidence]
    inner_steps = [sum(len(one) - 1 for one in row) for row in evidence]
    yield figure(EVIDENCE, "intermediate steps marked operation", split, ratio(inner, inner_steps))
    lacking = [sum(step.lacks_evidence for one in row for step in one) for row in evidence]
    steps = [sum(map(len, row)) for row in evidence]
    yield figure(EVIDENCE, "steps with partial or no evidence", split, ratio(lacking, steps))


def _coverage(split: str, evidence: Sequence[Sequence[Sequence[StepEvidence]]]) -> Iterator[Figure]:
    """By the matchers' own marks (paper, section 4.2): a step is covered where it is not said to lack evidence."""
    covered = [[[not step.lacks_evidence for step in one] for one in row] for row in evidence]
    together = [all(any(marks) for marks in zip(*row, strict=True)) for row in covered]
    alone = [any(all(one) for one in row) for row in covered]
    not_at_all = [not any(any(one) for one in row) for row in covered]
    for name, shares in (
        ("questions whose every step some matcher covers", together),
        ("questions that one matcher alone covers", alone),
        ("questions of which no step is covered", not_at_all),
    ):
        yield figure(EVIDENCE, name, split, mean(shares))


def _agreement(split: str, evidence: Sequence[Sequence[Sequence[StepEvidence]]]) -> Iterator[Figure]:
    """Plain means over all pairs of annotators at a step; the interval draws whole questions."""
    overlaps = [paired_overlaps(row) for row in evidence]
    pairs = [len(each) for each in overlaps]
    yield Figure(AGREEMENT, "pairs of annotators at a step", split, sum(pairs))
    for place, name in enumerate(("paragraphs", "pages")):
        sums = [sum(pair[place] for pair in each) for each in overlaps]
        yield figure(AGREEMENT, f"Jaccard similarity of {name}", split, ratio(sums, pairs))
