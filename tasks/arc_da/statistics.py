"""The paper's Table 1 over a release's rows, in all the ways of counting that it leaves open, with intervals.

The paper does not say what an answer or a word is in "answers per question" and "words per answer";
each reading is a row of its own.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from tasks.arc_da.direct_answer.answers import CATEGORIES
from tasks.base import Accepted, Figure
from tasks.metrics.figures import figure
from tasks.metrics.intervals import mean, ratio
from tasks.text import STOP_WORDS, normalised, squad_tokens

TABLE = "Table 1: questions and answers"
SHARES = "What the experts changed"
VOTES = "Category votes of the workers"


def figures(rows: Mapping[str, list[dict]], accepted: list[Accepted], stage: str) -> list[Figure]:
    """All figures of a release, by table, row and split."""
    items = {item.key: item for item in accepted}
    found = []
    for split, released in rows.items():
        if released:
            known = [items[row["question_id"]] for row in released]
            found += [*_table_1(split, released, known), *_changes(split, released, known)]
            found += _votes(split, known, stage)
    return found


def _table_1(split: str, rows: list[dict], items: list[Accepted]) -> Iterator[Figure]:
    answers = [row["answers"] for row in rows]
    keys = [_key_text(item.item) for item in items]
    without_key = [[text for text in texts if text != key] for texts, key in zip(answers, keys, strict=True)]
    different = [{normalised(text) for text in texts} for texts in answers]
    yield Figure(TABLE, "questions", split, len(rows), n=len(rows))
    yield Figure(TABLE, "answers", split, sum(map(len, answers)), n=len(rows))
    yield figure(TABLE, "answers per question", split, mean([len(texts) for texts in answers]))
    yield figure(
        TABLE, "answers per question, without the original key", split, mean([len(texts) for texts in without_key])
    )
    yield figure(TABLE, "answers per question, different ones only", split, mean([len(forms) for forms in different]))
    readings: dict[str, Callable[[str], int]] = {
        "words per answer": lambda text: len(text.split()),
        "words per answer, normalised": lambda text: len(squad_tokens(text)),
        "words per answer, without stop words": lambda text: len(
            [word for word in squad_tokens(text) if word not in STOP_WORDS]
        ),
    }
    for name, length in readings.items():
        words = [sum(map(length, texts)) for texts in answers]
        yield figure(TABLE, name, split, ratio(words, [len(texts) for texts in answers]))


def _changes(split: str, rows: list[dict], items: list[Accepted]) -> Iterator[Figure]:
    pairs = list(zip(rows, items, strict=True))
    reworded = [row["question"] != item.item["question"].strip() for row, item in pairs]
    with_mark = [row["question"].endswith("?") for row in rows]
    with_key = [
        normalised(_key_text(item.item)) in {normalised(text) for text in row["answers"]} for row, item in pairs
    ]
    yield figure(SHARES, "questions reworded", split, mean(reworded))
    yield figure(SHARES, "questions that end with a question mark", split, mean(with_mark))
    yield figure(SHARES, "questions that keep the original key", split, mean(with_key))


def _votes(split: str, items: list[Accepted], stage: str) -> Iterator[Figure]:
    votes = Counter(
        judgement["answer"].get("category", "") for item in items for judgement in item.judgements.get(stage, [])
    )
    for category, label, _, _ in CATEGORIES:
        if votes.total():
            yield Figure(VOTES, label, split, votes[category] / votes.total(), n=votes.total(), method="share of votes")


def _key_text(item: dict) -> str:
    return next((choice["text"] for choice in item["choices"] if choice["label"] == item["answer_key"]), "")
