"""The R4C HIT: choose the answer from the articles' candidates, then derive it in steps drawn from sentences."""

import textwrap
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import pydantic

from tasks.base import Aggregate, Check, Judgement, Shape, StageDefaults, Suggestion, TaskType
from tasks.fields import Derivations, ItemChoice, Triplets
from tasks.r4c import checks as faults
from tasks.r4c.candidates import NEITHER
from tasks.r4c.filtering import WANTED_DERIVATIONS, kept_derivations
from tasks.r4c.rubric import DERIVATION_RUBRIC
from tasks.r4c.shapes import DerivationStep, Question, shown
from tasks.r4c.suggestions import index_of, phrases_of


class Answer(Shape):
    """What one worker says of one question: the answer, and the steps that lead to it."""

    choice: Annotated[
        str,
        ItemChoice(
            options_from="candidates",
            options=((NEITHER, "Neither of these"),),
            ending=(NEITHER,),
            excuses="steps",
            label="Part 1: what do the articles say is the answer?",
        ),
    ] = ""
    steps: Annotated[
        list[DerivationStep],
        Triplets(
            label="Part 2: how do the articles lead to it?",
            hint="Choose a sentence, then say in a head, a relation and a tail what you take from it.",
        ),
    ] = []


class Derivation(Shape):
    """One worker's derivation as it goes on: which stored answer it comes from, and its steps."""

    from_answers: list[int] = []
    steps: list[DerivationStep]


class Outcome(Shape):
    """The derivations with the right answer, by their stored answers."""

    derivations: Annotated[list[Derivation], Derivations(label="Derivations")]


class Settings(Shape):
    """What happens to a question whose derivations are too few."""

    wanted: int = pydantic.Field(
        WANTED_DERIVATIONS, ge=1, le=20, description="A question is kept with exactly so many derivations."
    )
    order_missing: bool = pydantic.Field(
        False,
        description="Offer a question again for the derivations that are missing, instead of dropping it as the "
        "paper's counts say it was.",
    )
    most_answers: int = pydantic.Field(
        6, ge=1, le=100, description="After so many submissions a question is not offered again."
    )


