"""The pages in docs/ are true: what they tell a reader to write works as it stands there."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from django.core.management import get_commands, load_command_class

from tests.services import Marketplace

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ADDING = (ROOT / "docs" / "adding-a-task-type.md").read_text(encoding="utf-8")
FILES = re.compile(r"^`(tasks/[\w/.]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What the start script does by itself, and what the other site of the code base knows.
ELSEWHERE = {"test", "version"} | {
    path.stem for path in (ROOT / "annotation" / "marketplace" / "management" / "commands").glob("[a-z]*.py")
}


def commands_in(text: str) -> Iterator[list[str]]:
    """The words of every command that stands in a block of its own."""
    for language, block in BLOCK.findall(text):
        if language:
            continue
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("./crowdwright "):
                yield shlex.split(line, comments=True)[1:]


COMMANDS = [
    pytest.param(words, id=f"{page.name}: {' '.join(words)[:60]}")
    for page in PAGES
    for words in commands_in(page.read_text(encoding="utf-8"))
    if words[0].replace("-", "_") not in ELSEWHERE
]


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_in_the_pages_is_one_with_these_options(words: list[str]) -> None:
    name = words[0].replace("-", "_")
    command = load_command_class(get_commands()[name], name)
    command.create_parser("./crowdwright", name).parse_args(words[1:])


@pytest.mark.parametrize("words", [each for each in COMMANDS if each.values[0][0] == "create"])
def test_a_project_that_the_pages_make_belongs_to_somebody_who_then_sees_it(words: list[str]) -> None:
    assert "--owner" in words


def test_every_page_is_named_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES[1:] if f"](docs/{page.name})" not in readme] == []


@pytest.fixture
def followed(tmp_path: Path) -> Path:
    """A copy of the project in which somebody followed `docs/adding-a-task-type.md`."""
    for name in ("annotation", "tasks", "templates", "static", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    written = FILES.findall(ADDING)
    assert len(written) == 4
    for name, content in written:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        (path.parent / "__init__.py").touch()
    return tmp_path


def run(folder: Path, *arguments: str, ends_with: int = 0, **more: str) -> str:
    """A command in that copy: its own home, its own database. What it says, for people and programs."""
    environment = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
    environment |= {"CROWDWRIGHT_HOME": str(folder / "home"), "PYTHONPATH": str(folder), "CROWDWRIGHT_SITE": "main"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment | more, capture_output=True, text=True, check=False
    )
    assert done.returncode == ends_with, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_new_task_type_passes_every_contract_test(followed: Path) -> None:
    told = run(
        followed,
        *("-m", "pytest", "-k", "purposes"),
        *("tests/tasks/test_contract.py", "tests/annotation/workbench/test_form_contract.py"),
    )
    assert re.search(r"\b(1\d|2\d) passed", told)


def test_the_new_task_type_checks_files_and_its_hit_is_offered(followed: Path, marketplace: Marketplace) -> None:
    key = {"MTURK_ACCESS_KEY_ID": marketplace.access_key_id, "MTURK_SECRET_ACCESS_KEY": marketplace.secret_access_key}
    there = key | {"MTURK_ENDPOINT_URL": marketplace.endpoint}
    run(followed, "manage.py", "check", "purposes.naming", "tasks/purposes/naming/examples.jsonl")
    run(followed, "manage.py", "migrate", "-v0")
    run(followed, "manage.py", "shell", "-c", "from annotation.launch import accounts; accounts.ensure_staff('a word')")
    things = re.search(r"^printf .* > things.jsonl$", ADDING, re.MULTILINE)
    subprocess.run(["sh", "-c", things[0]], cwd=followed, check=True)
    for words in commands_in(ADDING[ADDING.index("## 5.") :]):
        told = run(followed, "manage.py", *words, **there)
    run(followed, "manage.py", "advance", "purposes", **there)
    client = boto3.client(
        "mturk",
        region_name="us-east-1",
        endpoint_url=marketplace.endpoint,
        aws_access_key_id=marketplace.access_key_id,
        aws_secret_access_key=marketplace.secret_access_key,
    )
    assert "1 HIT planned" in told
    offered = [hit for hit in client.list_hits()["HITs"] if hit["Title"] == "Say what a thing is for"]
    assert [hit["MaxAssignments"] for hit in offered] == [3]


def test_a_file_that_the_new_pipeline_can_not_read_is_told_by_line_and_not_imported(followed: Path) -> None:
    (followed / "things.jsonl").write_bytes(b'{"thing": "washing machine"}\n{"thing": "caf\xe9"}\n"spoon"\n')
    run(followed, "manage.py", "migrate", "-v0")
    run(followed, "manage.py", "create", "purposes", "Purposes")
    told = run(followed, "manage.py", "import", "purposes", "things.jsonl", ends_with=1)
    assert "things.jsonl:2:" in told and "things.jsonl:3: expected a line like" in told
    assert "Traceback" not in told
