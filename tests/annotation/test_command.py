"""What every command offers: an example in its help, JSON, progress on terminals only."""

import io
import json
import re
import runpy
import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper
from django.db import OperationalError, ProgrammingError

from annotation.command import Command, amount
from tasks.base import SourceProblem

ROOT = Path(__file__).parents[2]


class Count(Command):
    help = "Count to a number."
    example = "./crowdwright count 3 --json"
    requires_system_checks = []

    def add_arguments(self, parser):
        parser.add_argument("number", type=int)

    def handle(self, *, number, **options):
        total = sum(1 for _ in self.progress(range(number), label="counted"))
        self.report({"total": total}, f"counted to {total}")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_help_ends_with_the_example(capsys):
    Count().print_help("crowdwright", "count")
    assert "example:\n  ./crowdwright count 3 --json" in capsys.readouterr().out


def test_help_tells_of_what_is_the_command_s_own(capsys):
    Count().print_help("crowdwright", "count")
    shown = capsys.readouterr().out
    assert "usage: ./crowdwright count [-h] [--json] number" in shown
    assert "--settings" not in shown and "--traceback" not in shown


def test_a_result_is_text_for_people_and_json_on_request():
    told, written = io.StringIO(), io.StringIO()
    call_command(Count(), "3", stdout=told)
    call_command(Count(), "3", "--json", stdout=written)
    assert told.getvalue() == "counted to 3\n"
    assert json.loads(written.getvalue()) == {"total": 3}


@pytest.mark.parametrize(("stream", "shown"), [(Terminal, True), (io.StringIO, False)])
def test_progress_is_shown_on_a_terminal_only(stream, shown):
    errors = stream()
    call_command(Count(), "3", stdout=io.StringIO(), stderr=OutputWrapper(errors))
    assert ("counted 3 of 3 (100%)" in errors.getvalue()) is shown


def test_a_line_of_progress_is_ended_before_the_result_is_printed():
    class Stepping(Count):
        def handle(self, *, number, **options):
            self.sign("first step")
            self.sign("second step")
            self.report({}, "done")

    both = Terminal()
    call_command(Stepping(), "1", stdout=both, stderr=both)
    assert both.getvalue() == "\r\033[Kfirst step\r\033[Ksecond step\ndone\n"


def test_money_is_read_to_the_cent():
    read = amount(1_000)
    assert [read(text) for text in ("0", "12", "12.5", "12.34", "1000.00")] == [0, 1_200, 1_250, 1_234, 100_000]


@pytest.mark.parametrize("text", ["1000.01", "12.345", ".5", "12.", "$12", "1e3"])
def test_money_that_is_none_is_told_with_what_is_expected(text):
    with pytest.raises(
        ArgumentTypeError, match=f"expected dollars from 0 to 1,000, such as 250.00, found '{re.escape(text)}'"
    ):
        amount(1_000)(text)


def test_a_refusal_of_files_lists_a_screenful_and_counts_the_rest():
    class Refusing(Count):
        def handle(self, *, number, **options):
            self.refuse_files([SourceProblem("a.jsonl", line, "no JSON") for line in range(1, number + 1)], added=0)

    with pytest.raises(CommandError) as few:
        call_command(Refusing(), "2")
    assert str(few.value) == "nothing was imported; problems:\n  a.jsonl:1: no JSON\n  a.jsonl:2: no JSON"
    with pytest.raises(CommandError, match=r"a.jsonl:50: no JSON\n  … and 1 more$"):
        call_command(Refusing(), "51")
    written = io.StringIO()
    with pytest.raises(CommandError, match=r"nothing was imported: 51 problems$"):
        call_command(Refusing(), "51", "--json", stdout=written)
    assert len(json.loads(written.getvalue())["problems"]) == 51


def test_django_s_own_commands_are_called_by_the_script_s_name():
    """In a process of its own, as people call it: Django takes hold of the streams that it finds."""
    words = (
        "import runpy, sys; sys.argv = ['manage.py', 'migrate', '--help']\ntry: runpy.run_path('manage.py')['main']()"
    )
    words += "\nexcept SystemExit as end: print(end.code, sys.argv)"
    told = subprocess.run([sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert told.startswith("usage: crowdwright migrate ")
    assert told.endswith("0 ['manage.py', 'migrate', '--help']\n"), "`marketplace` starts itself again with it"


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (OperationalError("no such table: projects_project"), "no such table: .*crowdwright up makes them"),
        (ProgrammingError('relation "projects_project" does not exist\nLINE 1'), "does not exist. Are its tables made"),
        (OperationalError("database is locked"), "the database refused: database is locked$"),
    ],
)
def test_a_database_that_refuses_is_no_traceback_and_missing_tables_are_made_by_up(fault, said):
    class Asking(Count):
        def handle(self, *, number, **options):
            raise fault

    with pytest.raises(CommandError, match=said):
        call_command(Asking(), "1")


def test_who_stops_a_command_gets_no_traceback(monkeypatch):
    def interrupted(words):
        raise KeyboardInterrupt

    monkeypatch.setattr("django.core.management.execute_from_command_line", interrupted)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "manage.py"))["main"]()
    assert ended.value.code == 130
