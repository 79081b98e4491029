"""The pages in docs/ are true: what they tell a reader to write works as it stands there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = re.compile(r"^`(tasks/[\w/.]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def followed(tmp_path: Path) -> Path:
    """A copy of the project in which somebody followed `docs/adding-a-task-type.md`."""
    for name in ("annotation", "tasks", "templates", "static", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    text = (ROOT / "docs" / "adding-a-task-type.md").read_text(encoding="utf-8")
    written = FILES.findall(text)
    assert len(written) == 4
    for name, content in written:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        (path.parent / "__init__.py").touch()
    return tmp_path


def run(folder: Path, *arguments: str) -> str:
    """A command in that copy: its own home, its own database."""
    environment = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    environment |= {"CROWDWRIGHT_HOME": str(folder / "home"), "PYTHONPATH": str(folder), "CROWDWRIGHT_SITE": "main"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_new_task_type_passes_every_contract_test(followed: Path) -> None:
    told = run(
        followed,
        *("-m", "pytest", "-k", "purposes"),
        *("tests/tasks/test_contract.py", "tests/annotation/workbench/test_form_contract.py"),
    )
    assert re.search(r"\b(1\d|2\d) passed", told)


def test_the_new_task_type_checks_files_and_publishes(followed: Path) -> None:
    (followed / "things.txt").write_text("spoon\numbrella\nladder\n")
    run(followed, "manage.py", "check", "purposes.naming", "tasks/purposes/naming/examples.jsonl")
    run(followed, "manage.py", "migrate", "-v0")
    run(followed, "manage.py", "create", "purposes", "Purposes", "--budget", "20")
    run(followed, "manage.py", "import", "purposes", "things.txt")
    told = run(followed, "manage.py", "publish", "purposes", "--yes", "--json")
    assert '"hits": 1' in told or '"hits":1' in told
