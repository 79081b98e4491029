"""A pipeline of three small stages, for what holds of any: ideas are written, drawn out, and judged by three."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest

from tasks import registry
from tasks.base import Aggregate, FeedbackRule, Judgement, Pipeline, Said, Shape, SourceItem, StagePlan, TaskType
from tasks.fields import Text


class Thing(Shape):
    thing: str
    idea: str = ""


class Written(Shape):
    idea: Annotated[str, Text(label="Idea")] = ""


class Judged(Shape):
    flag: Annotated[str, Text(label="Flag")] = ""
    reason: Annotated[str, Text(label="Reason")] = ""


class Writing(TaskType):
    title, description = "Write an idea", "One idea for a thing."
    name, folder = "small.writing", Path()
    Item, Answer, Outcome = Thing, Written, Written

    def label(self, item: Thing) -> str:
        return item.thing

    def aggregate(self, item: Thing, judgements: list[Judgement], settings: Shape) -> Aggregate:
        ideas = [judgement.answer.idea for judgement in judgements]
        if not any(ideas):
            return Aggregate("rejected", {"idea": ""}, None, "empty: nothing was written")
        return Aggregate("settled", {"idea": ideas[0]}, 1.0)


class Judging(TaskType):
    title, description = "Judge an idea", "Is it any good?"
    name, folder = "small.judging", Path()
    Item, Answer, Outcome = Thing, Judged, Judged

    def label(self, item: Thing) -> str:
        return item.idea

    def aggregate(self, item: Thing, judgements: list[Judgement], settings: Shape) -> Aggregate:
        return Aggregate("settled", {"flag": "", "reason": ""}, 1.0)

    def feedback(self, item: Thing, judgements: list[Judgement]) -> list[Said]:
        return [
            Said(one.answer.flag, "small.writing", one.answer.reason, answer=one.key)
            for one in judgements
            if one.answer.flag
        ]


class Settings(Shape):
    wrong: str = "drop"
    share: float = 0.5
    tries: int = 1
    most: int = 3


class Small(Pipeline):
    title, description, name, folder = "Small", "Ideas for things.", "small", Path()
    Settings = Settings
    Row = Thing
    stages = (
        StagePlan("writing", "small.writing", review="none", blind_share=0.0),
        StagePlan("drawing", "small.judging", review="none", blind_share=0.0),
        StagePlan("judging", "small.judging", review="none", blind_share=0.0),
    )
    replaces_fallen = True

    def promote(self, stage, key, item, outcome, settings, *, split=""):
        following = {"writing": "drawing", "drawing": "judging"}.get(stage)
        payload = {"thing": item["thing"], "idea": outcome.get("idea") or item["idea"]}
        return [(following, SourceItem(key, payload, split))] if following else []

    def on_feedback(self, kind, settings):
        return FeedbackRule(settings.wrong, settings.share, settings.tries) if kind == "wrong" else FeedbackRule()

    def family(self, item):
        return item.payload["thing"] + "/"

    def replacement(self, fallen, taken, settings):
        if len(taken) >= settings.most:
            return None
        return SourceItem(f"{self.family(fallen)}{len(taken) + 1}", fallen.payload)


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Writing(), Judging()):
        monkeypatch.setitem(registry.task_types(), kind.name, kind)
    monkeypatch.setitem(registry.pipelines(), "small", Small())
