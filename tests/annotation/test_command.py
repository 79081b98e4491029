"""What every command offers: an example in its help, JSON, progress on terminals only."""

import io
import json

import pytest
from django.core.management import call_command
from django.core.management.base import OutputWrapper

from annotation.command import Command


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
