"""How people would answer ARC's questions and what an expert would make of it: for demo, tests and replay.

What they know comes from files: `answers.jsonl` of the demo (per question the answers of five people,
and wrong ones), or the published release (question_id, question, answers). Both are joined with ARC's
own files by id, since a worker sees the question and nothing else.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from tasks.aggregation.overlap import shared_words
from tasks.arc_da import importing
from tasks.base import SourceItem
from tasks.simulation import CARELESS, SEATS, SPAMMER, Demo, Person, Seen, Sheet, Verdict
from tasks.text import comparable, content_words

DEMO = Path(__file__).parent / "demo"
DEMO_PROJECT = Demo(
    name="Demo: science questions", slug="demo", sources=tuple(sorted(DEMO.glob("ARC-*.jsonl"))), assignments=35
)
SPAM = ("good", "yes", "nice question", "science", "idk", "it is because of the thing")
# One in so many of a careless worker's answers is wrong, or stands under the wrong category.
CARELESS_FAULTS = 3
FEWEST_OF_ONE_MIND = 3
# After these words a stem wants a noun, after any other a verb.
_WANTS_NOUN = re.compile(r"\b(is|are|was|were|called|all|enough|of|in|by|from|to|with|up|as|at|for|through|an?|the)$")
_ARTICLE = re.compile(r"\s+(?:an?|the)$")
_ORDERS = ("name", "give", "describe", "explain", "list", "identify")


@dataclass(frozen=True)
class Known:
    """What the crowd knows of one question: the answers of each seat, wrong ones, and what was released (if it was)."""

    key: str
    seats: tuple[tuple[str, ...], ...]
    right_option: str = ""
    wrong: tuple[str, ...] = ()
    released: tuple[str, tuple[str, ...]] | None = None

    @cached_property
    def good(self) -> dict[str, str]:
        """All right answers, the key's text among them, by the form in which near-identical ones are equal."""
        texts = [text for seat in self.seats for text in seat] + [self.right_option] * bool(self.right_option)
        return {comparable(text): text for text in texts}

    @cached_property
    def is_open(self) -> bool:
        """Whether no three people said the same: there are too many right answers."""
        said = Counter(word for seat in self.seats for word in frozenset().union(*map(content_words, seat)))
        return max(said.values(), default=0) < FEWEST_OF_ONE_MIND


class Knowledge:
    """What is known, by the question's text; a few questions of ARC stand there twice under different ids."""

    def __init__(self, known: dict[str, list[Known]]):
        self._known = known

    def __len__(self) -> int:
        return sum(map(len, self._known.values()))

    def of(self, text: str) -> list[Known]:
        """All that bear this text."""
        return self._known.get(_form(text), [])

    def one_of(self, text: str, page: str) -> Known | None:
        """The one whose id also stands on the page, where several bear the text."""
        found = self.of(text)
        return next((known for known in found if re.search(rf"\b{re.escape(known.key)}\b", page)), (found or [None])[0])


def _form(text: str) -> str:
    return " ".join(text.split())


# --- What is known --------------------------------------------------------------------------------


def knowledge(paths: Sequence[str | Path] = ()) -> Knowledge:
    """What stands in these files (ARC's questions, answers of a demo or of a release); without paths, in the demo's.

    Raises ValueError where a line of theirs is neither.
    """
    files = [Path(path) for path in paths] or sorted(DEMO.glob("*.jsonl"))
    questions: dict[str, SourceItem] = {}
    answers: dict[str, dict] = {}
    for path in files:
        if path.stem.startswith("ARC-"):
            questions |= {entry.key: entry for entry in _questions(path)}
        else:
            answers |= {row.get("question_id") or row["id"]: row for row in _rows(path)}
    known = defaultdict(list)
    for key, entry in questions.items():
        row = answers.get(key) or answers.get(key.partition("_")[2])
        if row is not None:
            known[_form(entry.payload["question"])].append(_known(key, entry.payload, row))
    return Knowledge(dict(known))


def _questions(path: Path) -> Iterator[SourceItem]:
    for entry in importing.read(path, {}):
        if not isinstance(entry, SourceItem):
            raise ValueError(str(entry))
        yield entry


def _rows(path: Path) -> Iterator[dict]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _known(key: str, question: dict, row: dict) -> Known:
    right = next(choice["text"] for choice in question["choices"] if choice["label"] == question["answer_key"])
    if "question_id" in row:
        released = row["question"], tuple(row["answers"])
        return Known(key, spread(row["answers"]), right_option=right, released=released)
    return Known(key, tuple(map(tuple, row["answers"])), right_option=right, wrong=tuple(row.get("wrong", ())))


