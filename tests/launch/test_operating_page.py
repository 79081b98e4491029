"""docs/operating.md names every variable that the service reads."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operating.md").read_text()
# Between our own programs; nobody sets them by hand.
INTERNAL = {"DJANGO_SETTINGS_MODULE", "CROWDWRIGHT_BEGAN", "CROWDWRIGHT_READY_FILE", "PYTHONPATH"}
READ = re.compile(r"""\benv(?:iron(?:ment)?)?(?:\.\w+)?\(\s*["']([A-Z][A-Z0-9_]+)["']""")


def variables_read() -> set[str]:
    code = [path.read_text() for path in (ROOT / "annotation").rglob("*.py")]
    return {name for text in code for name in READ.findall(text)} - INTERNAL


def test_every_variable_that_the_code_reads_is_in_the_table():
    table = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", PAGE))
    assert len(variables_read()) > 20
    assert variables_read() - table == set()


def test_the_table_names_no_variable_that_is_not_read():
    rows = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([A-Z][A-Z0-9_]+)`", row)}
    code = "".join(path.read_text() for path in (ROOT / "annotation").rglob("*.py"))
    assert {name for name in named if name not in code} == set()
