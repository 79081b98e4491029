"""Several workers at once: threads that share a number of assignments to do, and add up what they did."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from types import ModuleType
from typing import Any

from annotation.simulation.characters import CAST, cast
from annotation.simulation.workers import Account, Tally, Turn, Worker

# With nothing on offer, so many looks before a worker goes home; others may still give HITs back.
LOOKS_BEFORE_LEAVING = 3
SECONDS_BETWEEN_LOOKS = 0.5
RETURNS_A_LOOK = 4


@dataclass
class Report:
    """What a crowd did, by character and in all."""

    seconds: float = 0.0
    tallies: dict[str, Tally] = field(default_factory=dict)

    @property
    def total(self) -> Tally:
        total = Tally("all")
        for tally in self.tallies.values():
            total.add(tally)
        return total

    def add(self, other: Report) -> None:
        for name, tally in other.tallies.items():
            self.tallies.setdefault(name, Tally(name)).add(tally)

    def as_dict(self) -> dict:
        total = self.total
        return {
            "seconds": round(self.seconds, 2),
            "assignments": total.assignments,
            "assignments_per_second": round(total.assignments / self.seconds, 2) if self.seconds else None,
            "characters": {name: _as_dict(tally) for name, tally in sorted(self.tallies.items())},
        }


def _as_dict(tally: Tally) -> dict:
    return {
        "assignments": tally.assignments,
        "returned": tally.returned,
        "refused": tally.refused,
        "drafts": tally.drafts,
        "findings": dict(sorted(tally.findings.items())),
        "earned_cents": tally.earned_cents,
    }


class Crowd:
    """So many workers at one marketplace. The same seed makes the same people."""

    def __init__(
        self,
        *,
        endpoint: str,
        workers: int,
        seed: int,
        simulation: ModuleType,
        knowledge: Any,
        password: Callable[[str], str],
        wanted: Callable[[str], bool] | None = None,
        characters: tuple[str, ...] = (),
        seconds_to_think: float = 0.0,
        first_seat: int = 0,
    ):
        people = cast(workers, characters or CAST, first_seat)
        self.workers = [
            Worker(
                endpoint=endpoint,
                account=Account(name, password(name)),
                person=person,
                rng=Random(f"{seed}/{name}"),
                simulation=simulation,
                knowledge=knowledge,
                wanted=wanted,
                seconds_to_think=seconds_to_think,
            )
            for number, person in enumerate(people, start=1)
            for name in [f"crowd-{seed}-{number}-{person.character}"]
        ]
        self._lock = threading.Lock()
        self._left: int | None = None
        self._stopped = threading.Event()
        self._problems: list[BaseException] = []

    def enter(self) -> None:
        """All sign in, one after the other, so that a wrong address shows at once."""
        for worker in self.workers:
            worker.enter()
            worker.earned_before = worker.earned_cents()

    def work(
        self,
        *,
        assignments: int | None = None,
        looks: int = LOOKS_BEFORE_LEAVING,
        done: Callable[[], None] = lambda: None,
    ) -> Report:
        """Works until so many assignments are handed in, or nothing is left. Raises the first worker's problem.

        `done` is called after each, by one worker at a time.
        """
        self._left = assignments
        self._stopped.clear()
        began = time.monotonic()
        threads = [
            threading.Thread(target=self._run, args=(worker, looks, done), name=worker.account.name, daemon=True)
            for worker in self.workers
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        finally:
            self._stopped.set()
        if self._problems:
            raise self._problems[0]
        return self.report(time.monotonic() - began)

    def stop(self) -> None:
        """Nobody begins another HIT."""
        self._stopped.set()

    def _run(self, worker: Worker, looks: int, done: Callable[[], None]) -> None:
        in_vain = 0
        try:
            while in_vain < looks and not self._stopped.is_set() and self._claim():
                turn = worker.turn()
                if turn is Turn.DONE:
                    in_vain = 0
                    with self._lock:
                        done()
                    continue
                self._give_claim_back()
                # Who gave something back will be offered it again: once in a while is character, for ever is a fault.
                # Refused for the first time means that the next HIT may be another one.
                in_vain += {Turn.RETURNED: 1 / RETURNS_A_LOOK, Turn.REFUSED: 0}.get(turn, 1)
                if turn is Turn.NOTHING:
                    self._stopped.wait(SECONDS_BETWEEN_LOOKS)
        except BaseException as problem:
            self._problems.append(problem)
            self._stopped.set()

    def _claim(self) -> bool:
        with self._lock:
            if self._left is None:
                return True
            self._left -= 1
            return self._left >= 0

    def _give_claim_back(self) -> None:
        with self._lock:
            if self._left is not None:
                self._left = max(self._left, 0) + 1

    def note_earnings(self) -> None:
        """Everybody looks at what was earned since they came."""
        for worker in self.workers:
            worker.tally.earned_cents = worker.earned_cents() - worker.earned_before

    def report(self, seconds: float) -> Report:
        report = Report(seconds)
        for worker in self.workers:
            report.tallies.setdefault(worker.person.character, Tally(worker.person.character)).add(worker.tally)
        return report

    def close(self) -> None:
        for worker in self.workers:
            worker.browser.close()
