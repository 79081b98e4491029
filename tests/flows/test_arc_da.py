"""ARC-DA from question file to release: what people do over HTTP comes out as the release they made of it."""

from __future__ import annotations

import json
from pathlib import Path

from tasks.arc_da.replay import differences
from tests.flows.service import Service

FILES = Path(__file__).parent / "arc_da"
SOURCES = sorted(FILES.glob("ARC-*.jsonl"))
RELEASED = {split: FILES / f"{split}.jsonl" for split in ("train", "test")}
OPEN_QUESTION, FILTERED = "ARCEZ_CW_2026_042", {"ARCEZ_CW_2026_030", "ARCCH_CW_2026_075"}


def _rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_what_workers_and_an_expert_make_of_questions_is_what_is_released(service: Service) -> None:
    assert service.project("science", *SOURCES) == 2

    told = service.command(
        "simulate", "science", "--workers", "10", "--seed", "4", "--knowledge", *SOURCES, *RELEASED.values()
    )

    assert told["assignments"] == 10
    assert told["items"] == {"excluded": 2, "accepted": 8, "rejected": 1}
    paid = sum(who["earned_cents"] for who in told["characters"].values())
    assert paid == 10 * 100
    release = Path(service.command("release", "build", "science")["location"])
    made = {split: _rows(release / "data" / f"{split}.jsonl") for split in RELEASED}
    assert differences({split: _rows(path) for split, path in RELEASED.items()}, made) == []
    assert service.command("release", "verify", release)["problems"] == []


def test_a_release_tells_who_said_what_and_why_a_question_is_missing(service: Service) -> None:
    raw = Path(service.command("release", "list", "science")[0]["location"]) / "raw"
    judgements = _rows(raw / "judgements.jsonl")
    assert len(judgements) == 9 * 5
    by_item = {(one["item"], one["worker"]) for one in judgements}
    assert len(by_item) == 9 * 5, "five different workers a question"
    (rejected,) = _rows(raw / "rejected.jsonl")
    assert rejected["item"] == OPEN_QUESTION
    assert rejected["reason"]
    assert {row["item"] for row in _rows(raw / "excluded.jsonl") if row["phrase"]} == FILTERED