class DerivationTask(TaskType):
    title = "Answer a question from short articles and show how they lead to the answer"
    description = (
        "Read a few short articles, choose the answer to a question, and write down in two or more small steps how "
        "the articles lead to it."
    )
    keywords = "reading, question answering, reasoning, explanation"
    reasons = {
        "lead_nowhere": "The steps don’t lead to the answer",
        "not_said_there": "A step says what its sentence doesn’t",
        "faulty": "Unclear or faulty",
    }
    Item = Question
    Answer = Answer
    Outcome = Outcome
    Settings = Settings
    rubric = DERIVATION_RUBRIC
    prepares = "phrases/1"
    checks = [
        Check(faults.no_answer_chosen, "block", "choice"),
        Check(faults.no_step, "block", "steps"),
        Check(faults.leaves_a_part_empty, "block", "steps"),
        Check(faults.cites_no_sentence, "block", "steps"),
        Check(faults.too_many_steps, "block", "steps"),
        Check(faults.part_is_too_long, "block", "steps"),
        Check(faults.holds_unwelcome_characters, "block", "steps"),
        Check(faults.repeats_a_step, "warn", "steps"),
        Check(faults.steps_hang_apart, "warn", "steps"),
        Check(faults.never_reaches_the_answer, "warn", "steps"),
        Check(faults.uses_one_article_only, "warn", "steps"),
        Check(faults.relation_lacks_a_verb, "note", "steps"),
        Check(faults.entity_occurs_nowhere, "note", "steps"),
        Check(faults.sentence_names_neither, "note", "steps"),
    ]
    # Three workers and 30 cents a question (paper); the time is our guess.
    defaults = StageDefaults(
        reward_cents=30, answers_per_item=3, items_per_hit=1, minutes_allowed=45, expected_seconds_per_item=100
    )

    def label(self, item: Question) -> str:
        return textwrap.shorten(shown(item.question), 100, placeholder="…")

    def facts(self, item: Question) -> dict[str, str]:
        """Supporting facts are marked by an asterisk, as in "*2. He was born in Maresby."."""
        marked = {(fact.title, fact.sentence) for fact in item.supporting_facts}
        articles = [
            "\n".join(
                [
                    shown(article.title),
                    *(
                        f"{'*' if (article.title, place) in marked else ''}{place + 1}. {shown(text)}"
                        for place, text in enumerate(article.sentences)
                        if text.strip()
                    ),
                ]
            )
            for article in item.articles
        ]
        return {
            "Question": shown(item.question),
            "Answer": shown(item.answer),
            "Candidates": "; ".join(item.candidates),
            "Articles": "\n\n".join(articles),
        }

    def shown_to_workers(self, item: Question) -> dict:
        """Everything but the answer. The candidates are sorted: the right one stands first in an item."""
        facts = {(fact.title, fact.sentence) for fact in item.supporting_facts}
        return {
            "question": shown(item.question),
            "candidates": sorted(item.candidates),
            "articles": [
                {
                    "title": shown(article.title),
                    "key": article.title,
                    "is_supporting": any(title == article.title for title, _ in facts),
                    "sentences": [
                        {"text": shown(text), "is_fact": (article.title, place) in facts}
                        for place, text in enumerate(article.sentences)
                    ],
                }
                for article in item.articles
            ],
            "has_facts": bool(facts),
        }

    def prepare(self, item: Question, read: Callable[[str], Any] | None) -> dict:
        """The phrases of the articles."""
        articles = [(shown(article.title), [*map(shown, article.sentences)]) for article in item.articles]
        return phrases_of(articles, read)

    def suggest(
        self, item: Question, prepared: dict, field: str, typed: str, asked: Mapping[str, str]
    ) -> list[Suggestion]:
        """Phrases for a part of a step. `asked`: `part`, `title` and `sentence` (from 0) chosen, names `used`."""
        if field != "steps" or asked.get("part") not in ("head", "relation", "tail"):
            return []
        titles = [article.title for article in item.articles]
        place, number = None, asked.get("sentence", "")
        if asked.get("title") in titles and number.isascii() and number.isdigit() and len(number) < 7:
            place = (titles.index(asked["title"]), int(number))
        return index_of(prepared).ranked(asked["part"], typed, place, asked.get("used", "").split("\n"))

    def aggregate(self, item: Question, judgements: list[Judgement], settings: Settings) -> Aggregate:
        """The paper's filter: right answers only, and exactly three of them."""
        by_key = {judgement.key: judgement.answer for judgement in judgements}
        kept = kept_derivations({key: answer.choice for key, answer in by_key.items()}, item.answer, settings.wanted)
        derivations = [
            Derivation(from_answers=[key], steps=[_with_its_title(item, step) for step in by_key[key].steps])
            for key in sorted(kept.right)
        ]
        value = Outcome(derivations=derivations).model_dump()
        agreement = len(kept.right) / len(judgements) if judgements else None
        details = {"right": len(kept.right), "wrong": len(judgements) - len(kept.right)}
        if not kept.reason:
            return Aggregate("settled", value, agreement, "", details)
        missing = min(settings.wanted - len(kept.right), settings.most_answers - len(judgements))
        return Aggregate(
            "rejected",
            value,
            agreement,
            f"other_number_of_derivations: {kept.reason}",
            details,
            more_answers=max(0, missing) if settings.order_missing else 0,
        )


def _with_its_title(item: Question, step: DerivationStep) -> DerivationStep:
    """The step with its article's title as the source writes it (`Ant &amp; Dec`), whatever the page showed."""
    article = item.article(step.title)
    return step.model_copy(update={"title": article.title}) if article else step
