"""Keeps the children of `up` running until it is told to stop: `python -m annotation.launch.supervisor PLAN`.

Starts them together, those that nobody waits for last, waits until each is ready, runs what is to be
done once, says where to go, and then watches. A child that ends is started again; one that ends three
times in a row takes everything down with the end of its log shown, since a service that half works
hides its fault.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from annotation.launch.health import is_healthy
from annotation.launch.processes import Child, Spec, memory_of, remember

SECONDS_THAT_COUNT_AS_RUNNING = 30.0
DEATHS_IN_A_ROW = 3
LOOK_EVERY = 0.1
PAUSE_BEFORE_ANOTHER_START = 0.5


@dataclass
class Plan:
    """What the supervisor is to do, written by the `up` command and read back from a file."""

    children: list[Spec]
    # Where to remember which processes run.
    record: str
    # When the person began to wait, by time.time().
    began: float
    # Run in turn once all are ready, before anybody is told to come: the demo project.
    first: list[list[str]] = field(default_factory=list)
    # Where to go, for people; `{seconds}` is filled in. The same for programs, printed instead with `as_json`.
    greeting: str = ""
    facts: dict[str, object] = field(default_factory=dict)
    as_json: bool = False
    # Environment of what is done first; each child has its own.
    environment: dict[str, str] = field(default_factory=dict)
    stop_when_ready: bool = False
    seconds_to_be_ready: float = 90.0
    show_logs: bool = False

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))
        path.chmod(0o600)

    @classmethod
    def read(cls, path: Path) -> "Plan":
        plan = json.loads(path.read_text())
        return cls(**{**plan, "children": [Spec(**spec) for spec in plan["children"]]})


class Stop(Exception):
    """The end of the run, wanted or not: with an exit code and, where it is not wanted, the reason."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Supervisor:
    """Runs one plan from start to stop."""

    def __init__(self, plan: Plan, say: Callable[[str], None]) -> None:
        self.plan = plan
        self.say = say
        self.children = [Child(spec) for spec in plan.children]
        self.deaths: dict[str, int] = {}
        self.ready_after: dict[str, float] = {}
        self.shown: dict[str, int] = {}
        self.asked_to_stop = 0

    # --- The run ---

    def run(self) -> int:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._note_request)
        try:
            # Nobody waits for those at ease: they don't take processors from what somebody waits for.
            for group in (
                [child for child in self.children if not child.spec.is_at_ease],
                [child for child in self.children if child.spec.is_at_ease],
            ):
                self._start(group)
                self._wait_until_ready(group)
            self._do_first()
            self._greet()
            if self.plan.stop_when_ready:
                return 0
            while True:
                self._look()
                time.sleep(LOOK_EVERY)
        except Stop as stop:
            if stop.reason:
                self.say(stop.reason)
            return stop.code
        finally:
            self.stop_all()

    def _note_request(self, number: int, frame: object) -> None:
        self.asked_to_stop += 1

    def _start(self, children: list[Child]) -> None:
        for child in children:
            child.start()
            self.shown[child.name] = child.log_offset
        self._remember()

    def _remember(self) -> None:
        remember(Path(self.plan.record), self.children)

    def _wait_until_ready(self, children: list[Child]) -> None:
        began = time.monotonic()
        while not all(child.name in self.ready_after for child in children):
            self._look()
            for child in children:
                if child.name not in self.ready_after and is_healthy(child.spec.health):
                    self.ready_after[child.name] = round(time.monotonic() - began, 2)
            if time.monotonic() - began > self.plan.seconds_to_be_ready:
                late = [child for child in children if child.name not in self.ready_after]
                what = f"is not ready after {self.plan.seconds_to_be_ready:g} seconds"
                raise Stop(1, "\n".join(self._account_of(child, what) for child in late))
            time.sleep(LOOK_EVERY / 2)

    def _do_first(self) -> None:
        for command in self.plan.first:
            environment = {**os.environ, **self.plan.environment}
            # The one value that goes to the standard output is the greeting's.
            process = subprocess.Popen(command, env=environment, stdout=sys.stderr if self.plan.as_json else None)
            while process.poll() is None:
                try:
                    self._look()
                except Stop:
                    process.terminate()
                    process.wait()
                    raise
                time.sleep(LOOK_EVERY / 2)
            if process.returncode:
                raise Stop(1, f"`{' '.join(command[1:])}` failed; what it said stands above.")

    def _greet(self) -> None:
        seconds = time.time() - self.plan.began
        if not self.plan.as_json:
            print(self.plan.greeting.replace("{seconds}", f"{seconds:.1f}"), flush=True)
            return
        figures = {
            "seconds": round(seconds, 2),
            "ready_after": self.ready_after,
            "memory_bytes": {child.name: memory_of(child.pid) for child in self.children},
        }
        print(json.dumps({**self.plan.facts, **figures}, indent=2), flush=True)

    # --- Watching ---

    def _look(self) -> None:
        """One look at everything: a wish to stop, ended children, new lines in the logs."""
        if self.asked_to_stop:
            raise Stop(0)
        if self.plan.show_logs:
            self._show_new_lines()
        for child in self.children:
            code = child.exit_code()
            if code is not None:
                self._start_again(child, code)

    def _start_again(self, child: Child, code: int) -> None:
        in_a_row = 1 if child.age() > SECONDS_THAT_COUNT_AS_RUNNING else self.deaths.get(child.name, 0) + 1
        self.deaths[child.name] = in_a_row
        if in_a_row >= DEATHS_IN_A_ROW:
            raise Stop(1, self._account_of(child, f"ended {in_a_row} times in a row, the last time {how(code)}"))
        self.say(f"{child.name} ended unexpectedly ({how(code)}); starting it again. Its log: {child.spec.log}")
        # What is left of its group would hold its port.
        child.end(signal.SIGKILL)
        time.sleep(PAUSE_BEFORE_ANOTHER_START * in_a_row)
        child.start()
        self.ready_after.pop(child.name, None)
        self._remember()

    def _account_of(self, child: Child, what: str) -> str:
        tail = child.log_tail()
        lines = "\n".join(f"    {line}" for line in tail.splitlines()) or "    (nothing)"
        return f"{child.name} {what}. The end of {child.spec.log}:\n{lines}"

    def _show_new_lines(self) -> None:
        for child in self.children:
            if child.process is None:
                continue
            with Path(child.spec.log).open("rb") as log:
                log.seek(self.shown[child.name])
                new = log.read()
            whole = new.rpartition(b"\n")[0] + b"\n" if b"\n" in new else b""
            self.shown[child.name] += len(whole)
            for line in whole.decode(errors="replace").splitlines():
                print(f"{child.name:>12} | {line}", flush=True)

    # --- Stopping ---

    def stop_all(self) -> None:
        """Stop the children wave by wave; a second request to stop ends the waiting."""
        requests = self.asked_to_stop
        for wave in sorted({child.spec.wave for child in self.children}):
            members = [child for child in self.children if child.spec.wave == wave]
            for child in members:
                child.end()
            self._wait_for_end(members, impatient=lambda: self.asked_to_stop > requests)
        self._remember()

    def _wait_for_end(self, children: Iterable[Child], impatient: Callable[[], bool]) -> None:
        began = time.monotonic()
        for child in children:
            while child.exit_code() is None and child.process is not None:
                if time.monotonic() - began > child.spec.patience or impatient():
                    break
                time.sleep(LOOK_EVERY / 4)
            # Whatever the child has left behind goes too, and a child that would not go.
            child.end(signal.SIGKILL)
            if child.process is not None:
                child.process.wait()


def how(code: int) -> str:
    return f"by signal {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"


def say(text: str) -> None:
    print(f"crowdwright: {text}", file=sys.stderr, flush=True)


def main() -> int:
    path = Path(sys.argv[1])
    plan = Plan.read(path)
    # It holds the marketplace's keys.
    path.unlink()
    return Supervisor(plan, say).run()


if __name__ == "__main__":
    sys.exit(main())
