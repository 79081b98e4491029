"""How people would work on StrategyQA's stages, for demo, tests and replay.

What they know comes from files of whole questions: `questions.jsonl` of the demo, or the published train file. Each
has its term, answer, facts, steps and the evidence of one or several matchers.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tasks.fields import Evidence, Lines, StepAnswers, Steps
from tasks.simulation import CARELESS, SPAMMER, Demo, Person, Seen, Sheet, Verdict
from tasks.strategyqa.evidence import StepEvidence, page_of
from tasks.strategyqa.shapes import NO, YES

DEMO_FILES = Path(__file__).parent / "demo"
DEMO_PROJECT = Demo(
    name="Demo: questions with implicit steps",
    slug="demo-strategyqa",
    sources=(DEMO_FILES / "terms.jsonl",),
    corpus=(DEMO_FILES / "paragraphs.jsonl",),
    settings={"questions_per_term": 2, "tries_per_term": 4, "verification_share": 0.5},
    assignments=10,
)
# One in so many of a careless worker's questions has the other answer, and one in so many of their steps no evidence.
CARELESS_FAULTS = 4


# How the page says that solvers answered a question, and how a writer then puts it.
FOUND_OUT = "The computer found the answer"
LEADS = ("All in all, ", "Going by the facts, ", "Taken together, ", "In the end, ")
NOTHING = {"paragraphs": None, "is_operation": False, "lacks_evidence": True}
_THERE_ARE = re.compile(r"there are (\d+) steps")


@dataclass(frozen=True)
class Known:
    """What the crowd knows of a question. `evidence` is by matcher and step; `answers` are to the steps, in words."""

    key: str
    term: str
    question: str
    answer: bool
    facts: tuple[str, ...]
    steps: tuple[dict, ...]
    evidence: tuple[tuple[StepEvidence, ...], ...]
    answers: tuple[str, ...] = ()


class Knowledge:
    """What is known, by the question's text and by its term.

    `key_of` tells the key of a page's item, where several items look the same; nobody but a replay knows it.
    """

    def __init__(self, questions: Iterable[Known]):
        self._by_key: dict[str, Known] = {}
        self._by_text: dict[str, Known] = {}
        self._by_term: dict[str, list[Known]] = defaultdict(list)
        for known in questions:
            self._by_key[known.key] = known
            self._by_text.setdefault(_form(known.question), known)
            self._by_term[_form(known.term)].append(known)
        self.key_of: Callable[[str], str] | None = None

    def __len__(self) -> int:
        return len(self._by_key)

    @property
    def texts(self) -> Collection[str]:
        """The questions that are known."""
        return self._by_text.keys()

    def by_key(self, item: str) -> Known | None:
        return self._by_key.get(self.key_of(item)) if self.key_of else None

    def asked(self, seen: Seen) -> Known | None:
        """The question that a page's text begins with; the longest where several do."""
        if (known := self.by_key(seen.item)) is not None:
            return known
        form = _form(seen.text)
        if lead := next((lead for lead in LEADS if form.startswith(lead)), ""):
            form = form[len(lead)].upper() + form[len(lead) + 1 :]
        found = [text for text in self._by_text if form.startswith(text)]
        return self._by_text[max(found, key=len)] if found else None

    def about(self, seen: Seen) -> list[Known]:
        """The questions on the term that a page's text begins with."""
        if (known := self.by_key(seen.item)) is not None:
            return [known]
        form = _form(seen.text)
        found = [term for term in self._by_term if form.startswith(term)]
        return self._by_term[max(found, key=len)] if found else []


def _form(text: str) -> str:
    return " ".join(typed(text).split())


def visible(text: str) -> str:
    """A text without invisible characters, which nobody types."""
    return "".join(sign for sign in text if unicodedata.category(sign) != "Cf")


def typed(text: str) -> str:
    """A text as it comes out of a form: without invisible characters, and without blanks at its ends."""
    return visible(text).strip()


def knowledge(paths: Sequence[str | Path] = ()) -> Knowledge:
    """What stands in these files of questions (JSON Lines, or a published list); without paths, in the demo's.

    Raises ValueError where a file holds anything else.
    """
    rows = [row for path in paths or [DEMO_FILES / "questions.jsonl"] for row in _rows(Path(path))]
    try:
        return Knowledge(map(_known, rows))
    except (KeyError, TypeError) as fault:
        raise ValueError(f"expected questions with their steps and evidence, found none: {fault}") from None


def _rows(path: Path) -> list[dict]:
    text = path.read_text(encoding="utf-8")
    return json.loads(text) if path.suffix == ".json" else list(map(json.loads, text.splitlines()))


def _known(row: Mapping[str, Any]) -> Known:
    evidence = tuple(tuple(StepEvidence.of(step) for step in matcher) for matcher in row["evidence"])
    # A published step has no page: that of its first paragraph is where its answer was found.
    pages = row.get("pages") or [_page(evidence, place) for place in range(len(row["decomposition"]))]
    return Known(
        key=row.get("qid") or row["question"],
        term=row["term"],
        question=typed(row["question"]),
        answer=row["answer"],
        facts=tuple(map(typed, row["facts"])),
        steps=tuple(
            {"text": visible(text), "page": page} for text, page in zip(row["decomposition"], pages, strict=True)
        ),
        evidence=evidence,
        answers=tuple(row.get("answers", ())),
    )


