"""How people would work on R4C's stages, for demo, tests and replay.

What they know comes from files of derivations by id: `derivations.jsonl` of the demo, or the published release
(id → derivations), joined with HotpotQA's own files by id. Workers recognise a question by its text.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tasks.base import SourceItem
from tasks.fields import Triplets
from tasks.r4c import importing
from tasks.r4c.candidates import NEITHER
from tasks.r4c.derivations import NoDerivations, read_references
from tasks.r4c.shapes import shown
from tasks.simulation import CARELESS, SPAMMER, Demo, Mark, Paper, Person, Seen, Sheet, Verdict, mark_with

DEMO_FILES = Path(__file__).parent / "demo"
DEMO_PROJECT = Demo(
    name="Demo: answers with derivations",
    slug="demo-r4c",
    sources=tuple(sorted(DEMO_FILES.glob("hotpot-*.jsonl"))),
    settings={"answerability_share": 0.5, "derivability_share": 0.1},
    assignments=18,
)
# One in so many of a careless worker's answers is wrong, or leaves the last step out.
CARELESS_FAULTS = 4
SPAM = "good"
LINES = Triplets()


@dataclass(frozen=True)
class Known:
    """What the crowd knows of a question: its answer, wrong candidates, and a derivation for each seat."""

    key: str
    answer: str
    wrong: tuple[str, ...]
    derivations: tuple[tuple[dict, ...], ...]

    def of_seat(self, seat: int) -> list[dict]:
        return list(self.derivations[seat % len(self.derivations)])


class Knowledge:
    """What is known, by the question's text."""

    def __init__(self, known: Mapping[str, Sequence[Known]]):
        self._known = known

    def __len__(self) -> int:
        return sum(map(len, self._known.values()))

    def of(self, text: str) -> Known | None:
        """The question whose text the page's text begins with; the longest where several do."""
        form = _form(text)
        found = [question for question in self._known if form.startswith(question)]
        return self._known[max(found, key=len)][0] if found else None


def _form(text: str) -> str:
    return " ".join(shown(text).split())


def knowledge(paths: Sequence[str | Path] = ()) -> Knowledge:
    """What stands in these files (HotpotQA's questions, derivations by id); without paths, in the demo's.

    Raises ValueError where a file is neither.
    """
    files = [Path(path) for path in paths] or sorted(DEMO_FILES.glob("*.jsonl"))
    questions: dict[str, SourceItem] = {}
    derivations: dict[str, list[list[dict]]] = {}
    for path in files:
        if path.name.startswith("hotpot"):
            questions |= {entry.key: entry for entry in _questions(path)}
        else:
            derivations |= dict(_derivations(path))
    known = defaultdict(list)
    for key, entry in questions.items():
        if key in derivations:
            payload = entry.payload
            right, *wrong = payload["candidates"]
            several = tuple(map(tuple, derivations[key]))
            known[_form(payload["question"])].append(Known(key, right, tuple(wrong), several))
    return Knowledge(dict(known))


def _questions(path: Path) -> Iterator[SourceItem]:
    for entry in importing.read(path, {}):
        if not isinstance(entry, SourceItem):
            raise ValueError(str(entry))
        yield entry


def _derivations(path: Path) -> Iterator[tuple[str, list[list[dict]]]]:
    if path.suffix == ".jsonl":
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield row["id"], row["derivations"]
        return
    try:
        published = read_references(path)
    except NoDerivations as problem:
        raise ValueError(str(problem)) from None
    for key, several in published.items():
        yield key, [[_as_parts(step) for step in derivation] for derivation in several]


def _as_parts(step) -> dict:
    head, relation, tail = step.triplet
    return {"title": step.title, "sentence": step.sentence, "head": head, "relation": relation, "tail": tail}


# --- What a worker enters -------------------------------------------------------------------------


def answer_for(seen: Seen, worker: Person, rng: Random, knowledge: Knowledge) -> dict[str, list[str]]:
    """What a worker enters on the page of either stage, told apart by what is asked there."""
    if "verdict" in seen.fields:
        return _verdict(seen, worker, rng)
    known = knowledge.of(seen.text)
    if worker.character == SPAMMER:
        return _spam(seen, known, rng)
    if known is None:
        return _derived(NEITHER, [])
    steps = known.of_seat(worker.seat)
    if worker.character == CARELESS and not seen.objections and rng.randrange(CARELESS_FAULTS) == 0:
        return _slip(known, steps, rng)
    return _derived(known.answer, steps)


def _derived(choice: str, steps: Sequence[dict]) -> dict[str, list[str]]:
    return {"choice": [choice], "steps": [LINES.present(steps)]}


def _slip(known: Known, steps: list[dict], rng: Random) -> dict[str, list[str]]:
    """A wrong answer, or a derivation that stops before it arrives."""
    if known.wrong and rng.random() < 0.5:
        return _derived(rng.choice(known.wrong), steps)
    return _derived(known.answer, steps[:-1] or steps)


def _spam(seen: Seen, known: Known | None, rng: Random) -> dict[str, list[str]]:
    """Whatever gets past the page: a guess, and a step of the same word three times."""
    if known is None or (not seen.objections and rng.random() < 0.5):
        return _derived("", [])
    step = known.of_seat(0)[0] | dict.fromkeys(("head", "relation", "tail"), SPAM)
    return _derived(rng.choice([known.answer, *known.wrong]), [step])


def _verdict(seen: Seen, worker: Person, rng: Random) -> dict[str, list[str]]:
    """Derivations of these data lead to their answers, a spammer's do not; who does not read may say anything."""
    if worker.character == SPAMMER:
        return {"verdict": [rng.choice(["yes", "likely", "no"])]}
    if worker.character == CARELESS and rng.randrange(CARELESS_FAULTS) == 0:
        return {"verdict": ["likely"]}
    return {"verdict": ["no" if " ".join([SPAM] * 3) in seen.text else "yes"]}


# --- What a grader makes of a test ----------------------------------------------------------------


def mark_of(paper: Paper, is_strict: bool) -> Mark:
    """The right answer, from steps that say something; who is strict wants two of them at least."""
    faults = []
    for one in paper.answers:
        texts = [text for several in one.said.values() for text in several]
        steps = [text for text in texts if text != one.facts["Answer"]]
        if one.facts["Answer"] not in texts:
            faults.append("Please look at the articles again: another answer is right.")
        elif any(" ".join([SPAM] * 3) in text.replace("|", " ") for text in steps) or not steps:
            faults.append("The steps should say what the articles say.")
        elif is_strict and len(steps) < 2:
            faults.append("One step alone does not lead to the answer.")
    return mark_with(paper, 0.0 if faults else 1.0, passes=not faults, feedback=" ".join(dict.fromkeys(faults)))


# --- What the expert decides ----------------------------------------------------------------------


def verdict_on(sheet: Sheet, knowledge: Knowledge) -> Verdict:
    """The steps of these data can be drawn from their sentences. Nothing else is asked of an expert."""
    if "derivable" in sheet.texts:
        return Verdict(choices={"derivable": "yes"})
    return Verdict("reject", "its derivations are too few")
