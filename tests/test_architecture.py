"""The drawing of `docs/architecture.md`, kept true: who may import whom."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Lowest first: a room may import the rooms before its own line, and itself.
FLOORS = [
    ["events", "marketplace", "providers", "corpus"],
    ["projects"],
    ["workers"],
    ["hits"],
    ["checking"],
    ["solving"],
    ["review"],
    ["trials"],
    ["releases", "workbench"],
    ["pipeline"],
    ["desk"],
    ["simulation", "launch"],
]
# Files of annotation/ itself that any room may use: they know no room.
FOUNDATION = {
    "settings",
    "appearance",
    "policies",
    "command",
    "waking",
    "celery",
    "marks",
    "prepared",
    "turns",
    "wsgi",
    "admin",
    "static_files",
}
# The map of addresses knows all rooms; nobody imports it.
MAPS = {"urls"}
# One room on a floor may use another where the drawing says so.
NEIGHBOURS = {("providers", "events"), ("corpus", "events"), ("launch", "simulation")}


def _floor_of(room: str) -> int:
    for floor, rooms in enumerate(FLOORS):
        if room in rooms:
            return floor
    pytest.fail(f"annotation/{room} stands on no floor of tests/test_architecture.py")


def _imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return names


def _rooms_of_annotation() -> list[Path]:
    return [path for path in (ROOT / "annotation").rglob("*.py") if "migrations" not in path.parts]


def _room(path: Path) -> str:
    return path.relative_to(ROOT / "annotation").parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", _rooms_of_annotation(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_rooms_below_it(path: Path) -> None:
    room = _room(path)
    if room in MAPS | {"__init__"}:
        return
    for name in _imports(path):
        if not name.startswith("annotation."):
            continue
        other = name.split(".")[1]
        if other == room or other in FOUNDATION:
            continue
        assert room not in FOUNDATION, f"{room} is foundation, yet imports {name}"
        if (room, other) not in NEIGHBOURS:
            assert _floor_of(other) < _floor_of(room), f"{room} may not import {name}: it stands above or beside it"


@pytest.mark.parametrize("path", sorted((ROOT / "tasks").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_pure_half_knows_no_framework_and_nothing_of_the_service(path: Path) -> None:
    forbidden = ("django", "rest_framework", "celery", "annotation", "requests", "boto3", "psycopg2", "redis", "socket")
    for name in _imports(path):
        assert name.split(".")[0] not in forbidden, f"{path.relative_to(ROOT)} imports {name}"


def test_the_marketplace_and_the_rest_meet_over_http_only() -> None:
    for path in _rooms_of_annotation():
        inside = _room(path) == "marketplace"
        for name in _imports(path):
            if not name.startswith("annotation."):
                continue
            other = name.split(".")[1]
            if inside:
                assert other == "marketplace" or other in FOUNDATION, f"{path} imports {name}"
            else:
                assert other != "marketplace", f"{path} imports {name}"


def test_the_drawing_names_the_foundation_that_there_is() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = re.search(r"the foundation \((.*?)\)", page, re.DOTALL)
    assert drawn and set(re.findall(r"`(\w+)`", drawn[1])) == FOUNDATION
    there = {path.stem for path in (ROOT / "annotation").glob("*.py")}
    assert there - MAPS - {"__init__"} - {room for floor in FLOORS for room in floor} == FOUNDATION


def test_no_file_has_a_name_that_explains_nothing() -> None:
    nameless = {"utils.py", "helpers.py", "misc.py", "common.py", "tools.py"}
    found = [path for half in ("annotation", "tasks") for path in (ROOT / half).rglob("*.py") if path.name in nameless]
    assert not found


def test_every_room_says_what_it_is_for() -> None:
    for package in (ROOT / "annotation").glob("*/__init__.py"):
        assert ast.get_docstring(ast.parse(package.read_text())), f"{package} opens without a word"