def _page(evidence: Sequence[Sequence[StepEvidence]], place: int) -> str:
    found = [page_of(name) for matcher in evidence for name in matcher[place].paragraphs or ()]
    return found[0] if found else ""


# --- What a worker enters -------------------------------------------------------------------------


def answer_for(seen: Seen, worker: Person, rng: Random, knowledge: Knowledge) -> dict[str, list[str]]:
    """What a worker enters on the page of a stage, told apart by what is asked there."""
    if "facts" in seen.fields:
        return _question(seen, worker, rng, knowledge)
    known = knowledge.asked(seen)
    if "steps" in seen.fields:
        return _decomposition(seen, worker, known)
    if "matched" in seen.fields:
        return _evidence(seen, worker, rng, known)
    return _verification(worker, known)


def _slips(worker: Person, seen: Seen, rng: Random) -> bool:
    return worker.character == CARELESS and not seen.objections and rng.randrange(CARELESS_FAULTS) == 0


def _question(seen: Seen, worker: Person, rng: Random, knowledge: Knowledge) -> dict[str, list[str]]:
    """One that has the answer that is asked for; a careless writer may take another one."""
    if worker.character == SPAMMER:
        return {"question": ["Is it good?"], "facts": ["It is good.\nIt is very good."]}
    about = knowledge.about(seen)
    wanted = seen.text.rstrip().endswith(YES)
    fitting = [known for known in about if known.answer == wanted]
    others = [known for known in about if known.answer != wanted]
    several = others if others and _slips(worker, seen, rng) else fitting or about
    if not several:
        return {"question": [""], "facts": [""]}
    known = rng.choice(several)
    lead = rng.choice(LEADS) if any(FOUND_OUT in objection for objection in seen.objections) else ""
    question = lead + known.question[0].lower() + known.question[1:] if lead else known.question
    return {"question": [question], "facts": [Lines().present(known.facts)]}


def _decomposition(seen: Seen, worker: Person, known: Known | None) -> dict[str, list[str]]:
    """The known steps; where the page's answer is not the true one, that is said, and nothing more is needed."""
    if worker.character == SPAMMER:
        return {"steps": [Steps().present([{"text": "Is it good?", "page": "Good"}])], "flags": [], "reason": [""]}
    if known is None:
        steps = [{"text": "What is meant here?", "page": ""}]
        said = ["Nobody could say what this is about."]
        return {"steps": [Steps().present(steps)], "flags": ["not_definitive"], "reason": said}
    if _shown_answer(seen, known) != known.answer:
        true = YES if known.answer else NO
        return {"steps": [""], "flags": ["answer_incorrect"], "reason": [f"By the facts, the answer is {true}."]}
    return {"steps": [Steps().present(known.steps)], "flags": [], "reason": [""]}


def _shown_answer(seen: Seen, known: Known) -> bool:
    """The answer that stands after the question on the page."""
    rest = _form(seen.text)[len(_form(known.question)) :].lower().replace(":", " ").split()
    return next((word == YES for word in rest if word in (YES, NO)), known.answer)


def _evidence(seen: Seen, worker: Person, rng: Random, known: Known | None) -> dict[str, list[str]]:
    """What the matcher of this seat found; who is careless leaves some out and says so.

    Where somebody wrote other steps than are known, there is evidence for as many of them as there are.
    """
    if known is None or worker.character == SPAMMER:
        return {"matched": [Evidence().present([NOTHING] * (_told_steps(seen) or 3))], "flags": [], "reason": [""]}
    steps = [_as_matched(step) for step in known.evidence[worker.seat % len(known.evidence)]]
    steps = [*steps, *[NOTHING] * 5][: _told_steps(seen) or len(steps)]
    if worker.character == CARELESS:
        steps = [NOTHING if step["paragraphs"] and rng.randrange(CARELESS_FAULTS) == 0 else step for step in steps]
    return {"matched": [Evidence().present(steps)], "flags": [], "reason": [""]}


def _told_steps(seen: Seen) -> int:
    """How many steps there are, where the page had to say so; 0 where it did not."""
    return next((int(found[1]) for said in seen.objections if (found := _THERE_ARE.search(said))), 0)


def _as_matched(step: StepEvidence) -> dict:
    return {
        "paragraphs": None if step.paragraphs is None else list(step.paragraphs),
        "is_operation": step.is_operation,
        "lacks_evidence": step.lacks_evidence,
    }


def _verification(worker: Person, known: Known | None) -> dict[str, list[str]]:
    """The known answers to the steps; who does not know says that nothing can be answered, and a spammer yes."""
    if worker.character == SPAMMER:
        return {"answers": [StepAnswers().present([{"answer": YES, "cannot": False}] * _steps_of(known))]}
    if known is None or not known.answers:
        return {"answers": [StepAnswers().present([{"answer": "", "cannot": True}] * _steps_of(known))]}
    answers = [{"answer": "" if text == "?" else text, "cannot": text == "?"} for text in known.answers]
    return {"answers": [StepAnswers().present(answers)]}


def _steps_of(known: Known | None) -> int:
    return len(known.steps) if known else 1


# --- What the expert decides ----------------------------------------------------------------------


def verdict_on(sheet: Sheet, knowledge: Knowledge) -> Verdict:
    """A question that was called indefinite is good where it is known; nothing else comes to an expert by itself."""
    question = sheet.texts.get("question")
    if question is None or _form(question) in knowledge.texts:
        return Verdict()
    return Verdict("reject", "nobody could answer it")
