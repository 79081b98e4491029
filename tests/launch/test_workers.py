"""Workers and clock out of one image: they are ready together, stop together, and one's end is the others'."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from annotation.launch.processes import birth

ROOT = Path(__file__).parents[2]
# Small programs in the place of Celery's, parted and watched by the real thing.
PROGRAM = """
import os, pathlib, signal, sys, time
from annotation.launch import workers
from annotation.launch.health import READY_FILE

folder = pathlib.Path(sys.argv[1])

def work(name):
    (folder / f"{name}.pid").write_text(str(os.getpid()))
    while not (folder / f"let-{name}").exists():
        time.sleep(0.02)
    pathlib.Path(os.environ[READY_FILE]).touch()
    if name == "faulty":
        raise RuntimeError("no broker to be found")
    if name == "busy":
        signal.signal(signal.SIGTERM, lambda number, frame: None)
        (folder / "busy").touch()
        while True:
            time.sleep(600)
    time.sleep(600)

def tick():
    while not (folder / "stop-the-clock").exists():
        time.sleep(0.02)

workers.PROGRAMS = dict.fromkeys(sys.argv[2:])
workers.PATIENCE = 0.5
workers.load = lambda: (work, tick)
sys.exit(workers.main())
"""


class Workers:
    def __init__(self, folder: Path, *programs: str) -> None:
        self.folder = folder
        self.names = programs
        self.log = (folder / "log").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(folder), *programs],
            cwd=ROOT,
            env={**os.environ, "CROWDWRIGHT_READY_FILE": str(folder / "ready")},
            stderr=self.log,
            start_new_session=True,
        )

    def wait_for(self, *names: str) -> None:
        deadline = time.monotonic() + 20
        while not all((self.folder / name).exists() and self.whole(name) for name in names):
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            time.sleep(0.02)

    def whole(self, name: str) -> bool:
        return not name.endswith(".pid") or bool((self.folder / name).read_text())

    def pid(self, name: str) -> int:
        self.wait_for(f"{name}.pid")
        return int((self.folder / f"{name}.pid").read_text())

    def alive(self) -> list[str]:
        return [name for name in self.names if birth(self.pid(name))]


@pytest.fixture
def workers(tmp_path):
    started = []

    def start(*programs: str) -> Workers:
        started.append(Workers(tmp_path, *programs))
        return started[-1]

    yield start
    for each in started:
        each.process.poll()
        if each.process.returncode is None:
            os.killpg(each.process.pid, signal.SIGKILL)
            each.process.wait()
        each.log.close()


def test_they_are_ready_when_every_worker_is(workers, tmp_path):
    ours = workers("live", "jobs")
    (tmp_path / "let-live").touch()
    ours.wait_for("live.pid", "jobs.pid")
    assert not (tmp_path / "ready").exists()
    (tmp_path / "let-jobs").touch()
    ours.wait_for("ready")


def test_a_request_to_stop_reaches_all_and_is_a_success(workers):
    ours = workers("live", "jobs")
    assert ours.alive() == ["live", "jobs"]
    ours.process.terminate()
    assert ours.process.wait(timeout=20) == 0
    assert ours.alive() == []


def test_the_end_of_one_is_the_end_of_all_so_that_they_start_again_together(workers, tmp_path):
    ours = workers("live", "jobs")
    assert ours.alive() == ["live", "jobs"]
    os.kill(ours.pid("jobs"), signal.SIGKILL)
    assert ours.process.wait(timeout=20) == 1
    assert ours.alive() == []
    assert "jobs ended by itself" in (tmp_path / "log").read_text()


def test_a_long_job_does_not_keep_the_others_from_starting_again(workers, tmp_path):
    (tmp_path / "let-busy").touch()
    ours = workers("live", "busy")
    ours.wait_for("busy")
    os.kill(ours.pid("live"), signal.SIGKILL)
    assert ours.process.wait(timeout=20) == 1
    assert ours.alive() == []


def test_without_its_clock_the_house_does_not_go_on_as_if_nothing_were(workers, tmp_path):
    ours = workers("live", "jobs")
    assert ours.alive() == ["live", "jobs"]
    (tmp_path / "stop-the-clock").touch()
    assert ours.process.wait(timeout=20) == 1
    assert ours.alive() == []
    assert "clock ended by itself" in (tmp_path / "log").read_text()


def test_a_fault_is_logged_with_its_traceback(workers, tmp_path):
    (tmp_path / "let-faulty").touch()
    ours = workers("live", "faulty")
    assert ours.process.wait(timeout=20) == 1
    assert "RuntimeError: no broker to be found" in (tmp_path / "log").read_text()
