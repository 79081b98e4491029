"""One run over a project: a crowd and its experts at work together until everything is decided."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import requests
from django.conf import settings
from django.db import connection
from django.db.models import F, Q

from annotation.hits.models import HIT, Assignment
from annotation.projects.models import Item, Project
from annotation.projects.queries import item_counts
from annotation.providers.models import Intent
from annotation.simulation import people
from annotation.simulation.crowd import Crowd, Report
from annotation.simulation.expert import Expert
from annotation.simulation.grader import Grader
from annotation.simulation.offering import is_on_its_way, offer_what_is_open, refuse_other_marketplaces
from annotation.trials.models import Programme, Trial
from annotation.workers.models import Grant
from tasks.simulation import simulation_of

# With the project's short name behind: two runs at a time have experts with passwords of their own.
FIRST_EXPERT, SECOND_EXPERT = "simulated-expert", "simulated-second-expert"
FIRST_GRADER, SECOND_GRADER = "simulated-grader", "simulated-second-grader"
SECONDS_WITHOUT_PROGRESS = 120
SECONDS_BETWEEN_LOOKS = 1.0


class NotRunning(Exception):
    """A service that does not answer where the settings say it is."""


class Unfinished(Exception):
    """What did not come to an end in time; says what was waited for."""


@dataclass
class Outcome:
    """What a run came to: what the crowd did, what the experts decided, where the items stand."""

    crowd: Report
    decisions: dict[str, int] = field(default_factory=dict)
    blind_decisions: dict[str, int] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    grades: dict[str, int] = field(default_factory=dict)

    def as_dict(self) -> dict:
        return self.crowd.as_dict() | {
            "decisions": self.decisions,
            "blind_decisions": self.blind_decisions,
            "items": self.items,
            "grades": self.grades,
        }


def require_running() -> None:
    """Raises NotRunning unless task pages and marketplace answer."""
    for what, variable, address in (
        ("The task pages", "TASK_URL", settings.TASK_URL),
        ("The marketplace", "MTURK_ENDPOINT_URL", settings.MTURK_ENDPOINT_URL.rstrip("/")),
    ):
        try:
            answer = requests.get(f"{address}/healthz", timeout=5)
        except requests.RequestException as fault:
            raise NotRunning(
                f"{what} should answer at {address} ({variable}), but: {type(fault).__name__}. Start them with "
                f"`./crowdwright up`, or say with {variable} where they run."
            ) from fault
        if answer.status_code != 200:
            raise NotRunning(f"{what} should answer at {address} ({variable}), found status {answer.status_code}.")


class Run:
    """A crowd at a project's HITs, and experts at its queue. Raises NotOffered for a project of another marketplace.

    `knowledge`: what the dataset's simulation knows; None: the demo's. `with_pardon`: the expert accepts after
    all what the pipeline's rule rejected but the expert knows to be good. `judges`: so many other workers do the
    stages after the first (0: the same crowd); those are published as their items come in. `first_seat`: from which
    place in what is known the workers take theirs.
    """

    def __init__(
        self,
        *,
        project: Project,
        workers: int,
        seed: int,
        knowledge: Any = None,
        characters: tuple[str, ...] = (),
        only_this_project: bool = True,
        with_expert: bool = True,
        with_pardon: bool = False,
        judges: int = 0,
        first_seat: int = 0,
    ):
        refuse_other_marketplaces(project)
        self.project = project
        simulation = simulation_of(project.pipeline)
        self.knowledge = simulation.knowledge() if knowledge is None else knowledge
        crowds = [
            Crowd(
                endpoint=settings.MTURK_ENDPOINT_URL,
                workers=number,
                seed=seed + place,
                simulation=simulation,
                knowledge=self.knowledge,
                password=people.worker_password,
                wanted=Wanted(project) if only_this_project else None,
                characters=characters,
                first_seat=first_seat,
            )
            for place, number in enumerate([workers, judges])
            if number
        ]
        self.crowd, self.judges = crowds[0], crowds[-1]
        self.simulation, self.with_expert, self.with_pardon = simulation, with_expert, with_pardon
        self._is_settled = threading.Event()
        self._problem: BaseException | None = None
        self.grades: dict[str, int] = {}

    def go(
        self,
        *,
        assignments: int | None = None,
        looks: int = 3,
        handed_in: Callable[[], None] = lambda: None,
        decided: Callable[[], None] = lambda: None,
    ) -> Outcome:
        """Works, waits until it is confirmed and added up, reviews. Raises the first problem that anybody met."""
        if not self.with_expert:
            report = self._work(assignments, looks, handed_in)
            return Outcome(report, items=self._items(), grades=self.grades)
        with self._expert(FIRST_EXPERT) as expert, self._expert(SECOND_EXPERT, show="blind") as second:
            reviewing = threading.Thread(target=self._review, args=(expert, decided), daemon=True)
            reviewing.start()
            try:
                report = self._work(assignments, looks, handed_in)
            finally:
                self._is_settled.set()
                reviewing.join()
            if self._problem:
                raise self._problem
            if self.with_pardon:
                expert.look_again(decided=decided)
            second.review(decided=decided)
            return Outcome(report, dict(expert.decisions), dict(second.decisions), self._items(), self.grades)

    def _work(self, assignments: int | None, looks: int, handed_in: Callable[[], None]) -> Report:
        crowds = [self.crowd] if self.judges is self.crowd else [self.crowd, self.judges]
        try:
            for crowd in crowds:
                crowd.enter()
            report = self.crowd.work(assignments=assignments, looks=looks, done=handed_in)
            seconds = report.seconds
            self._wait_until_paid()
            if assignments is None:
                self._have_tests_graded()
            while assignments is None and offer_what_is_open(self.project, as_="simulation", below_floor_ok=True):
                seconds += self.judges.work(looks=looks, done=handed_in).seconds
                self._wait_until_paid()
            report = Report(seconds)
            for crowd in crowds:
                crowd.note_earnings()
                report.add(crowd.report(0))
            return report
        finally:
            for crowd in crowds:
                crowd.close()

    def _have_tests_graded(self) -> None:
        """Two graders read the qualification tests that were taken; the marketplace learns who may go on."""
        if not Trial.objects.filter(programme__stage__project=self.project, state=Trial.State.WAITING).exists():
            return
        with self._grader(FIRST_GRADER) as first, self._grader(SECOND_GRADER, is_strict=True) as second:
            for grader in (first, second):
                self.grades[grader.name] = grader.grade()
            self.grades["talks"] = first.grade(show="talk")
        self._wait_until_paid()

    @contextmanager
    def _grader(self, name: str, *, is_strict: bool = False):
        name = f"{name}-{self.project.slug}"
        password = people.hire_expert(project=self.project, name=name)
        shared = {"site": settings.TASK_URL, "name": name, "password": password, "project": self.project.slug}
        grader = Grader(is_strict=is_strict, simulation=self.simulation, **shared)
        try:
            grader.enter()
            yield grader
        finally:
            grader.close()
            people.let_go(name=name)

    def _wait_until_paid(self) -> None:
        """Until the running services have confirmed, paid and added up what was handed in."""
        last, since = self._waiting(), time.monotonic()
        while last:
            time.sleep(SECONDS_BETWEEN_LOOKS)
            waiting = self._waiting()
            if waiting != last:
                last, since = waiting, time.monotonic()
            if time.monotonic() - since > SECONDS_WITHOUT_PROGRESS:
                raise Unfinished(
                    f"{waiting}, and nothing has moved for {SECONDS_WITHOUT_PROGRESS} seconds. Do the jobs run? "
                    "`./crowdwright advance` does their work."
                )

    def _waiting(self) -> str:
        """What the services have still to do, in words; empty: nothing."""
        under_way = Q(settled_generation__lt=F("generation"), problem="")
        open_ends = [Assignment.State.HANDED_OVER, Assignment.State.SUBMITTED]
        rows = Assignment.objects.filter(hit__project=self.project, state__in=open_ends)
        waits = Q(stage__project=self.project, approve_after_hours__gt=0)
        if self.project.stages.filter(approve_after_hours__gt=0).exists() or Programme.objects.filter(waits).exists():
            rows = rows.filter(state=Assignment.State.HANDED_OVER)
        if count := rows.count():
            # Thousands of payments are called one by one before the first of them is seen here: they move, too.
            open_calls = [Intent.State.PLANNED, Intent.State.SENDING, Intent.State.UNKNOWN]
            calls = Intent.objects.filter(project_id=self.project.pk, state__in=open_calls).count()
            return f"{count} assignments are not confirmed and paid ({calls} calls to the marketplace wait)"
        if count := Grant.objects.filter(under_way, qualification__project=self.project).count():
            return f"the marketplace has not followed on {count} qualifications"
        if count := self.project.items.filter(state=Item.State.ANSWERED).count():
            return f"{count} items are not added up"
        return "accepted items have not gone on to the next stage" if is_on_its_way(self.project) else ""

    @contextmanager
    def _expert(self, name: str, show: str = ""):
        name = f"{name}-{self.project.slug}"
        password = people.hire_expert(project=self.project, name=name)
        expert = Expert(
            site=settings.TASK_URL,
            name=name,
            password=password,
            project=self.project.slug,
            simulation=self.simulation,
            knowledge=self.knowledge,
            show=show,
        )
        try:
            expert.enter()
            yield expert
        finally:
            expert.close()
            people.let_go(name=name)

    def _review(self, expert: Expert, decided: Callable[[], None]) -> None:
        try:
            expert.review(until=self._is_settled.is_set, decided=decided)
        except BaseException as problem:
            self._problem = problem
            self.crowd.stop()
        finally:
            connection.close()

    def _items(self) -> dict[str, int]:
        total: dict[str, int] = {}
        for counts in item_counts(self.project).values():
            for state, count in counts.items():
                total[state] = total.get(state, 0) + count
        return {state: count for state, count in total.items() if count}


class Wanted:
    """Whether a HIT of the marketplace is of this project: what is on offer, looked up again for ids not met before."""

    def __init__(self, project: Project):
        self._project = project
        self._ours: set[str] = set()
        self._others: set[str] = set()

    def __call__(self, hit_id: str) -> bool:
        if hit_id not in self._ours | self._others:
            rows = HIT.objects.filter(project=self._project, remote_id__isnull=False)
            self._ours = set(rows.values_list("remote_id", flat=True))
            connection.close()
            if hit_id not in self._ours:
                self._others.add(hit_id)
        return hit_id in self._ours
