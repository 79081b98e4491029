"""Headings and links of wikitext, and that no source takes longer than its length."""

import time

import pytest

from annotation.corpus.forms.wikitext import paragraphs

TEXT = "A cactus is a member of the plant family Cactaceae."


def headings_of(line: str) -> tuple[str, ...]:
    [(headings, text)] = paragraphs(f"{line}\n{TEXT}")
    assert text.endswith(TEXT)
    return headings


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("== Etymology ==", "Etymology"),
        ("==Etymology==  ", "Etymology"),
        ("=== a = b ===", "a = b"),
        ("== one more ===", "one more ="),
        ("====== Deep ======", "Deep"),
    ],
)
def test_a_heading_is_told_by_its_signs(line, name) -> None:
    assert headings_of(line) == (name,)


@pytest.mark.parametrize("line", ["= Title =", "==Open", "=====", "======= Too deep =======", "x == y =="])
def test_another_line_is_no_heading(line) -> None:
    assert headings_of(line) == ()


def test_a_deeper_heading_stands_below_the_one_above() -> None:
    found = list(paragraphs(f"== Uses ==\n=== Food ===\n{TEXT}\n\n== Names ==\n{TEXT}"))
    assert [headings for headings, _ in found] == [("Uses", "Food"), ("Names",)]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (f"{TEXT} See [https://example.org/a the   page].", f"{TEXT} See the page."),
        (f"{TEXT} See [//example.org].", f"{TEXT} See."),
        (f"{TEXT} See [https://example.org/a", f"{TEXT} See [https://example.org/a"),
    ],
)
def test_a_link_elsewhere_becomes_its_words(source, text) -> None:
    assert [said for _, said in paragraphs(source)] == [text]


@pytest.mark.parametrize(
    "part",
    [
        "==" + " " * 100_000 + "x",
        "==" * 50_000,
        "[//a" + " " * 100_000,
        "[//a " * 25_000,
        "[//" + "a" * 100_000,
        "(" + " " * 100_000,
        "<ref " + "a" * 100_000,
    ],
    ids=["blanks after a heading", "signs", "blanks in a link", "links", "an address", "a bracket", "a reference"],
)
def test_no_source_takes_longer_than_its_length(part) -> None:
    began = time.process_time()
    list(paragraphs(f"{TEXT} {part}\n{part}\n{TEXT}"))
    assert time.process_time() - began < 5
