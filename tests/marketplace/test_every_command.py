"""What holds for every command of the marketplace, as it is parsed: nothing here runs one."""

import pytest

from tests import commands

MAY_BE_NOTHING = {"create_requester --balance", "marketplace --balance"}
NUMBERS = commands.numbers()


@pytest.mark.parametrize("number", NUMBERS, ids=str)
@pytest.mark.parametrize("text", commands.NO_NUMBERS, ids=lambda text: text[:20] or "empty")
def test_a_number_that_can_not_be_meant_is_a_usage_error(number, text):
    assert number.refuses(text)


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_nothing_is_refused_where_it_means_nothing(number):
    assert number.refuses("0") is (str(number) not in MAY_BE_NOTHING)


def test_the_commands_are_those_of_this_site():
    assert commands.names() == [
        *["create_operator", "create_requester", "create_worker"],
        *["deliver_notifications", "marketplace"],
    ]
    assert set(map(str, NUMBERS)) >= MAY_BE_NOTHING


@pytest.mark.parametrize("name", commands.names())
def test_usage_and_example_are_as_people_type_them(name):
    parser = commands.command_called(name).create_parser("manage.py", name)
    typed = f"./crowdwright {name.replace('_', '-')}"
    assert parser.format_usage().startswith(f"usage: {typed} ")
    assert f"example:\n  {typed}" in parser.format_help()


@pytest.mark.parametrize(("name", "words"), commands.examples())
def test_an_example_can_be_read_as_it_stands(name, words):
    commands.parse(name, *words)
