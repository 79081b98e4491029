"""What holds for every command of the main site, as it is parsed: nothing here runs one."""

import pytest

from tests import commands

# Where none at all is something that can be meant.
MAY_BE_NOTHING = {
    "create --budget",
    "demo --assignments",
    "publish --confirm",
    "qualification make --approval-rate",
    "qualification make --approved-hits",
    "qualification make --cents-per-item",
    "qualification make --wait-hours",
    "qualification publish --confirm",
    "simulate --seed",
    "top_up --confirm",
}
NUMBERS = commands.numbers()


def words_of(value: object) -> str:
    """Names a case: by the words that lead to it alone."""
    return value if isinstance(value, str) else " ".join(value) if isinstance(value, tuple) else ""


@pytest.mark.parametrize("number", NUMBERS, ids=str)
@pytest.mark.parametrize("text", commands.NO_NUMBERS, ids=lambda text: text[:20] or "empty")
def test_a_number_that_can_not_be_meant_is_a_usage_error(number, text):
    assert number.refuses(text)


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_nothing_is_refused_where_it_means_nothing(number):
    assert number.refuses("0") is (str(number) not in MAY_BE_NOTHING)


def test_every_exception_is_an_option_that_there_is():
    assert set(map(str, NUMBERS)) >= MAY_BE_NOTHING


@pytest.mark.parametrize(("words", "parser"), commands.parsers(), ids=words_of)
def test_usage_is_as_people_type_it(words, parser):
    typed = " ".join(["./crowdwright", words[0].replace("_", "-"), *words[1:]])
    assert parser.format_usage().startswith(f"usage: {typed} ")


@pytest.mark.parametrize("name", commands.names())
def test_help_has_an_example_of_the_command(name):
    shown = commands.command_called(name).create_parser("manage.py", name).format_help()
    assert f"example:\n  ./crowdwright {name.replace('_', '-')}" in shown


@pytest.mark.parametrize(("name", "words"), commands.examples(), ids=words_of)
def test_an_example_can_be_read_as_it_stands(name, words):
    commands.parse(name, *words)


@pytest.mark.parametrize(("words", "parser"), commands.parsers(), ids=words_of)
def test_every_command_and_verb_has_json(words, parser):
    assert any("--json" in action.option_strings for action in parser._actions)
