"""CQW, creative question writing: a yes/no question about a term, answered by steps that it does not spell out."""

import random
from collections.abc import Mapping
from typing import Annotated, Any

import pydantic

from tasks.base import QUESTION_REASONS, TAKEN_FROM, Aggregate, Check, Judgement, StageDefaults, TaskType
from tasks.fields import Lines, Text
from tasks.solvers.policy import SOLVED, Policy, Puzzle
from tasks.solvers.settings import SolverSettings
from tasks.strategyqa import checks as faults
from tasks.strategyqa.shapes import NO, YES, Question, Term
from tasks.text import one_line


class Answer(pydantic.BaseModel):
    """What a writer hands in: the question, and the facts that its answer follows from."""

    model_config = pydantic.ConfigDict(extra="forbid")

    question: Annotated[
        str,
        Text(
            label="Your question",
            hint="To be answered with yes or no, and ending with a question mark.",
            lines=2,
            is_one_line=True,
        ),
    ] = ""
    facts: Annotated[
        list[str],
        Lines(
            label="Facts that the answer follows from",
            hint="2 to 5 short sentences, as one finds them in an encyclopedia, a line each.",
            unit="fact",
            fewest=faults.FEWEST_FACTS,
            most=faults.MOST_FACTS,
        ),
    ] = []


class Outcome(Question):
    """The question as it goes on: with its term, its answer, and its facts."""

    question: Annotated[str, Text(label="Question", lines=2, is_one_line=True)]
    facts: Annotated[list[str], Lines(label="Facts", unit="fact")] = []


class Settings(SolverSettings):
    """Solvers in the loop, and how much one person may write."""

    most_accepted_a_writer: int = pydantic.Field(
        0,
        ge=0,
        le=100_000,
        title="Questions a writer",
        description="How many questions one worker may have accepted or under way; 0: any number. A limit makes for "
        "many voices.",
    )


class QuestionWriting(TaskType):
    title = "Write a yes/no question that makes people think"
    description = (
        "You get a term and an answer, yes or no. Write a question about the term that has this answer, that people "
        "can only answer by combining several facts, and that our computer programs get wrong."
    )
    keywords = "writing, creative, questions, trivia"
    reasons = {
        "names_its_steps": "Names its steps, or asks for a single fact",
        "wrong_answer": "The answer, or a fact behind it, is wrong",
    } | QUESTION_REASONS
    Item = Term
    Answer = Answer
    Outcome = Outcome
    Settings = Settings
    draws = "expected"
    checks = [
        Check(faults.question_is_empty, "block", "question"),
        Check(faults.lacks_question_mark, "block", "question"),
        Check(faults.ends_in_several_question_marks, "warn", "question"),
        Check(faults.question_is_too_long, "block", "question"),
        Check(faults.holds_unwelcome_characters, "block"),
        Check(faults.asks_for_more_than_yes_or_no, "warn", "question"),
        Check(faults.question_is_long, "warn", "question"),
        Check(faults.leaves_out_the_term, "note", "question"),
        Check(faults.has_several_main_verbs, "warn", "question", needs=("language",)),
        Check(faults.repeats_a_question, "warn", "question", needs=("written",)),
        Check(faults.fewer_facts_than_needed, "block", "facts"),
        Check(faults.more_facts_than_taken, "block", "facts"),
        Check(faults.fact_is_too_long, "block", "facts"),
        Check(faults.repeats_a_fact, "warn", "facts"),
    ]
    # A full example of all four HITs cost $4 (paper); the part of this one and its time are our guess.
    defaults = StageDefaults(
        reward_cents=100, answers_per_item=1, items_per_hit=1, minutes_allowed=60, expected_seconds_per_item=300
    )

    def label(self, item: Term) -> str:
        return f"{item.term} ({item.expected})" if item.expected else item.term

    def facts(self, item: Term) -> dict[str, str]:
        return {"Term": item.term, "Description": item.description, "Expected answer": item.expected}

    def draw(self, item: Term, so_far: Mapping[str, int], rng: random.Random) -> Term | None:
        """Yes with the share that no has so far, and the other way round; what a source file gives stays."""
        if item.expected:
            return None
        yes, no = so_far.get(YES, 0), so_far.get(NO, 0)
        return item.model_copy(update={"expected": YES if rng.random() < (no + 1) / (yes + no + 2) else NO})

    def puzzle(self, item: Term, answer: Answer) -> Puzzle | None:
        """The question, once it is one: nobody loses a try over a missing question mark."""
        question = " ".join(answer.question.split())
        is_one = question.endswith("?") and 2 < len(question) <= faults.MOST_CHARACTERS
        return Puzzle(question, item.expected) if is_one and item.expected else None

    def policy(self, settings: Settings) -> Policy | None:
        return settings.policy()

    def written(self, answer: Answer) -> str:
        return " ".join(answer.question.split())

    def most_accepted(self, settings: Settings) -> int:
        return settings.most_accepted_a_writer

    def aggregate(self, item: Term, judgements: list[Judgement], settings: Settings) -> Aggregate:
        """The first question that the solvers did not answer; without one, the first is kept as rejected."""
        ordered = sorted(judgements, key=lambda judgement: judgement.key)
        held = [judgement for judgement in ordered if judgement.solvers != SOLVED]
        chosen = (held or ordered or [None])[0]
        value = Outcome(
            term=item.term,
            description=item.description,
            question=one_line(chosen.answer.question) if chosen else "",
            answer=item.expected == YES,
            facts=chosen.answer.facts if chosen else [],
        ).model_dump()
        if chosen is None:
            return Aggregate("rejected", value, None, "no_question: nobody wrote one")
        if not item.expected:
            return Aggregate("rejected", value, None, "no_expected_answer: the item was offered without one")
        details: dict[str, Any] = {"solvers": chosen.solvers} if chosen.solvers else {}
        if len(ordered) > 1:
            details[TAKEN_FROM] = [chosen.key]
        if not held:
            return Aggregate("rejected", value, None, "solved: the solvers found the answer", details)
        return Aggregate("settled", value, None, "", details)
