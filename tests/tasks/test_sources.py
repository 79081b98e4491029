"""Files as strangers make them: what can be read is read, what can't is named by its line."""

import gzip
import json

import pytest

from tasks.base import SourceProblem
from tasks.sources import Unreadable, document, records


def read(path):
    found = list(records(path))
    good = [(record.line, record.value) for record in found if not isinstance(record, SourceProblem)]
    return good, {problem.line: problem.reason for problem in found if isinstance(problem, SourceProblem)}


@pytest.fixture
def file_with(tmp_path):
    def write(content, name="questions.jsonl"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_lines_are_read_with_any_line_end_and_a_byte_order_mark(file_with):
    good, problems = read(file_with(b'\xef\xbb\xbf{"a": 1}\r\n\r\n  \n{"a": 2}'))
    assert good == [(1, {"a": 1}), (4, {"a": 2})]
    assert not problems


def test_a_line_separator_inside_a_text_does_not_end_the_line(file_with):
    assert read(file_with('{"a": "x\u2028y"}\n'))[0] == [(1, {"a": "x\u2028y"})]


def test_gzip_is_recognised_by_its_content(file_with):
    assert read(file_with(gzip.compress(b'{"a": 1}\n{"a": 2}\n')))[0] == [(1, {"a": 1}), (2, {"a": 2})]


def test_the_elements_of_an_array_keep_their_lines(file_with):
    good, problems = read(file_with('\n[\n  {"a": 1},\n  {\n "a": 2},\n {"a": 3}\n]\n', "questions.json"))
    assert good == [(3, {"a": 1}), (4, {"a": 2}), (6, {"a": 3})]
    assert not problems


def test_an_empty_array_and_an_empty_file_hold_nothing(file_with):
    assert read(file_with(" [ ] ")) == ([], {})
    assert read(file_with("")) == ([], {})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"a": ', "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8: byte 8 is 0xff"),
        (b'{"a": "\\ud800"}', "U+D800"),
        (b'{"a": {"b\\u0000": 1}}', "U+0000"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "not JSON"),
        (b'{"a": "' + b"x" * 1_000_000 + b'"}', "longer than 1,000,000 bytes"),
        (b'{"a": "' + b"x" * 3_500_000 + b'"}', "longer than 1,000,000 bytes"),
    ],
)
def test_a_broken_line_is_named_and_the_next_one_still_read(file_with, line, reason):
    good, problems = read(file_with(b'{"a": 1}\n' + line + b'\n{"a": 3}\n'))
    assert [value for _, value in good] == [{"a": 1}, {"a": 3}]
    assert list(problems) == [2]
    assert reason in problems[2]


def test_a_fault_inside_an_array_keeps_what_stands_before_it(file_with):
    good, problems = read(file_with('[\n{"a": 1},\n{"a": }\n]'))
    assert good == [(2, {"a": 1})]
    assert "not JSON" in problems[3]


def test_an_array_that_does_not_end_is_a_fault(file_with):
    good, problems = read(file_with('[{"a": 1}\n'))
    assert good == [(1, {"a": 1})]
    assert "end of the array" in problems[2]


@pytest.mark.parametrize(
    "content",
    [b"\x1f\x8bnonsense", gzip.compress(json.dumps("x" * 5000).encode())[:-20]],
    ids=["no gzip within", "cut short"],
)
def test_a_damaged_gzip_file_is_a_fault_of_the_file(file_with, content):
    assert "can't be read" in read(file_with(content))[1][0]


def test_a_missing_file_is_a_fault_of_the_file(tmp_path):
    assert "No such file" in read(tmp_path / "none.jsonl")[1][0]


def test_a_document_is_one_value(file_with):
    assert document(file_with(gzip.compress(b'{"a": [1]}'))) == {"a": [1]}
    with pytest.raises(Unreadable, match="not JSON"):
        document(file_with('{"a": 1}\n{"a": 2}'))
