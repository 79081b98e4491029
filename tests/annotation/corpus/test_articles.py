"""Plain articles: a folder of texts, its titles and paragraphs."""

import pytest

from annotation.corpus import forms
from annotation.corpus.forms import Unfit
from tasks.base import SourceProblem


def read(path):
    return list(forms.read(path, "articles"))


def paragraphs(path):
    return [(entry.line, entry.paragraph.id, entry.paragraph.text) for entry in read(path)]


def test_the_first_line_is_the_title_and_blank_lines_part_paragraphs(tmp_path):
    path = tmp_path / "whatever.txt"
    path.write_text("# Red Mill\n\nThe mill stands\non the Sorn.\n\n\n \nIt has three wheels.\n")
    assert paragraphs(path) == [
        (3, "Red Mill-1", "The mill stands on the Sorn."),
        (8, "Red Mill-2", "It has three wheels."),
    ]


def test_without_a_title_the_name_of_the_file_is_it(tmp_path):
    path = tmp_path / "Red_Mill.txt"
    path.write_text("\ufeffThe mill stands on the Sorn.\r\n\r\nIt has three wheels.", encoding="utf-8")
    assert [key for _, key, _ in paragraphs(path)] == ["Red Mill-1", "Red Mill-2"]


def test_a_folder_stands_for_its_texts_in_order(tmp_path):
    for name in ("b.txt", "a.txt", "notes.md", "deep/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("A text.")
    files = forms.files_of([tmp_path])
    assert [file.name for file in files] == ["a.txt", "b.txt", "c.txt"]
    assert {forms.form_of(file) for file in files} == {"articles"}


def test_a_folder_without_texts_is_refused(tmp_path):
    with pytest.raises(Unfit, match=r"without .txt files"):
        forms.files_of([tmp_path])


def test_what_is_not_utf_8_is_a_fault_with_its_line(tmp_path):
    path = tmp_path / "old.txt"
    path.write_bytes("One line.\n\nCaf\xe9.".encode("latin-1"))
    assert read(path) == [SourceProblem("old.txt", 3, "not UTF-8: 0xe9")]
