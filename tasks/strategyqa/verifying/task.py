"""The paper's EVV: somebody who knows neither answer nor facts answers every step from its paragraphs alone."""

import textwrap
from collections import Counter
from typing import Annotated, Literal

from tasks.aggregation.votes import agreement
from tasks.base import Aggregate, Check, Judgement, Said, Shape, StageDefaults, TaskType
from tasks.fields import Choice, StepAnswers
from tasks.strategyqa.decomposition import pieces
from tasks.strategyqa.shapes import Evidenced, StepAnswer, in_words
from tasks.strategyqa.verifying import checks as faults

SUPPORTED, CONTRADICTED, INCOMPLETE = "supported", "contradicted", "incomplete"
VERDICTS = (
    (SUPPORTED, "Supported: the paragraphs lead to the question’s answer"),
    (CONTRADICTED, "Contradicted: they lead to the other answer"),
    (INCOMPLETE, "Incomplete: a step can’t be answered from them"),
)


class Answer(Shape):
    """One verifier's answers to the steps."""

    answers: Annotated[
        list[StepAnswer],
        StepAnswers(
            label="Your answers",
            hint="Answer each step from its paragraphs and your own earlier answers, and from nothing else.",
        ),
    ] = []


class Outcome(Shape):
    """What the evidence is worth; `lacking`: the steps at which something is missing; the answers it was seen from."""

    verdict: Annotated[Literal["supported", "contradicted", "incomplete"], Choice(options=VERDICTS, label="Verdict")]
    lacking: list[int] = []
    answers: Annotated[list[StepAnswer], StepAnswers(label="Answers to the steps")] = []


class Verifying(TaskType):
    title = "Answer a question step by step from given paragraphs"
    description = (
        "Read a few paragraphs of an encyclopedia and answer small questions from them, one after the other, up to a "
        "last one that is answered with yes or no."
    )
    keywords = "reading, question answering, verification, encyclopedia"
    reasons = {
        "does_not_follow": "An answer doesn’t follow from its paragraphs",
        "faulty": "Unclear or faulty",
    }
    Item = Evidenced
    Answer = Answer
    Outcome = Outcome
    quotes = "quoted"
    checks = [
        # Said when the work is handed in: while somebody is at step 1, the page shows which steps are open.
        Check(faults.leaves_a_step_unanswered, "block", "answers", live=False),
        Check(faults.last_is_neither_yes_nor_no, "block", "answers"),
        Check(faults.is_about_more_steps_than_there_are, "block", "answers"),
        Check(faults.answer_is_too_long, "block", "answers"),
        Check(faults.holds_unwelcome_characters, "block", "answers"),
        Check(faults.builds_on_what_cannot_be_answered, "warn", "answers"),
        Check(faults.answers_without_a_paragraph, "warn", "answers"),
    ]
    # On a sample of the questions (paper); pay and time are our guess.
    defaults = StageDefaults(
        reward_cents=60, answers_per_item=1, items_per_hit=1, minutes_allowed=30, expected_seconds_per_item=150
    )

    def paragraphs_of(self, item: Evidenced) -> list[str]:
        return list(dict.fromkeys(name for step in item.matched for name in step.paragraphs or []))

    def label(self, item: Evidenced) -> str:
        return textwrap.shorten(item.question, 140, placeholder="…")

    def facts(self, item: Evidenced) -> dict[str, str]:
        steps = [
            "\n".join([f"#{step['number']}: {item.steps[step['number'] - 1].text}", *map(_told, step["paragraphs"])])
            for step in self._steps(item)
        ]
        return {"Question": item.question, "Answer": in_words(item.answer), "Steps": "\n\n".join(steps)}

    def shown_to_workers(self, item: Evidenced) -> dict:
        """Neither the answer nor the writer's facts: the paragraphs have to do it alone."""
        return {"question": item.question, "steps": self._steps(item)}

    def _steps(self, item: Evidenced) -> list[dict]:
        return [
            {
                "number": number,
                "pieces": [list(piece) for piece in pieces(step.text, number)],
                "paragraphs": [_quoted(item, name) for name in matched.paragraphs or []],
                "is_operation": matched.is_operation,
                "is_last": number == len(item.steps),
            }
            for number, (step, matched) in enumerate(zip(item.steps, item.matched, strict=True), 1)
        ]

    def aggregate(self, item: Evidenced, judgements: list[Judgement], settings: Shape) -> Aggregate:
        """The verdict that most verifiers' answers come to; an expert looks where it speaks against the answer.

        Of several verifiers, ties go to the graver verdict. Agreement: the share of pairs of verifiers who come to the
        same, and miss something at the same steps.
        """
        if not judgements:
            return Aggregate("rejected", Outcome(verdict=INCOMPLETE).model_dump(), None, "nobody verified it")
        ordered = sorted(judgements, key=lambda judgement: judgement.key)
        verdicts = [(verdict_of(item, one.answer), faults.where_evidence_lacks(item, one.answer)) for one in ordered]
        counts = Counter(verdict for verdict, _ in verdicts)
        verdict = max((CONTRADICTED, INCOMPLETE, SUPPORTED), key=lambda name: counts[name])
        place = next(place for place, (name, _) in enumerate(verdicts) if name == verdict)
        is_clear = verdict != CONTRADICTED and counts[verdict] * 2 > len(verdicts)
        value = Outcome(verdict=verdict, lacking=verdicts[place][1], answers=ordered[place].answer.answers)
        return Aggregate(
            "settled" if is_clear else "disputed",
            value.model_dump(),
            agreement(verdicts),
            "",
            {name: counts[name] for name, _ in VERDICTS if counts[name]},
        )

    def feedback(self, item: Evidenced, judgements: list[Judgement]) -> list[Said]:
        """Which steps lack evidence, with what the verifier missed there."""
        return [
            Said("no_evidence", "strategyqa.matching", _missed(judgement, number), number, judgement.key)
            for judgement in judgements
            for number in faults.where_evidence_lacks(item, judgement.answer)
        ]


def verdict_of(item: Evidenced, answer: Answer) -> str:
    """What one verifier's answers say of the evidence."""
    answers = [step for _, step in faults.numbered(item, answer)]
    if any(step.cannot for step in answers):
        return INCOMPLETE
    return SUPPORTED if faults.folded(answers[-1]) == in_words(item.answer) else CONTRADICTED


def _missed(judgement: Judgement, number: int) -> str:
    return judgement.answer.answers[number - 1].answer


def _quoted(item: Evidenced, name: str) -> dict:
    """A paragraph as it is shown; without a text where the corpus has none of that name."""
    found = item.quoted.get(name)
    title = found.title if found else name.rpartition("-")[0] or name
    return {"id": name, "title": title, "section": found.section if found else "", "text": found.text if found else ""}


def _told(paragraph: dict) -> str:
    return f"{paragraph['id']}: {paragraph['text'] or 'not in the corpus'}"
