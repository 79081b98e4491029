"""The supervisor, over small real children, from the outside: signals in, messages and processes out."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.launch import processes
from annotation.launch.processes import Spec
from annotation.launch.supervisor import Plan

ROOT = Path(__file__).parents[2]
# Says when it begins and ends, and is ready as soon as its file is there.
STEADY = """
import os, pathlib, signal, sys, time
name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
def end(*_):
    with (folder / "ends").open("a") as ends:
        ends.write(name + "\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
with (folder / "starts").open("a") as starts:
    starts.write(name + "\\n")
(folder / f"{name}.pid").write_text(str(os.getpid()))
(folder / f"{name}.ready").touch()
print(f"{name} began", flush=True)
while True:
    time.sleep(0.05)
"""
STUBBORN = STEADY.replace("sys.exit(0)", "pass")
BROKEN = "import sys; print('no such table: answers', flush=True); sys.exit(4)"
WITH_OFFSPRING = (
    "import pathlib, subprocess, sys; offspring = subprocess.Popen([sys.executable, '-c', 'import time; "
    "time.sleep(600)']); pathlib.Path(sys.argv[2], 'offspring').write_text(str(offspring.pid))\n" + STEADY
)


@pytest.fixture
def child(tmp_path):
    def make(name: str, script: str = STEADY, **fields) -> Spec:
        return Spec(
            name=name,
            arguments=[sys.executable, "-c", script, name, str(tmp_path)],
            health=fields.pop("health", f"file:{tmp_path / name}.ready"),
            log=str(tmp_path / "logs" / f"{name}.log"),
            **fields,
        )

    return make


class Run:
    """A supervisor that runs."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        path = folder / "plan.json"
        plan.write(path)
        self.output = (folder / "said").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "annotation.launch.supervisor", str(path)],
            cwd=ROOT,
            stdout=self.output,
            stderr=subprocess.STDOUT,
        )

    def said(self) -> str:
        return (self.folder / "said").read_text()

    def wait_until(self, *, says: str = "", starts: int = 0) -> None:
        deadline = time.monotonic() + 20
        while says not in self.said() or len(self.lines("starts")) < starts:
            assert time.monotonic() < deadline, self.said()
            assert self.process.poll() is None or says in self.said(), self.said()
            time.sleep(0.02)

    def lines(self, name: str) -> list[str]:
        path = self.folder / name
        return path.read_text().split() if path.exists() else []

    def pid(self, name: str) -> int:
        return int((self.folder / f"{name}.pid").read_text())

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=20)


@pytest.fixture
def run(tmp_path) -> Iterator:
    runs = []

    def start(*children: Spec, **fields) -> Run:
        fields.setdefault("greeting", "All are up.")
        plan = Plan(children=list(children), record=str(tmp_path / "children.json"), began=time.time(), **fields)
        runs.append(Run(tmp_path, plan))
        return runs[-1]

    yield start
    for each in runs:
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait()
        each.output.close()
    processes.stop_left_over(tmp_path / "children.json")


def is_alive(pid: int) -> bool:
    return bool(processes.birth(pid))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_every_child_and_is_a_success(run, child, number):
    service = run(child("broker"), child("web"))
    service.wait_until(says="All are up.")
    pids = [service.pid("broker"), service.pid("web")]
    assert service.stop(number) == 0
    assert [pid for pid in pids if is_alive(pid)] == []


def test_children_stop_wave_by_wave_so_that_nobody_loses_what_it_asks(run, child):
    service = run(child("broker", wave=3), child("market", wave=2), child("web", wave=1))
    service.wait_until(says="All are up.")
    service.stop()
    assert service.lines("ends") == ["web", "market", "broker"]


def test_a_child_that_nobody_waits_for_starts_when_the_others_are_ready(run, child):
    service = run(child("notices", health="running", is_at_ease=True), child("market"), child("web"))
    service.wait_until(says="All are up.", starts=3)
    assert service.lines("starts")[-1] == "notices"
    pids = [service.pid(name) for name in ("notices", "market", "web")]
    assert service.stop() == 0
    assert [pid for pid in pids if is_alive(pid)] == []


def test_a_stop_before_all_are_ready_ends_what_runs_and_starts_no_more(run, child):
    service = run(child("notices", health="running", is_at_ease=True), child("web", health="file:/nowhere"))
    service.wait_until(starts=1)
    assert service.stop() == 0
    assert (service.lines("starts"), service.lines("ends")) == (["web"], ["web"])


def test_a_child_that_ignores_the_request_is_ended_by_force(run, child):
    service = run(child("web", STUBBORN, patience=0.3))
    service.wait_until(says="All are up.")
    pid = service.pid("web")
    service.stop()
    assert service.lines("ends") == ["web"]
    assert not is_alive(pid)


