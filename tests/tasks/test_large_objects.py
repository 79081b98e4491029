"""One JSON object of any size is read member by member."""

import gzip
import json

import pytest

from tasks import sources
from tasks.base import SourceProblem
from tasks.sources import Member, members


@pytest.fixture
def read(tmp_path):
    def found(content: str | bytes):
        path = tmp_path / "object.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(members(path))

    return found


def test_members_come_in_order_with_their_lines(read):
    assert read('\ufeff{"a": 1,\n "b": {"c": [2]},\r\n\n"ö": "x"\n}\n') == [
        Member(1, "a", 1),
        Member(2, "b", {"c": [2]}),
        Member(4, "ö", "x"),
    ]


def test_an_empty_object_has_none(read):
    assert read(" {} ") == []


@pytest.mark.parametrize("window", [1, 2, 3, 7, 64])
def test_it_does_not_matter_where_the_window_ends(read, monkeypatch, window):
    monkeypatch.setattr(sources, "WINDOW", window)
    whole = {f"Title {number}-1": {"content": "ö😀 " * number, "n": number * 1_000} for number in range(20)}
    whole |= {"number": 123456, "last": 1.5}
    assert {found.key: found.value for found in read(json.dumps(whole, ensure_ascii=False))} == whole


def test_gzip_is_read_as_well(read):
    assert read(gzip.compress(b'{"a": 1}')) == [Member(1, "a", 1)]


@pytest.mark.parametrize(
    ("content", "before", "line", "reason"),
    [
        ("", 0, 1, "expected an object here, found the end of the file"),
        ("[1]", 0, 1, "expected an object here, found '['"),
        ('{"a": 1,\n"b" 2}', 1, 2, "expected a colon behind 'b' here, found '2'"),
        ('{"a": 1\n"b": 2}', 1, 2, "expected a comma or the end of the object here"),
        ('{"a": 1, }', 1, 1, "not JSON"),
        ('{"a": 1', 1, 1, "found the end of the file"),
        ('{"a": {"b": ', 0, 1, "not JSON"),
        ("{1: 2}", 0, 1, "expected a name in quotes"),
        ('{"a": 1} x', 1, 1, "expected nothing behind the object's end"),
        (b'{"a": "\xff"}', 0, 1, "not UTF-8"),
        ('{"a": ' + "[" * 100_000 + "}", 0, 1, "nested too deeply"),
    ],
)
def test_a_fault_is_said_after_what_came_before_it(read, content, before, line, reason):
    *found, problem = read(content)
    assert len(found) == before
    assert isinstance(problem, SourceProblem)
    assert problem.line == line
    assert reason in problem.reason


def test_a_value_without_end_is_given_up(read, monkeypatch):
    monkeypatch.setattr(sources, "WINDOW", 10)
    monkeypatch.setattr(sources, "MOST_MEMBER_CHARACTERS", 1_000)
    [problem] = read('{"a": "' + "x" * 100_000)
    assert "not JSON" in problem.reason


def test_lines_may_be_longer_where_the_caller_says_so(tmp_path):
    path = tmp_path / "long.jsonl"
    path.write_text(json.dumps({"text": "x" * 1_100_000}) + '\n{"text": "y"}\n')
    [problem, short] = sources.records(path)
    assert "longer than 1,000,000 bytes" in problem.reason
    assert short.value == {"text": "y"}
    assert [found.line for found in sources.records(path, longest=2_000_000)] == [1, 2]
