"""A published dataset through the whole service, and whether the same comes out at the other end."""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from django.db import connection

from annotation.corpus.actions import import_corpus
from annotation.hits.models import Answer
from annotation.projects.actions import change_stage, create_project, use_corpus
from annotation.projects.importing import import_items
from annotation.projects.items import order_more_answers
from annotation.projects.models import Project
from annotation.releases.actions import build
from annotation.releases.models import Release
from annotation.releases.storage import open_folder
from annotation.simulation.offering import offer_again, offer_what_is_open
from annotation.simulation.run import Outcome, Run
from tasks.simulation import CAREFUL, NoSimulation, replay_of, simulation_of

# A replay's money is counted, not limited.
BUDGET_CAP_CENTS = 100_000_000
# So many other workers judge what the first stage's wrote.
JUDGES = 3


@dataclass
class Replayed:
    """What a replay came to. `seconds`: how long each part took."""

    items: int = 0
    answers: int = 0
    assignments: int = 0
    differences: list[str] = field(default_factory=list)
    released: dict[str, int] = field(default_factory=dict)
    release: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    run: Outcome | None = None

    @property
    def assignments_per_second(self) -> float:
        """While the crowd worked: accept, draft, hand over and hand in, with collecting and review going on beside."""
        return round(self.assignments / self.run.crowd.seconds, 2) if self.run and self.run.crowd.seconds else 0.0

    def as_dict(self) -> dict:
        return {
            "items": self.items,
            "answers": self.answers,
            "assignments": self.assignments,
            "assignments_per_second": self.assignments_per_second,
            "seconds": self.seconds | {"total": round(sum(self.seconds.values()), 2)},
            "released": self.released,
            "release": self.release,
            "differences": self.differences,
            "run": self.run.as_dict() if self.run else None,
        }


class Keys:
    """The key of the item that a page's form knows by this name: what tells two items with the same words apart."""

    def __init__(self, project: Project):
        self._project = project
        self._known: dict[str, str] = {}

    def __call__(self, item: str) -> str:
        if item not in self._known:
            self._known |= {str(pk): key for pk, key in self._project.items.values_list("pk", "key")}
            connection.close()
        return self._known[item]


def module_of(dataset: str, *, whole: bool = False) -> ModuleType:
    """The module that replays a dataset; `whole`: one that can leave nothing out. Raises NoSimulation."""
    module = replay_of(dataset)
    if whole and "whole" not in inspect.signature(module.prepare).parameters:
        raise NoSimulation(f"{dataset} has no --whole: its replay leaves nothing out")
    return module


class Replayer:
    """One replay. `say` is told what is going on; `handed_in` and `decided` are called for each."""

    def __init__(
        self,
        *,
        dataset: str,
        data: Path,
        folder: Path,
        limit: int | None = None,
        whole: bool = False,
        say: Callable[[str], None] = lambda text: None,
        handed_in: Callable[[], None] = lambda: None,
        decided: Callable[[], None] = lambda: None,
    ):
        self.dataset, self.say, self.handed_in, self.decided = dataset.replace("-", "_"), say, handed_in, decided
        self.module = module_of(dataset, whole=whole)
        folder.mkdir(parents=True, exist_ok=True)
        more = {"whole": True} if whole else {}
        self.sources = self.module.prepare(data, folder, limit=limit, **more)
        self.found = Replayed()

    def go(self) -> Replayed:
        """Import, publish, work and review, release, compare."""
        with self._timed("import"):
            project = self._project()
        with self._timed("publish"):
            self._publish(project)
        with self._timed("work and review"):
            self._work(project)
        with self._timed("release"):
            release = build(project=project, created_by="command:replay")
        with self._timed("compare"):
            self._compare(release)
        return self.found

    @contextmanager
    def _timed(self, part: str) -> Iterator[None]:
        self.say(f"{part} …")
        began = time.monotonic()
        yield
        self.found.seconds[part] = round(time.monotonic() - began, 2)
        self.say(f"{part}: {self.found.seconds[part]:.1f} s")

    def _project(self) -> Project:
        slug = f"replay-{self.dataset.replace('_', '-')}-{time.strftime('%Y%m%d-%H%M%S')}"
        project = create_project(
            pipeline=self.dataset,
            name=f"Replay of {self.dataset}",
            slug=slug,
            settings=self.sources.settings,
            budget_cap_cents=BUDGET_CAP_CENTS,
        )
        import_items(project=project, paths=self.sources.sources)
        for stage in project.stages.all():
            # One expert restores what was published; a second opinion has nothing to add.
            change_stage(stage=stage, **{"blind_share": 0.0} | self.sources.stages.get(stage.name, {}))
        change_stage(stage=project.stages.first(), answers_per_item=self.sources.seats)
        if self.sources.corpus:
            found = import_corpus(name=slug[:60], paths=self.sources.corpus)
            use_corpus(project=project, corpus=found.corpus)
        self.found.items = project.items.count()
        return project

    def _publish(self, project: Project) -> None:
        offer_what_is_open(project, as_="command:replay", below_floor_ok=True)

    def _work(self, project: Project) -> None:
        knowledge = simulation_of(self.dataset).knowledge(self.sources.knowledge)
        if hasattr(knowledge, "key_of"):
            knowledge.key_of = Keys(project)
        shared = {"knowledge": knowledge, "characters": (CAREFUL,), "only_this_project": False, "with_pardon": True}
        run = Run(
            project=project,
            workers=self.sources.workers or self.sources.seats,
            judges=JUDGES if project.stages.filter(crowd=True).count() > 1 else 0,
            seed=1,
            **shared,
        )
        outcome = run.go(looks=1, handed_in=self.handed_in, decided=self.decided)
        self.found.run = outcome
        self.found.assignments = outcome.crowd.total.assignments
        if self._order_more(project):
            offer_again(project, as_="command:replay")
            more = Run(project=project, workers=1, first_seat=JUDGES, seed=3, **shared)
            self.found.assignments += more.go(looks=1, handed_in=self.handed_in).crowd.total.assignments
        self.found.answers = Answer.objects.filter(item__project=project, counts=True).count()

    def _order_more(self, project: Project) -> int:
        """What was published with more answers than the stage's number gets as many. Gives how many items."""
        count = 0
        for name, wanted in self.sources.more_answers.items():
            for item in project.items.filter(stage__name=name, key__in=list(wanted)):
                order_more_answers(item=item, answers=wanted[item.key])
                count += 1
        return count

    def _compare(self, release: Release) -> None:
        folder = open_folder(release.location)
        rows: dict[str, list[dict]] = {}
        for name in folder.names():
            split = name.removeprefix("data/").removesuffix(".jsonl")
            if name == f"data/{split}.jsonl":
                with folder.open(name) as lines:
                    rows[split] = [json.loads(line) for line in lines if line.strip()]
        self.found.released = {split: len(found) for split, found in rows.items()}
        self.found.release = release.location
        self.found.differences = self.module.differences(self.sources.expected, rows)