def spread(answers: Sequence[str], seats: int = SEATS) -> tuple[tuple[str, ...], ...]:
    """A list of answers as several people would have given it, each at least one, and two of them agreeing.

    Each answer has one giver; where there are more people than answers, some give the same. Where then no
    two people share a word (which the paper's second filter wants), the last one also gives the first answer.
    """
    dealt = [tuple(dict.fromkeys(answers[seat::seats])) or (answers[seat % len(answers)],) for seat in range(seats)]
    said = [frozenset().union(*map(content_words, share)) for share in dealt]
    if not shared_words(said) and answers[0] not in dealt[-1]:
        dealt[-1] = (*dealt[-1], answers[0])
    return tuple(dealt)


# --- What a worker enters -------------------------------------------------------------------------


def answer_for(seen: Seen, worker: Person, rng: Random, knowledge: Knowledge) -> dict[str, list[str]]:
    """A worker's answers to one question and its category. What the page objected to is put right, in character."""
    if worker.character == SPAMMER:
        return _spam(seen, rng)
    candidates = knowledge.of(seen.text)
    if not candidates:
        return _entered(["don't know"], "unknown")
    known = candidates[rng.randrange(len(candidates))]
    texts = list(known.seats[worker.seat % len(known.seats)])
    if worker.character == CARELESS and not seen.objections and rng.randrange(CARELESS_FAULTS) == 0:
        return _slip(known, texts, rng)
    return _entered(texts, _category(known, texts))


def _entered(texts: Sequence[str], category: str) -> dict[str, list[str]]:
    return {"answers": ["; ".join(texts)], "category": [category]}


def _category(known: Known, texts: Sequence[str]) -> str:
    """How a worker who knows this much would call the question."""
    if known.is_open:
        return "many" if len(texts) > 1 else "wordings"
    different = len({comparable(text) for text in texts})
    if different > 1:
        return "several"
    return "single" if len(known.good) <= 1 else "wordings"


def _slip(known: Known, texts: list[str], rng: Random) -> dict[str, list[str]]:
    """A wrong answer, or a right one under a category that does not fit."""
    if known.wrong and rng.random() < 0.7:
        return _entered([rng.choice(known.wrong)], "single")
    return _entered(texts, rng.choice(["several", "many", ""]))


def _spam(seen: Seen, rng: Random) -> dict[str, list[str]]:
    """Anything that gets past the page: the question itself, empty fields, the same word everywhere."""
    if seen.objections:
        return _entered([rng.choice(SPAM[:4])], "single")
    return rng.choice(
        [
            _entered([rng.choice(SPAM)], rng.choice(["single", "unknown", "several"])),
            _entered([_form(seen.text)], "single"),
            _entered([], ""),
        ]
    )


# --- What the expert decides ----------------------------------------------------------------------


def verdict_on(sheet: Sheet, knowledge: Knowledge) -> Verdict:
    """Keeps good answers, removes wrong ones, rewords stems that can't stand alone, rejects what is too open.

    Of a question that was released, the released wording and list come out: answers are kept as long as
    they stand in the released order, and added in it from there on.
    """
    known = knowledge.one_of(sheet.texts["question"], sheet.page)
    if known is None:
        return Verdict("reject", "nobody here knows this question")
    if known.released is not None:
        return _restored(sheet, known)
    if known.is_open:
        return Verdict("reject", "too open: there are too many right answers")
    listed = sheet.lists["answers"]
    wrong = [place for place, text in enumerate(listed) if comparable(text) not in known.good]
    missing = [] if len(wrong) < len(listed) else [known.right_option]
    return Verdict(
        texts={"question": reworded(sheet.texts["question"])}, removed={"answers": wrong}, added={"answers": missing}
    )


def _restored(sheet: Sheet, known: Known) -> Verdict:
    question, answers = known.released
    listed = sheet.lists["answers"]
    kept: list[int] = []
    for text in answers:
        place = next((p for p in range(kept[-1] + 1 if kept else 0, len(listed)) if listed[p] == text), None)
        if place is None:
            break
        kept.append(place)
    removed = [place for place in range(len(listed)) if place not in kept]
    return Verdict(texts={"question": question}, removed={"answers": removed}, added={"answers": answers[len(kept) :]})


def reworded(stem: str) -> str:
    """A question that stands alone: "The green pigment in leaves is" asks "… is what?"."""
    text = _form(stem)
    if text.endswith("?") or text.lower().startswith(_ORDERS):
        return stem
    bare = text.rstrip(" .:,")
    wants_noun = _WANTS_NOUN.search(bare)
    return f"{_ARTICLE.sub('', bare)} what?" if wants_noun else f"{bare} does what?"
