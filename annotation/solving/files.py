"""Where solvers lie: a folder for each version, written whole or not at all, with a digest over its files.

The modules with the solvers bring numbers along (numpy, and torch where it is asked for), so they are imported here, by
the processes that work with solvers, when they first do.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from annotation.solving.models import SolverVersion

if TYPE_CHECKING:
    from tasks.solvers.base import Lesson, Search, Solver


class Damaged(Exception):
    """A version's files are not what was written."""


def new_solver(kind: str, search: Search | None) -> Solver:
    """Raises SolverUnavailable."""
    from tasks.solvers import catalogue

    return catalogue.make(kind, search)


def first_lessons() -> list[Lesson]:
    from tasks.solvers import catalogue

    return list(catalogue.first_lessons())


def save(solver: Solver, version: SolverVersion) -> tuple[str, str]:
    """Lay a solver down; gives its folder below the storage, and the digest."""
    root = Path(settings.SOLVER_STORAGE)
    name = f"{version.stage.project.slug}/{version.stage.name}/{version.pk}"
    place = root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    # Beside its place first: whoever dies here leaves nothing that looks like a solver.
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".") as scratch:
        made = Path(scratch) / "made"
        made.mkdir()
        solver.save(made)
        digest = digest_of(made)
        shutil.rmtree(place, ignore_errors=True)
        made.rename(place)
    return name, digest


def load(solver: Solver, version: SolverVersion) -> None:
    """Take a version up. Raises Damaged where its files are gone or others."""
    solver.load(sound(version))


def sound(version: SolverVersion) -> Path:
    """The folder of a version whose files are those that were written. Raises Damaged."""
    place = Path(settings.SOLVER_STORAGE) / version.folder
    if not place.is_dir():
        raise Damaged(f"the files of {version.solver} {version.number} are not in {version.folder}")
    if digest_of(place) != version.digest:
        raise Damaged(
            f"the files of {version.solver} {version.number} in {version.folder} are not those that were made"
        )
    return place


def digest_of(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        total.update(f"{path.relative_to(folder).as_posix()}\x1f".encode())
        with path.open("rb") as handle:
            total.update(hashlib.file_digest(handle, "sha256").digest())
    return total.hexdigest()
