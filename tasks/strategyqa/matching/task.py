"""The EVM HIT: for each step of a decomposition, the paragraphs that answer it (3.3 of the paper)."""

import textwrap
from typing import Annotated, Literal

from tasks.base import Aggregate, Check, Judgement, Said, Shape, StageDefaults, TaskType
from tasks.fields import Evidence, EvidenceSets, Flags, Text
from tasks.strategyqa.decomposing.checks import flag_lacks_a_reason, reason_is_too_long
from tasks.strategyqa.decomposition import pieces
from tasks.strategyqa.evidence import StepEvidence, paired_overlaps
from tasks.strategyqa.matching import checks as faults
from tasks.strategyqa.shapes import ANSWER_INCORRECT, Decomposed, Matched, in_words

NO_EVIDENCE = "no_evidence"


class Answer(Shape):
    """What one worker found for the steps of one question, and what is wrong with the question."""

    matched: Annotated[
        list[Matched],
        Evidence(
            label="Evidence for each step",
            hint="Search for paragraphs that answer a step, and give them to it.",
        ),
    ] = []
    flags: Annotated[
        list[Literal["answer_incorrect"]],
        Flags(
            label="Is something wrong?",
            options=((ANSWER_INCORRECT, "The answer above is wrong"),),
            reason_in="reason",
        ),
    ] = []
    reason: Annotated[
        str,
        Text(
            label="Why is it wrong?",
            hint="A sentence or two: what do the paragraphs say instead? The question’s writer reads it.",
            lines=2,
            is_optional=True,
        ),
    ] = ""


class EvidenceSet(Shape):
    """One matcher's evidence as it goes on: which stored answer it comes from, and what it says of each step."""

    from_answers: list[int] = []
    matched: list[Matched]


class Outcome(Shape):
    """The evidence of every matcher, by their stored answers. Nothing is merged: all of it is released."""

    evidence: Annotated[list[EvidenceSet], EvidenceSets(label="Evidence by matcher and step")]


class MatchingTask(TaskType):
    title = "Find the paragraphs that answer the steps of a question"
    description = (
        "A question was taken apart into small steps. Search an encyclopedia and collect, for each step, the "
        "paragraphs that answer it."
    )
    keywords = "search, encyclopedia, reading, evidence, research"
    searches_corpus = True
    reasons = {
        "evidence_lacks": "The paragraphs don’t hold what a step asks for",
        "beside_the_point": "Paragraphs that say nothing of their step",
    }
    Item = Decomposed
    Answer = Answer
    Outcome = Outcome
    checks = [
        # Said when the work is handed in: while somebody is at step 1, the page itself tells which steps are open.
        Check(faults.leaves_a_step_without_a_mark, "block", "matched", live=False),
        Check(faults.is_about_more_steps_than_there_are, "block", "matched"),
        Check(faults.holds_too_many_paragraphs, "block", "matched"),
        Check(faults.names_a_paragraph_that_can_be_none, "block", "matched"),
        Check(faults.names_no_paragraph_of_the_corpus, "block", "matched", needs=("paragraphs",)),
        Check(faults.marks_an_inner_step_as_operation, "warn", "matched"),
        Check(faults.holds_many_paragraphs, "warn", "matched"),
        Check(flag_lacks_a_reason, "block", "reason"),
        Check(reason_is_too_long, "block", "reason"),
        Check(faults.reason_holds_unwelcome_characters, "block", "reason"),
    ]
    # Three workers a decomposition, $4 for a question through all its HITs (paper); this part of it is our guess.
    defaults = StageDefaults(
        reward_cents=100, answers_per_item=3, items_per_hit=1, minutes_allowed=60, expected_seconds_per_item=300
    )

    def label(self, item: Decomposed) -> str:
        return textwrap.shorten(item.question, 100, placeholder="…")

    def facts(self, item: Decomposed) -> dict[str, str]:
        return {
            "Question": item.question,
            "Answer": in_words(item.answer),
            "Steps": "\n".join(f"#{number} {step.text}" for number, step in enumerate(item.steps, 1)),
            "Facts": "\n".join(item.facts),
            "Term": f"{item.term}: {item.description}" if item.description else item.term,
        }

    def shown_to_workers(self, item: Decomposed) -> dict:
        """Question, answer and steps. What the writers had in mind would lead all matchers to the same pages."""
        return {
            "question": item.question,
            "answer": in_words(item.answer),
            "steps": [
                {"number": number, "text": step.text, "pieces": [list(piece) for piece in pieces(step.text, number)]}
                for number, step in enumerate(item.steps, 1)
            ],
        }

    def aggregate(self, item: Decomposed, judgements: list[Judgement], settings: Shape) -> Aggregate:
        """Every matcher's evidence is kept; their agreement is the mean Jaccard of each two at each step (paper, 4.3).

        An expert looks where a matcher says that the answer is wrong.
        """
        ordered = sorted(judgements, key=lambda judgement: judgement.key)
        sets = [EvidenceSet(from_answers=[one.key], matched=_padded(item, one.answer.matched)) for one in ordered]
        value = Outcome(evidence=sets).model_dump()
        if not sets:
            return Aggregate("rejected", value, None, "no_evidence: nobody looked for it")
        overlaps = paired_overlaps([[_as_evidence(step) for step in one.matched] for one in sets])
        doubts = sum(ANSWER_INCORRECT in judgement.answer.flags for judgement in judgements)
        by_step = enumerate(zip(*(one.matched for one in sets), strict=True), 1)
        details = {
            "compared_pairs": len(overlaps),
            "page_overlap": sum(pages for _, pages in overlaps) / len(overlaps) if overlaps else None,
            "answer_called_wrong_by": doubts,
            "steps_without_evidence": [number for number, said in by_step if not any(map(_says_something, said))],
        }
        agreement = sum(paragraphs for paragraphs, _ in overlaps) / len(overlaps) if overlaps else None
        return Aggregate("disputed" if doubts else "settled", value, agreement, "", details)

    def feedback(self, item: Decomposed, judgements: list[Judgement]) -> list[Said]:
        """The paper's two: the answer is incorrect, and there is no evidence for a step."""
        said = []
        for judgement in judgements:
            answer, key = judgement.answer, judgement.key
            if ANSWER_INCORRECT in answer.flags:
                said.append(Said(ANSWER_INCORRECT, about="strategyqa.question", reason=answer.reason, answer=key))
            said += [
                Said(NO_EVIDENCE, about="strategyqa.decomposing", reason=answer.reason, step=number, answer=key)
                for number, step in enumerate(answer.matched[: len(item.steps)], 1)
                if step.lacks_evidence and not step.paragraphs and not step.is_operation
            ]
        return said


def _padded(item: Decomposed, matched: list[Matched]) -> list[Matched]:
    """One entry a step, also where an old or half-made answer has fewer."""
    return [*matched, *(Matched() for _ in item.steps[len(matched) :])][: len(item.steps)]


def _as_evidence(step: Matched) -> StepEvidence:
    paragraphs = None if step.paragraphs is None else tuple(step.paragraphs)
    return StepEvidence(paragraphs, step.is_operation, step.lacks_evidence)


def _says_something(step: Matched) -> bool:
    return bool(step.paragraphs) or step.is_operation
