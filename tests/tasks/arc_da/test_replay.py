"""What a replay imports, and how it tells one release from another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tasks.arc_da import replay
from tasks.simulation import NoSimulation, replay_of

ROW = {"question_id": "ARCEZ_Q1", "tag": "EASY-TRAIN", "question": "What?", "answers": ["a", "b"]}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three questions, of which two were released."""
    for name in replay.SOURCES:
        path = tmp_path / "arc" / name
        path.parent.mkdir(exist_ok=True)
        numbers = {"ARC-Easy-train.jsonl": (1, 2), "ARC-Challenge-test.jsonl": (3,)}.get(name, ())
        path.write_text("".join(json.dumps({"id": f"Q{number}", "question": "What?"}) + "\n" for number in numbers))
    test = {"question_id": "ARCCH_Q3", "tag": "CHALLENGE-TEST", "question": "Who?", "answers": ["c"]}
    (tmp_path / "arc-da").mkdir()
    for split, row in (("train", ROW), ("test", test)):
        (tmp_path / "arc-da" / f"{split}.jsonl").write_text(json.dumps(row) + "\n")
    return tmp_path


def _ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_only_released_questions_are_imported(data: Path, tmp_path: Path) -> None:
    prepared = replay.prepare(data, tmp_path)
    assert {path.name: _ids(path) for path in prepared.sources} == {
        "ARC-Easy-train.jsonl": ["Q1"],
        "ARC-Challenge-test.jsonl": ["Q3"],
    }
    assert {split: len(rows) for split, rows in prepared.expected.items()} == {"train": 1, "test": 1}


def test_a_limit_takes_from_both_splits(data: Path, tmp_path: Path) -> None:
    prepared = replay.prepare(data, tmp_path, limit=2)
    assert sum(map(len, prepared.expected.values())) == 2
    assert sum(map(len, replay.prepare(data, tmp_path, limit=1).expected.values())) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"answers": ["b", "a"]}, "answers should be"),
        ({"answers": ["a", "B"]}, "answers should be"),
        ({"question": "What? "}, "question should be 'What?', is 'What? '"),
        ({"tag": "EASY-TEST"}, "tag should be"),
        ({"extra": 1}, "extra should be None, is 1"),
    ],
)
def test_every_field_must_be_the_same(change: dict, said: str) -> None:
    (found,) = replay.differences({"train": [ROW]}, {"train": [ROW | change]})
    assert said in found


def test_missing_strange_and_doubled_records_are_told() -> None:
    other = ROW | {"question_id": "ARCEZ_Q9"}
    assert replay.differences({"train": [ROW]}, {"train": [other]}) == [
        "train: ARCEZ_Q1 is missing",
        "train: ARCEZ_Q9 should not be there",
    ]
    assert replay.differences({"train": [ROW]}, {"train": [ROW, ROW]}) == ["train: a question stands there twice"]
    assert replay.differences({"train": [ROW]}, {"test": [ROW]}) == [
        "test: ARCEZ_Q1 should not be there",
        "train: ARCEZ_Q1 is missing",
    ]


def test_the_order_of_records_does_not_matter() -> None:
    other = ROW | {"question_id": "ARCEZ_Q9"}
    assert replay.differences({"train": [ROW, other]}, {"train": [other, ROW]}) == []


def test_a_dataset_that_nobody_published_says_so() -> None:
    with pytest.raises(NoSimulation, match="nowhere has no replay"):
        replay_of("nowhere")
