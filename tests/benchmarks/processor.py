"""Processor time of a server and all its children: what a busy machine does not change, unlike a rate."""

import os
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

TICK = 1_000 / os.sysconf("SC_CLK_TCK")


def _processes() -> dict[int, tuple[int, float]]:
    """The parent and the milliseconds of each process."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it ended meanwhile
                continue
            found[int(folder.name)] = (int(fields[1]), (int(fields[11]) + int(fields[12])) * TICK)
    return found


def spent(root: int) -> float:
    """Milliseconds that a process and its children have had."""
    processes, children = _processes(), defaultdict(list)
    for pid, (parent, _) in processes.items():
        children[parent].append(pid)
    family, total = [root], 0.0
    while family:
        pid = family.pop()
        total += processes.get(pid, (0, 0.0))[1]
        family += children[pid]
    return total


def child_named(word: str) -> int:
    """Our own child process whose command line holds a word."""
    for pid, (parent, _) in _processes().items():
        if parent == os.getpid() and word in Path(f"/proc/{pid}/cmdline").read_text():
            return pid
    raise RuntimeError(f"no child of this process has {word!r} in its command line")


def a_step(do: Callable[[], None], root: int, times: int) -> float:
    """Milliseconds of processor time that a server needs for a step."""
    do()
    before = spent(root)
    for _ in range(times):
        do()
    return (spent(root) - before) / times
