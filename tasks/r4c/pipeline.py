"""R4C: answers from articles, justified by derivations of triplets (Inoue, Stenetorp, Inui 2020)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pydantic

from tasks.base import SPLIT_OPTION, Accepted, Figure, Pipeline, ReadOption, Shape, SourceItem, SourceProblem, StagePlan
from tasks.r4c import importing, release, statistics
from tasks.r4c.shapes import DerivationStep, Question
from tasks.sampling import is_drawn

DERIVATION, ANSWERABILITY, DERIVABILITY = "derivation", "answerability", "derivability"


class Settings(Shape):
    """Which derivations are judged further, and what the verdicts decide."""

    answerability_splits: list[str] = pydantic.Field(
        ["dev"], description="Splits whose every derivation goes to the answerability HIT."
    )
    answerability_share: float = pydantic.Field(
        0.14, ge=0, le=1, description="Part of the questions of other splits whose derivations go there, too."
    )
    answerable_splits: list[str] = pydantic.Field(
        ["dev"],
        validate_default=True,
        description="Splits that release only questions whose derivations all have a majority for Yes. Those of "
        "them without a verdict yet wait, so every derivation of such a split must be judged.",
    )
    derivability_share: float = pydantic.Field(
        0.003, ge=0, le=1, description="Part of the steps that two experts compare with the sentences they cite."
    )

    @pydantic.field_validator("answerable_splits")
    @classmethod
    def _are_judged(cls, splits: list[str], info: pydantic.ValidationInfo) -> list[str]:
        judged = info.data.get("answerability_splits")
        if judged is None or info.data.get("answerability_share") == 1:
            return splits
        if waiting := [split for split in splits if split not in judged]:
            raise ValueError(
                f"{', '.join(waiting)}: not every derivation of such a split is judged, so some would wait forever; "
                f"name it among the answerability splits, too ({', '.join(judged) or 'none'} so far)"
            )
        return splits


class R4C(Pipeline):
    title = "R4C: answers from articles with derivations"
    description = (
        "Questions over several articles are answered by three workers, who derive their answers in steps of head, "
        "relation and tail, each from a sentence. Questions with three right answers stay; other workers say whether "
        "each derivation alone gives the answer, and experts compare a sample of steps with their sentences."
    )
    Settings = Settings
    Row = release.Row
    released = DERIVATION
    stages = [
        StagePlan(DERIVATION, "r4c.derivation", review="none", blind_share=0.0),
        StagePlan(ANSWERABILITY, "r4c.answerability", review="none", blind_share=0.0),
        StagePlan(DERIVABILITY, "r4c.derivability", crowd=False, review="all", blind_share=1.0),
    ]
    licence = "CC-BY-SA-4.0"
    sources = "HotpotQA (Yang et al. 2018), CC BY-SA 4.0, over introductory paragraphs of Wikipedia"
    citation = (
        "N. Inoue, P. Stenetorp, K. Inui: R4C: A Benchmark for Evaluating RC Systems to Get the Right Answer for the "
        "Right Reason. Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics, 2020."
    )

    read_options = (
        replace(SPLIT_OPTION, help="Only where the file’s name does not say it: train or dev."),
        ReadOption("sample", "Sample size", "So many of a file’s questions, drawn by the seed; empty: all of them."),
        ReadOption("seed", "Seed of the sample", "The same seed draws the same questions; empty: 0."),
        ReadOption(
            "opposite",
            "Opposite options",
            "Whether a yes/no question is offered with the opposite word among its candidates (“yes” if empty).",
            (("yes", "Offer them"), ("no", "Leave them out")),
        ),
    )

    def read(self, path: Path, options: Mapping[str, str]) -> Iterator[SourceItem | SourceProblem]:
        return importing.read(path, options)

    def promote(
        self, stage: str, key: str, item: dict, outcome: dict, settings: Settings, *, split: str = ""
    ) -> list[tuple[str, SourceItem]]:
        """Derivations to be judged by other workers, and single steps for the experts, each drawn by its key."""
        if stage != DERIVATION:
            return []
        question, found = Question.model_validate(item), []
        every = split in settings.answerability_splits or is_drawn(ANSWERABILITY, key, settings.answerability_share)
        for number, derivation in enumerate(outcome["derivations"], 1):
            authors = tuple(derivation["from_answers"])
            if every:
                payload = {"question": question.question, "answer": question.answer, "steps": derivation["steps"]}
                source = SourceItem(f"{key}/{number}", payload, split, from_answers=authors)
                found.append((ANSWERABILITY, source))
            for place, step in enumerate(derivation["steps"], 1):
                name = f"{key}/{number}/{place}"
                if is_drawn(DERIVABILITY, name, settings.derivability_share):
                    text = question.sentence(DerivationStep.model_validate(step).cited) or ""
                    source = SourceItem(name, {"step": step, "source": text}, split, from_answers=authors)
                    found.append((DERIVABILITY, source))
        return found

    def release_rows(self, accepted: Iterable[Accepted], settings: Settings) -> dict[str, list[dict]]:
        return release.rows((item for item in accepted if self._is_released(item, settings)), DERIVATION)

    def held_back(self, accepted: Iterable[Accepted], settings: Settings) -> str:
        """By split: questions whose derivations are still being judged, and those that the verdicts keep out."""
        counts: Counter[tuple[str, bool]] = Counter()
        for item in accepted:
            if not self._is_released(item, settings):
                counts[item.split, release.is_judged_throughout(item, DERIVATION, ANSWERABILITY)] += 1
        return "; ".join(_held_back(split, is_judged, number) for (split, is_judged), number in sorted(counts.items()))

    def _is_released(self, item: Accepted, settings: Settings) -> bool:
        if item.split not in settings.answerable_splits:
            return True
        return release.is_answerable_throughout(item, DERIVATION, ANSWERABILITY)

    def published_files(self, rows: Mapping[str, list[dict]]) -> dict[str, object]:
        """A JSON object a split, from id to derivations: the files that R4C's own readers take."""
        return {release.FILES.get(split, f"{split}.json"): release.published(rows[split]) for split in rows}

    def statistics(self, rows: Mapping[str, list[dict]], accepted: list[Accepted], settings: Settings) -> list[Figure]:
        listed = {split: [release.published_row(row) for row in several] for split, several in rows.items()}
        return [
            *statistics.figures(listed),
            *statistics.supporting_facts(listed, accepted),
            *statistics.answerability(accepted, DERIVATION, ANSWERABILITY),
            *statistics.derivability(accepted, DERIVABILITY),
        ]


def _held_back(split: str, is_judged: bool, number: int) -> str:
    one = number == 1
    questions = f"{number:,} accepted question{'' if one else 's'} of {split}"
    if is_judged:
        return f"{questions} {'stays' if one else 'stay'} out, for some derivation has no majority for Yes"
    return f"{questions} {'waits' if one else 'wait'} for verdicts on {'its' if one else 'their'} derivations"
