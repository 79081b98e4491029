"""What is written of an item that was gathered: no database is asked."""

import csv
from pathlib import Path

import pytest

from annotation.releases.gathering import Gathered
from annotation.releases.lines import LineWriter, reason_code
from tasks import registry
from tests.annotation.releases.conftest import lines

STAGE = "direct_answer"
KIND = registry.task_type("arc_da.direct_answer")
QUESTION = {"question": "What pulls?", "choices": [], "answer_key": "A"}


def judgement(number: int, worker: str, category: str) -> dict:
    answer = {"answers": ["gravity"], "category": category}
    told = {"seconds": 60, "items_in_hit": 1, "reward_cents": 50, "findings": []}
    return {"id": number, "worker": worker, "answer": answer, **told}


def decided(decision: str, reviewer: str, *, is_blind: bool = False) -> dict:
    told = {"reason": "", "operations": [], "value": {}, "seconds": 9}
    return {"decision": decision, "reviewer": reviewer, "is_blind": is_blind, **told}


def item(state: str, reason: str = "", **said) -> Gathered:
    return Gathered(1, "a", "dev", QUESTION, state, reason, None, STAGE, **said)


@pytest.fixture
def write(tmp_path: Path):
    """Writes one item, and gives the lines of a file."""

    def written(one: Gathered, name: str) -> list[dict]:
        writer = LineWriter(tmp_path, tmp_path / "scratch", {STAGE: KIND})
        writer.write(one)
        writer.close()
        return list(lines(tmp_path / f"raw/{name}.jsonl"))

    return written


@pytest.mark.parametrize(
    ("reviews", "by"),
    [
        ([], "rule"),
        ([decided("reject", "r-1")], "expert"),
        ([decided("accept", "r-1")], "rule"),
        ([decided("accept", "r-1"), decided("reject", "r-2", is_blind=True)], "rule"),
    ],
)
def test_a_rejection_is_an_expert_s_where_one_says_so_openly(write, reviews, by):
    [line] = write(item("rejected", "too_open: no two agree", reviews=reviews), "rejected")
    assert (line["by"], line["code"]) == (by, "too_open")


def test_an_item_that_two_phrases_exclude_counts_under_both(tmp_path):
    writer = LineWriter(tmp_path, tmp_path / "scratch", {STAGE: KIND})
    writer.write(item("excluded", "most|best"))
    writer.close()
    assert writer.excluded_by_phrase == {"best": 1, "most": 1}
    assert writer.counts["excluded"] == 1


def test_closed_questions_are_rated_by_worker(tmp_path):
    writer = LineWriter(tmp_path, tmp_path / "scratch", {STAGE: KIND})
    writer.write(item("accepted", judgements=[judgement(1, "w-a", "single"), judgement(2, "w-b", "many")]))
    writer.close()
    [ratings] = writer.ratings
    with ratings.path.open() as handle:
        rated = [(row["task"], row["worker"], row["label"]) for row in csv.DictReader(handle)]
    assert rated == [("a", "w-a", "single"), ("a", "w-b", "many")]
    assert writer.workers == 2


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("too_open: no two answers share a word", "too_open"),
        ("Names many things", "names-many-things"),
        ("two words: and more", "two-words-and-more"),
        (": no code", "no-code"),
        ("", "no-reason-given"),
    ],
)
def test_a_reason_has_a_short_name(reason, code):
    assert reason_code(reason) == code
