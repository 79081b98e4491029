"""StrategyQA: yes/no questions whose steps are left to the reader, with steps and evidence (Geva et al. 2021)."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pydantic

from tasks.base import (
    TRIED,
    Accepted,
    Effect,
    FeedbackRule,
    Figure,
    Pipeline,
    Rejected,
    ReleaseProblem,
    Shape,
    SourceItem,
    SourceProblem,
    StagePlan,
)
from tasks.sampling import is_drawn, one_of
from tasks.strategyqa import importing, release, statistics
from tasks.strategyqa.release import FILTERED, TEST, TRAIN
from tasks.strategyqa.shapes import YES, Decomposed, Evidenced, Question
from tasks.strategyqa.splitting import leaking_writers, writers_for_test

QUESTION, DECOMPOSITION, EVIDENCE, VERIFICATION = "question", "decomposition", "evidence", "verification"
# What the reason of a question begins with that the solvers answered.
SOLVED = "solved"
# What follows its term in the key of a question: its number, and which attempt at the same thing it is.
_PLACE = re.compile(r"[1-9][0-9]*(?:~[0-9]+)?", re.ASCII)
_EFFECTS = (
    "drop: the question falls, with all that came of it; author: whoever wrote it gets it back with the reason; "
    "expert: it waits for an expert; again: others do it anew; keep: it stays, and the record tells"
)


class Settings(Shape):
    """How many questions a term has, what feedback does, which questions make the test set."""

    questions_per_term: int = pydantic.Field(
        5, ge=1, le=50, description="How many questions of a term are wanted (the paper: at most 5 accepted ones)."
    )
    tries_per_term: int = pydantic.Field(
        10,
        ge=1,
        le=100,
        description="How many questions of a term are asked for in all: in place of one that the solvers answered or "
        "that was dropped, another one is offered, up to this number.",
    )
    others_only: bool = pydantic.Field(
        True, description="Nobody decomposes, matches or verifies a question that they had a hand in."
    )
    answer_incorrect: Effect = pydantic.Field(
        "drop",
        description=f"When a later worker says that the answer is wrong: {_EFFECTS}. Steps of whoever says so go no "
        "further.",
    )
    not_definitive: Effect = pydantic.Field(
        "expert", description=f"When a decomposer says that the question has no definite answer: {_EFFECTS}."
    )
    no_evidence: Effect = pydantic.Field("keep", description=f"When no evidence is found for a step: {_EFFECTS}.")
    feedback_share: float = pydantic.Field(
        0.5, ge=0, le=1, description="The part of the workers on one item who must say the same, before it counts."
    )
    sent_back: int = pydantic.Field(
        1, ge=0, le=20, description="How often the same thing is sent back or done again, before it is dropped instead."
    )
    verification_share: float = pydantic.Field(
        0.04, ge=0, le=1, description="Part of the questions whose evidence is verified (the paper reports on 100)."
    )
    test_questions: int = pydantic.Field(
        0, ge=0, description="How many questions the test set should have, as nearly as whole writers allow; 0: none."
    )
    test_writers: int = pydantic.Field(
        0,
        ge=0,
        description="How many writers make the test set; 0: as many as come nearest to the number of questions.",
    )
    seed: int = pydantic.Field(1, description="Another seed chooses other writers where several choices are as near.")


class StrategyQA(Pipeline):
    title = "StrategyQA: questions with implicit steps"
    description = (
        "Workers write yes/no questions about a term that can only be answered in steps they don't name, and solvers "
        "in the loop turn away what is too easy. Others decompose each question, three match paragraphs to its steps, "
        "and a sample is verified from the paragraphs alone. Each stage may object to an earlier one."
    )
    Settings = Settings
    Row = release.Row
    released = EVIDENCE
    released_rejections = QUESTION
    replaces_fallen = True
    stages = [
        StagePlan(QUESTION, "strategyqa.question", review="none", blind_share=0.0),
        StagePlan(DECOMPOSITION, "strategyqa.decomposing", review="none", blind_share=0.0),
        StagePlan(EVIDENCE, "strategyqa.matching", review="none", blind_share=0.0),
        StagePlan(VERIFICATION, "strategyqa.verifying", review="none", blind_share=0.0),
    ]
    licence = "CC-BY-SA-4.0"
    sources = "Titles and short descriptions of Wikipedia's pages; evidence from paragraphs of Wikipedia, CC BY-SA"
    citation = (
        "M. Geva, D. Khashabi, E. Segal, T. Khot, D. Roth, J. Berant: Did Aristotle Use a Laptop? A Question Answering "
        "Benchmark with Implicit Reasoning Strategies. Transactions of the ACL 9, 2021."
    )

    # --- Ways in and between ---

    def read(self, path: Path, options: Mapping[str, str]) -> Iterator[SourceItem | SourceProblem]:
        return importing.read(path, options)

    def spread(self, source: SourceItem, settings: Settings) -> list[SourceItem]:
        """`Cactus/1` to `Cactus/5`: each is one question by one writer. A record with a key of its own stays one."""
        if importing.has_own_key(source):
            return [source]
        numbers = range(1, settings.questions_per_term + 1)
        return [SourceItem(f"{source.key}/{number}", source.payload, source.split) for number in numbers]

    def family(self, item: SourceItem) -> str:
        """A record with a key of its own has none."""
        stem = f"{item.payload['term']}/"
        return stem if item.key.startswith(stem) and _PLACE.fullmatch(item.key, len(stem)) else ""

    def replacement(self, fallen: SourceItem, taken: Collection[str], settings: Settings) -> SourceItem | None:
        family = self.family(fallen)
        if not family or len(taken) >= settings.tries_per_term:
            return None
        number = next(number for number in range(1, len(taken) + 2) if f"{family}{number}" not in taken)
        # The expected answer is drawn anew, against the share as it is then.
        return SourceItem(f"{family}{number}", fallen.payload | {"expected": ""}, fallen.split)

    def keeps_authors_away(self, settings: Settings) -> bool:
        return settings.others_only

    def on_feedback(self, kind: str, settings: Settings) -> FeedbackRule:
        effect = getattr(settings, kind) if kind in ("answer_incorrect", "not_definitive", "no_evidence") else "keep"
        return FeedbackRule(effect, settings.feedback_share, settings.sent_back)

    def promote(
        self, stage: str, key: str, item: dict, outcome: dict, settings: Settings, *, split: str = ""
    ) -> list[tuple[str, SourceItem]]:
        match stage:
            case "question":
                return [(DECOMPOSITION, SourceItem(key, Question.model_validate(outcome).model_dump(), split))]
            case "decomposition" if outcome["steps"]:
                question = Question.model_validate(item).model_dump()
                payload = Decomposed.model_validate(question | {"steps": outcome["steps"]})
                return [(EVIDENCE, SourceItem(key, payload.model_dump(), split))]
            case "evidence" if is_drawn(VERIFICATION, key, settings.verification_share):
                matcher = one_of(outcome["evidence"], "matcher", key)
                if matcher is not None:
                    payload = Evidenced.model_validate(item | {"matched": matcher["matched"]})
                    return [(VERIFICATION, SourceItem(key, payload.model_dump(), split))]
        return []

    # --- The release ---

    def split_rule(self, settings: Settings) -> str:
        if not _wants_a_test_set(settings):
            return "All questions are train questions."
        return (
            "The split is by writer: no writer of a test question wrote a train question (Geva, Goldberg, Berant "
            "2019). The writers of the test set are chosen by the settings test_questions, test_writers and seed."
        )

    def release_rows(self, accepted: Iterable[Accepted], settings: Settings) -> dict[str, list[dict]]:
        """Train rows whole, test rows without labels. Rejected questions come from `rejected_rows`."""
        rows = labelled_rows(accepted, settings)
        return {TRAIN: rows[TRAIN], TEST: [release.unlabelled(row) for row in rows[TEST]]}

    def rejected_rows(
        self, rejected: Iterable[Rejected], accepted: Iterable[Accepted], settings: Settings
    ) -> dict[str, list[dict]]:
        """What the solvers answered, by writers of train questions alone; numbered in the order of their keys.

        Also what a writer tried and changed: the public file has several questions that are nearly the same.
        """
        testing = test_writers(accepted, settings)
        kept = [
            one for one in rejected if one.code in (SOLVED, TRIED) and not testing & set(writers_of(one.judgements))
        ]
        found = sorted((one.key, json.dumps(_rejected_question(one), ensure_ascii=False)) for one in kept)
        return {FILTERED: [{"qid": str(number)} | json.loads(row) for number, (_, row) in enumerate(found, 1)]}

    def published_files(self, rows: Mapping[str, list[dict]]) -> dict[str, Any]:
        """The dataset's own files: a JSON list each."""
        return {
            release.FILES[split]: [release.published(row) for row in several] if split == TRAIN else several
            for split, several in rows.items()
        }

    def cited(self, rows: Mapping[str, list[dict]]) -> set[str]:
        return {
            place
            for row in rows.get(TRAIN, ())
            for matcher in row["evidence"]
            for step in matcher
            for place in step["paragraphs"] or ()
        }

    def published_paragraphs(self, paragraphs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        return {release.PARAGRAPHS: {name: release.paragraph(paragraphs[name]) for name in sorted(paragraphs)}}

    def statistics(self, rows: Mapping[str, list[dict]], accepted: list[Accepted], settings: Settings) -> list[Figure]:
        """The paper's tables; those of the test set too, whose labels the release keeps to itself."""
        labelled = {
            split: [release.published(row) for row in several]
            for split, several in labelled_rows(accepted, settings).items()
        }
        filtered = rows.get(FILTERED, [])
        testing = test_writers(accepted, settings)
        writers: dict[str, list[str]] = {TRAIN: [], TEST: []}
        for one in accepted:
            names = writers_of(one.judgements[QUESTION])
            writers[TEST if testing & set(names) else TRAIN] += names
        return [
            *statistics.figures(labelled | {FILTERED: filtered}),
            *statistics.writer_figures(writers),
            statistics.rejection_figure(len(filtered), len(labelled[TRAIN])),
            *statistics.verification(accepted, VERIFICATION),
        ]


def _rejected_question(one: Rejected) -> dict[str, Any]:
    if one.code == TRIED:
        about = {"term": one.item["term"], "description": one.item["description"]}
        return about | {"question": one.value["text"], "answer": one.value["right"] == YES}
    return {name: one.value[name] for name in release.REJECTED_FIELDS}


# --- Splits ---------------------------------------------------------------------------------------


def labelled_rows(accepted: Iterable[Accepted], settings: Settings) -> dict[str, list[dict]]:
    """All rows with their labels, by split and qid."""
    accepted = list(accepted) if isinstance(accepted, Iterator) else accepted
    testing = test_writers(accepted, settings)
    rows: dict[str, list[dict]] = {TRAIN: [], TEST: []}
    written: dict[str, dict[str, str]] = {TRAIN: {}, TEST: {}}
    for one in accepted:
        names = writers_of(one.judgements.get(QUESTION, ()))
        split = TEST if testing & set(names) else TRAIN
        written[split] |= {f"{one.key} {name}": name for name in names}
        row = release.row(
            qid=release.qid_of(one.key),
            question=one.outcomes[QUESTION],
            steps=one.outcomes[DECOMPOSITION]["steps"],
            evidence=[matcher["matched"] for matcher in one.outcomes[EVIDENCE]["evidence"]],
        )
        rows[split].append(row)
    if leaks := leaking_writers(written):
        raise ReleaseProblem(
            "expected no writer in both train and test set, found "
            f"{', '.join(leaks)}: several people's questions were taken for one item"
        )
    for several in rows.values():
        several.sort(key=lambda row: row["qid"])
    return rows


def test_writers(accepted: Iterable[Accepted], settings: Settings) -> frozenset[str]:
    """The writers whose questions make the test set; none where none is asked for, or one person wrote all."""
    if not _wants_a_test_set(settings):
        return frozenset()
    counts = Counter(name for one in accepted for name in writers_of(one.judgements.get(QUESTION, ())))
    if len(counts) < 2:
        return frozenset()
    wanted = settings.test_questions or sum(counts.values()) * settings.test_writers // len(counts)
    writers = min(settings.test_writers, len(counts) - 1) or None
    # Ties are broken by names, so the seed gives each writer another one.
    shuffled = {hashlib.sha256(f"{settings.seed} {name}".encode()).hexdigest(): name for name in counts}
    by_hash = {digest: counts[name] for digest, name in shuffled.items()}
    return frozenset(shuffled[digest] for digest in writers_for_test(by_hash, wanted=wanted, writers=writers))


def _wants_a_test_set(settings: Settings) -> bool:
    return bool(settings.test_questions or settings.test_writers)


def writers_of(judgements: Iterable[Mapping[str, Any]]) -> list[str]:
    """Who wrote the question of an item: of several who were asked, the one whose question was taken."""
    return [judgement["worker"] for judgement in judgements if judgement.get("is_taken", True)]
