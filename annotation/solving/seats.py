"""The solvers of a stage, at work in this process: loaded from their versions, and taught what was accepted since.

A solver's state follows from its version's file and the order of the lessons after it, so every process of every
machine comes to the same one by itself; nothing that is learnt between trainings needs a file.
"""

from __future__ import annotations

import functools
import logging
import threading
from dataclasses import dataclass

from annotation.corpus.queries import index_for
from annotation.projects.models import Project, Stage
from annotation.solving import files
from annotation.solving.models import Lesson, SolverVersion
from tasks.solvers.base import Lesson as Told
from tasks.solvers.base import Search, Solver
from tasks.solvers.policy import Policy

log = logging.getLogger(__name__)
# Stages whose solvers one process keeps at hand.
MOST_STAGES = 8
LESSONS_AT_ONCE = 500


@dataclass
class Seat:
    """A solver in its place: from which version, and what it learnt since."""

    solver: Solver
    version_pk: int
    number: int
    learns: bool
    last_lesson: int
    learnt: int = 0

    @property
    def version(self) -> str:
        """`3+17`: the third training, and 17 questions since."""
        return f"{self.number}+{self.learnt}" if self.learns else str(self.number)


@dataclass
class _Bench:
    """What this process holds of one stage. `marks` changes where its solvers can't be the same any more."""

    marks: tuple
    seats: dict[str, Seat]


_benches: dict[int, _Bench] = {}
_lock = threading.Lock()


def seated(stage: Stage, policy: Policy) -> dict[str, Seat]:
    """The stage's solvers, by their names in attempts, up to date with everything accepted so far."""
    with _lock:
        marks = _marks(stage)
        bench = _benches.get(stage.pk)
        if bench is None or bench.marks != marks:
            # Seats whose version stayed are kept: only what changed is loaded again.
            bench = _Bench(marks, bench.seats if bench and bench.marks[:2] == marks[:2] else {})
            _benches[stage.pk] = bench
            while len(_benches) > MOST_STAGES:
                _benches.pop(next(iter(_benches)))
        _fill(bench, stage, policy)
        _teach(bench, stage)
        return {name: bench.seats[name] for name in policy.seats}


def forget() -> None:
    """Let go of all solvers: the next question loads them anew."""
    with _lock:
        _benches.clear()


def _marks(stage: Stage) -> tuple:
    """The corpus that is searched, how many lessons were given to begin with, and the current versions."""
    versions = SolverVersion.objects.filter(stage=stage.pk, is_current=True).order_by("solver")
    given = Lesson.objects.filter(stage=stage.pk, challenge=None).order_by("-id").values_list("id", flat=True).first()
    return stage.project.corpus_id, given, tuple(versions.values_list("solver", "pk"))


def _fill(bench: _Bench, stage: Stage, policy: Policy) -> None:
    current = dict(bench.marks[2])
    for name, (kind, learns) in policy.seats.items():
        seat = bench.seats.get(name)
        if seat is None or seat.version_pk != current.get(name, 0):
            bench.seats[name] = _seat(stage, name, kind, learns)


def _seat(stage: Stage, name: str, kind: str, learns: bool) -> Seat:
    search = search_of(stage.project)
    version = SolverVersion.objects.filter(stage=stage.pk, solver=name, is_current=True).first()
    solver = files.new_solver(kind, search)
    if version is None:
        # Lessons that were accepted before count as learnt since.
        solver.train(beginning(stage)) if solver.learns_online else None
        return Seat(solver, 0, 0, learns, last_lesson=0)
    files.load(solver, version)
    return Seat(solver, version.pk, version.number, learns, version.last_lesson)


def _teach(bench: _Bench, stage: Stage) -> None:
    """What was accepted since, in the order of acceptance."""
    learners = [seat for seat in bench.seats.values() if seat.learns and seat.solver.learns_online]
    for seat in learners:
        while rows := list(
            Lesson.objects.filter(stage=stage.pk, pk__gt=seat.last_lesson, challenge__isnull=False)
            .order_by("pk")
            .values_list("pk", "text", "answer")[:LESSONS_AT_ONCE]
        ):
            seat.solver.learn([Told(text, answer) for _, text, answer in rows])
            seat.last_lesson = rows[-1][0]
            seat.learnt += len(rows)


def beginning(stage: Stage) -> list[Told]:
    """What a stage's solvers learn first: the lessons that it was given, or else those that come with us."""
    rows = Lesson.objects.filter(stage=stage.pk, challenge=None).order_by("pk").values_list("text", "answer")
    return [Told(*row) for row in rows] or files.first_lessons()


def search_of(project: Project) -> Search | None:
    """The project's paragraphs as solvers ask for them; None where it has none."""
    index = index_for(project)
    if index is None:
        return None

    @functools.lru_cache(maxsize=256)
    def search(text: str, limit: int) -> list[str]:
        return [hit.paragraph.text for hit in index.search(text, limit=limit).hits]

    return search
