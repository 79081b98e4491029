"""How several workers share what there is to do."""

from __future__ import annotations

import threading
import time
from collections import Counter

import pytest

from annotation.simulation.characters import cast
from annotation.simulation.crowd import Crowd
from annotation.simulation.workers import Turn
from tasks.simulation import CAREFUL, CHARACTERS, SPAMMER, simulation_of


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> Crowd:
    """Six people who have not gone anywhere yet; a test says what their turns are."""
    monkeypatch.setattr("annotation.simulation.crowd.SECONDS_BETWEEN_LOOKS", 0.0)
    simulation = simulation_of("arc_da")
    return Crowd(
        endpoint="http://127.0.0.1:1",
        workers=6,
        seed=1,
        simulation=simulation,
        knowledge=simulation.knowledge(),
        password=lambda name: f"{name}'s",
    )


def _let_turns_be(crowd: Crowd, monkeypatch: pytest.MonkeyPatch, outcome) -> None:
    for worker in crowd.workers:

        def turn(worker=worker) -> Turn:
            found = outcome(worker)
            worker.tally.assignments += found is Turn.DONE
            worker.tally.returned += found is Turn.RETURNED
            return found

        monkeypatch.setattr(worker, "turn", turn)


def test_ten_people_are_of_every_character() -> None:
    assert {person.character for person in cast(10)} == set(CHARACTERS)
    assert Counter(person.seat for person in cast(10)) == dict.fromkeys(range(5), 2)


def test_the_same_seed_makes_the_same_people(crowd: Crowd) -> None:
    assert [worker.account.name for worker in crowd.workers][:2] == ["crowd-1-1-careful", "crowd-1-2-careless"]
    assert crowd.workers[0].account.password == "crowd-1-1-careful's"


def test_exactly_as_many_assignments_are_done_as_were_ordered(crowd: Crowd, monkeypatch) -> None:
    _let_turns_be(crowd, monkeypatch, lambda worker: Turn.DONE)
    seen = []
    report = crowd.work(assignments=23, done=lambda: seen.append(1))
    assert report.total.assignments == len(seen) == 23


def test_who_is_told_of_each_assignment_is_told_of_one_at_a_time(crowd: Crowd, monkeypatch) -> None:
    def steps():
        for number in range(60):
            time.sleep(0.001)  # long enough for others to come
            yield number

    passed = steps()
    _let_turns_be(crowd, monkeypatch, lambda worker: Turn.DONE)
    crowd.work(assignments=60, done=lambda: next(passed))
    assert next(passed, None) is None


def test_what_one_gives_back_another_does(crowd: Crowd, monkeypatch) -> None:
    def outcome(worker) -> Turn:
        return Turn.RETURNED if worker.person.character == SPAMMER else Turn.DONE

    _let_turns_be(crowd, monkeypatch, outcome)
    report = crowd.work(assignments=40)
    assert report.total.assignments == 40
    assert report.tallies[SPAMMER].assignments == 0


def test_people_go_home_when_nothing_is_left(crowd: Crowd, monkeypatch) -> None:
    left = threading.Semaphore(7)
    _let_turns_be(crowd, monkeypatch, lambda worker: Turn.DONE if left.acquire(blocking=False) else Turn.NOTHING)
    assert crowd.work().total.assignments == 7


def test_who_only_gives_back_goes_home_too(crowd: Crowd, monkeypatch) -> None:
    _let_turns_be(crowd, monkeypatch, lambda worker: Turn.RETURNED)
    assert crowd.work().total.returned > 0


def test_a_workers_problem_ends_the_work_and_is_told(crowd: Crowd, monkeypatch) -> None:
    def outcome(worker) -> Turn:
        if worker.person.character == SPAMMER:
            raise RuntimeError("no page")
        return Turn.DONE

    _let_turns_be(crowd, monkeypatch, outcome)
    with pytest.raises(RuntimeError, match="no page"):
        crowd.work()


def test_the_report_adds_up_by_character(crowd: Crowd, monkeypatch) -> None:
    _let_turns_be(crowd, monkeypatch, lambda worker: Turn.DONE)
    told = crowd.work(assignments=12).as_dict()
    assert told["assignments"] == sum(one["assignments"] for one in told["characters"].values()) == 12
    assert told["characters"][CAREFUL]["findings"] == {}
