"""What a replay of R4C's release imports, and what it expects to come out."""

import json
from pathlib import Path

import pytest

from tasks.base import SourceItem
from tasks.r4c import importing, replay, simulation

PUBLISHED = 2_209 + 2_379


@pytest.fixture(scope="module")
def whole(shared_data: Path, tmp_path_factory: pytest.TempPathFactory):
    return replay.prepare(shared_data, tmp_path_factory.mktemp("whole"), whole=True)


def imported(sources) -> list[SourceItem]:
    found = [entry for path in sources for entry in importing.read(path, {})]
    assert all(isinstance(entry, SourceItem) for entry in found)
    return found


def test_without_stand_ins_only_instances_with_articles_are_replayed(shared_data: Path, tmp_path: Path) -> None:
    found = replay.prepare(shared_data, tmp_path, limit=5)
    assert {split: len(rows) for split, rows in found.expected.items()} == {"dev": 5}
    assert len(imported(found.sources)) == 5


def test_the_whole_replay_is_every_published_instance(whole) -> None:
    assert sum(map(len, whole.expected.values())) == PUBLISHED
    assert {entry.key for entry in imported(whole.sources)} == {
        row["id"] for rows in whole.expected.values() for row in rows
    }


def test_a_stand_in_has_every_sentence_that_its_derivations_cite(whole) -> None:
    articles = {
        entry.key: {article["title"]: article["sentences"] for article in entry.payload["articles"]}
        for entry in imported(whole.sources)
    }
    for rows in whole.expected.values():
        for row in rows:
            for title, number, _ in (step for derivation in row["derivations"] for step in derivation):
                assert articles[row["id"]][title][number].strip(), f"{row['id']}: {title}, {number}"


def test_workers_know_each_instance_by_its_question(whole) -> None:
    known = simulation.knowledge(whole.knowledge)
    assert len(known) == PUBLISHED
    for entry in imported(whole.sources)[::100]:
        found = known.of(f"{entry.payload['question']} and what else the page says")
        assert found is not None and found.key == entry.key


def test_hotpotqa_s_own_file_does_as_well_as_slices_of_it(tmp_path: Path) -> None:
    step = ["Ada Bell", 0, ["Ada Bell", "built", "the Red Mill"]]
    instance = {
        "_id": "5a",
        "question": "Who built the Red Mill?",
        "answer": "Ada Bell",
        "context": [["Ada Bell", ["Ada Bell built the Red Mill."]], ["Red Mill", ["It stands in Torwich."]]],
        "supporting_facts": [["Ada Bell", 0], ["Red Mill", 0]],
    }
    files = {
        "r4c/dev_csf.json": {"5a": [[step]] * 3},
        "r4c/train.json": {},
        "hotpotqa/hotpot_dev_distractor_v1.json": [instance, instance | {"_id": "not in R4C"}],
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(content))
    for whole in (False, True):
        found = replay.prepare(tmp_path, tmp_path / "made", whole=whole)
        assert [entry.key for entry in imported(found.sources)] == ["5a"]