def test_a_second_ctrl_c_ends_the_waiting(run, child):
    service = run(child("web", STUBBORN, patience=60))
    service.wait_until(says="All are up.")
    service.process.send_signal(signal.SIGINT)
    while not service.lines("ends"):
        time.sleep(0.02)
    assert service.stop(signal.SIGINT) == 0


def test_what_a_child_has_started_goes_with_it(run, child, tmp_path):
    service = run(child("web", WITH_OFFSPRING))
    service.wait_until(says="All are up.")
    offspring = int((tmp_path / "offspring").read_text())
    assert is_alive(offspring)
    service.stop()
    # It is told by force to end, and does so in its own time.
    deadline = time.monotonic() + 20
    while is_alive(offspring):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_child_that_dies_is_started_again_with_a_message(run, child):
    service = run(child("broker"), child("web"))
    service.wait_until(says="All are up.")
    os.kill(service.pid("web"), signal.SIGKILL)
    service.wait_until(says="web ended unexpectedly (by signal SIGKILL); starting it again", starts=3)
    assert service.lines("starts").count("web") == 2
    assert service.stop() == 0


def test_a_child_that_dies_three_times_in_a_row_stops_everything_and_shows_its_log(run, child):
    service = run(child("broker"), child("web", BROKEN))
    assert service.process.wait(timeout=20) == 1
    assert "web ended 3 times in a row, the last time with exit code 4" in service.said()
    assert "    no such table: answers" in service.said()
    assert "All are up." not in service.said()
    assert service.lines("ends") == ["broker"]


def test_a_child_that_is_never_ready_stops_everything_and_is_named(run, child, tmp_path):
    service = run(child("web"), child("worker", health=f"file:{tmp_path}/never"), seconds_to_be_ready=1)
    assert service.process.wait(timeout=20) == 1
    assert "worker is not ready after 1 seconds" in service.said()
    assert "worker began" in service.said()
    assert "web is not ready" not in service.said()


def test_what_a_killed_supervisor_left_is_stopped_by_the_next(run, child, tmp_path):
    service = run(child("broker"), child("web"))
    service.wait_until(says="All are up.")
    service.process.kill()
    service.process.wait()
    pids = [service.pid("broker"), service.pid("web")]
    assert all(map(is_alive, pids))
    assert processes.stop_left_over(tmp_path / "children.json") == ["broker", "web"]
    assert [pid for pid in pids if is_alive(pid)] == []


def test_a_process_that_only_has_the_number_of_an_old_child_is_left_alone(tmp_path):
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    try:
        record = tmp_path / "children.json"
        record.write_text(json.dumps([{"name": "web", "pid": bystander.pid, "started": "1"}]))
        assert processes.stop_left_over(record) == []
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_what_is_to_be_done_first_is_done_before_the_greeting(run, child):
    first = [sys.executable, "-c", "print('made the demo', flush=True)"]
    service = run(child("web"), first=[first], stop_when_ready=True)
    assert service.process.wait(timeout=20) == 0
    assert service.said().index("made the demo") < service.said().index("All are up.")


def test_a_failure_of_what_is_to_be_done_first_stops_everything(run, child):
    service = run(child("web"), first=[[sys.executable, "-c", "raise SystemExit('no questions found')"]])
    assert service.process.wait(timeout=20) == 1
    assert "no questions found" in service.said()
    assert service.lines("ends") == ["web"]


def test_a_trial_stops_when_all_are_ready_and_tells_times_and_memory(run, child):
    service = run(child("web"), stop_when_ready=True, as_json=True, facts={"worker": "http://127.0.0.1:1/"})
    assert service.process.wait(timeout=20) == 0
    told = json.loads(service.said())
    assert told["worker"] == "http://127.0.0.1:1/"
    assert told["ready_after"].keys() == {"web"}
    if Path("/proc/self/smaps_rollup").exists():
        assert told["memory_bytes"]["web"] > 1_000_000


def test_logs_are_kept_and_shown_with_the_name_of_their_child_when_asked(run, child, tmp_path):
    service = run(child("web"), show_logs=True)
    service.wait_until(says="         web | web began")
    service.stop()
    assert "web began" in (tmp_path / "logs" / "web.log").read_text()


def test_a_log_that_has_grown_large_is_put_aside(child, tmp_path):
    log = tmp_path / "logs" / "web.log"
    log.parent.mkdir()
    log.write_bytes(b"x" * (processes.LARGEST_LOG + 1))
    web = processes.Child(child("web"))
    web.start()
    try:
        assert (tmp_path / "logs" / "web.1.log").stat().st_size > processes.LARGEST_LOG
        assert log.stat().st_size < 100
    finally:
        web.end(signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            web.process.wait(timeout=10)
