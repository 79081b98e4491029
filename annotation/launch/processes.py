"""Child processes: each in a session of its own, with a log file, stopped with all that it started."""

import contextlib
import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

LARGEST_LOG = 5_000_000  # bytes; a longer one is put aside at the next start
TAIL_LINES = 25


@dataclass(frozen=True)
class Spec:
    """How to start one child, how to tell that it is ready, and when to stop it."""

    name: str
    arguments: list[str]
    health: str
    log: str
    environment: dict[str, str] = field(default_factory=dict)
    # Children stop in this order, those of one wave together: first who asks, last who is asked.
    wave: int = 1
    # From the request to stop to the end by force. Jobs are safe to end: the database knows what is left to do.
    patience: float = 8.0
    # Started when all others are ready, since nobody waits for it.
    is_at_ease: bool = False


class Child:
    """One running child process."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.process: subprocess.Popen | None = None
        self.began = 0.0
        self.log_offset = 0

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self) -> None:
        """Start it, writing to the end of its log."""
        log = Path(self.spec.log)
        log.parent.mkdir(parents=True, exist_ok=True)
        if log.exists() and log.stat().st_size > LARGEST_LOG:
            log.replace(log.with_suffix(".1.log"))
        if self.spec.health.startswith("file:"):
            Path(self.spec.health.removeprefix("file:")).unlink(missing_ok=True)
        with log.open("ab") as output:
            self.log_offset = output.tell()
            self.process = subprocess.Popen(
                self.spec.arguments,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.spec.environment},
                # Ctrl-C on the terminal reaches the supervisor alone, which stops the children in order.
                start_new_session=True,
            )
        self.began = time.monotonic()

    def exit_code(self) -> int | None:
        """None while it runs."""
        return None if self.process is None else self.process.poll()

    def age(self) -> float:
        return time.monotonic() - self.began

    def end(self, signal_number: int = signal.SIGTERM) -> None:
        """Ask it, and all that it started, to end."""
        if self.process is not None:
            signal_group(self.process.pid, signal_number, leader_only=signal_number == signal.SIGTERM)

    def log_tail(self) -> str:
        """The last lines that it wrote since it was started."""
        with Path(self.spec.log).open("rb") as log:
            log.seek(self.log_offset)
            lines = log.read()[-20_000:].decode(errors="replace").splitlines()
        return "\n".join(lines[-TAIL_LINES:])


def signal_group(pid: int, signal_number: int, *, leader_only: bool = False) -> None:
    """Send a signal to a child that leads its group. Its end is a success."""
    with contextlib.suppress(ProcessLookupError):
        if leader_only:
            # Gunicorn and Celery bring their own workers down in good order.
            os.kill(pid, signal_number)
        else:
            os.killpg(pid, signal_number)


# --- Children that outlived a supervisor which was killed ---


def remember(path: Path, children: list[Child]) -> None:
    """Write down who runs, so that the next start can stop what a killed supervisor has left."""
    known = [
        {"name": child.name, "pid": child.pid, "started": birth(child.pid)}
        for child in children
        if child.exit_code() is None and child.process is not None
    ]
    temporary = path.with_suffix(".new")
    temporary.write_text(json.dumps(known))
    temporary.replace(path)


def stop_left_over(path: Path, patience: float = 8.0) -> list[str]:
    """Stop what an earlier supervisor left running; the names of what was stopped."""
    try:
        known = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return []
    # A process id comes round again: only the same birth makes it the same process.
    left = [entry for entry in known if entry["started"] and birth(entry["pid"]) == entry["started"]]
    for entry in left:
        signal_group(entry["pid"], signal.SIGTERM, leader_only=True)
    deadline = time.monotonic() + patience
    for entry in left:
        while birth(entry["pid"]) == entry["started"] and time.monotonic() < deadline:
            time.sleep(0.05)
        signal_group(entry["pid"], signal.SIGKILL)
    path.unlink(missing_ok=True)
    return [entry["name"] for entry in left]


def birth(pid: int) -> str:
    """When this process began, in words that only ever compare equal for the same process; empty if it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "" if stat[0] == "Z" else stat[19]
    except FileNotFoundError:
        if Path("/proc/self/stat").exists():
            return ""
    asked = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S607
    return asked.stdout.strip()


# --- Memory ---


def memory_of(pid: int) -> int | None:
    """Bytes held by a child and all that it started, shared pages divided among their holders. Linux only."""
    if not Path("/proc/self/smaps_rollup").exists():
        return None
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            session = int((folder / "stat").read_text().rpartition(")")[2].split()[3])
            if session == pid:
                rollup = (folder / "smaps_rollup").read_text()
                total += next(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:"))
    return total
