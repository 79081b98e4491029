"""ARC-DA's rows, and the public files through them."""

import json

import pytest

from tasks.arc_da.importing import read
from tasks.base import Accepted
from tasks.registry import pipeline

ARC_DA = pipeline("arc_da")
ITEM = {
    "question": "The colour of snow is",
    "choices": [{"label": "A", "text": "white."}, {"label": "B", "text": "green."}],
    "answer_key": "A",
}


def accepted(key, split="train", question="What is the colour of snow?", answers=("white",), item=ITEM):
    value = {
        "question": question,
        "answers": [{"text": text, "from_answers": [], "origin": "worker"} for text in answers],
    }
    return Accepted(key, split, item, {"direct_answer": value})


def rows(*items):
    return ARC_DA.release_rows(items, ARC_DA.Settings())


def test_a_row_holds_what_the_experts_left():
    assert rows(accepted("ARCEZ_CW_1", "dev", " What is it? ", ["white", " White. ", "white", ""])) == {
        "dev": [
            {"question_id": "ARCEZ_CW_1", "tag": "EASY-DEV", "question": "What is it?", "answers": ["white", "White."]}
        ]
    }


def test_easy_comes_before_challenge_and_splits_stay_apart():
    found = rows(accepted("ARCCH_1"), accepted("ARCEZ_2"), accepted("ARCEZ_1"), accepted("ARCCH_9", "test"))
    assert [row["question_id"] for row in found["train"]] == ["ARCEZ_1", "ARCEZ_2", "ARCCH_1"]
    assert list(found) == ["train", "test"]
    assert found["test"][0]["tag"] == "CHALLENGE-TEST"


@pytest.mark.shared_data
@pytest.mark.parametrize(("split", "n"), [("train", 1_250), ("test", 1_397)])
def test_the_public_release_comes_out_of_its_own_outcomes(shared_data, split, n):
    lines = (shared_data / "arc-da" / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
    public = {row["question_id"]: row for row in map(json.loads, lines)}
    sources = {item.key: item for path in (shared_data / "arc").glob(f"ARC-*-{split}.jsonl") for item in read(path, {})}
    items = [
        accepted(key, sources[key].split, row["question"], row["answers"], sources[key].payload)
        for key, row in public.items()
    ]
    found = rows(*items)
    assert list(found) == [split]
    assert {row["question_id"]: row for row in found[split]} == public
    assert len(public) == n
