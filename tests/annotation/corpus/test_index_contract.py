"""What every index does, wherever it keeps its paragraphs."""

import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.corpus.asking import DEEPEST
from tests.annotation.corpus.paragraphs import PARAGRAPHS, paragraph


def ids(found):
    return {hit.paragraph.id for hit in found.hits}


def first(index, question):
    return index.search(question).hits[0].paragraph.id


def marked(hit):
    return [hit.paragraph.text[start:end] for start, end in hit.marks]


def test_a_hit_is_the_paragraph_as_it_was_imported(index):
    assert index.search("gable").hits[0].paragraph == PARAGRAPHS[2]


def test_the_paragraph_with_most_of_the_rare_words_comes_first(index):
    assert first(index, "who made the clock in the gable of the mill") == "Red Mill-3"
    assert first(index, "how long is the river in miles") == "Sorn-1"


def test_words_are_found_in_all_their_forms(index):
    assert "Red Mill-2" in ids(index.search("run"))
    assert {"Red Mill-2", "Sorn-1"} == ids(index.search("flooding"))


def test_case_and_accents_do_not_matter(index):
    assert first(index, "NAIVE") == "Jean-Luc Éclair-1"
    assert first(index, "eclair") == "Jean-Luc Éclair-1"


def test_titles_and_sections_are_searched_too(index):
    assert ids(index.search("today")) == {"Red Mill-10"}
    assert "Ada Bell-1" in ids(index.search("Ada"))


def test_total_counts_what_is_found_beyond_the_page(index):
    found = index.search("mill", limit=2)
    assert len(found.hits) == 2
    assert found.total == len(ids(index.search("mill", limit=50))) == 7


def test_pages_of_hits_follow_on_each_other(index):
    whole = [hit.paragraph.id for hit in index.search("mill", limit=8).hits]
    parts = [hit.paragraph.id for offset in (0, 3, 6) for hit in index.search("mill", limit=3, offset=offset).hits]
    assert parts == whole
    assert index.search("mill", offset=DEEPEST * 5).hits == []


def test_a_phrase_must_stand_as_it_is(index):
    assert ids(index.search('"great flood"')) == {"Red Mill-2"}
    assert ids(index.search('"flood great"')) == set()


def test_a_phrase_may_hold_words_that_every_text_has(index):
    assert ids(index.search('"to be or not to be"')) == {"Upper Mill-1"}
    assert ids(index.search("“to be or not to be”")) == {"Upper Mill-1"}


def test_a_phrase_is_found_in_titles(index):
    assert {"Upper Mill-1", "Sorn-2"} == ids(index.search('"upper mill"'))


def test_a_single_quoted_word_must_occur_while_words_beside_it_may(index):
    assert ids(index.search('"sundays" river clock')) == {"Red Mill-10"}


def test_two_phrases_must_both_stand(index):
    assert ids(index.search('"red mill" "upper mill"')) == {"Sorn-2"}


def test_marks_show_the_words_in_the_text(index):
    assert marked(index.search("floods wheel").hits[0]) == ["wheel", "flood"]


def test_marks_count_characters(index):
    [hit] = index.search('"saw the sea"').hits
    assert marked(hit) == ["saw the sea"]


def test_stop_words_are_not_marked_unless_they_are_all_there_is(index):
    assert marked(index.search("was the wheel").hits[0]) == ["wheel"]
    assert "to" in [text.lower() for hit in index.search("to").hits for text in marked(hit)]


@pytest.mark.parametrize(
    "question",
    [
        "",
        " ",
        '"',
        '""',
        '" "',
        "?!*",
        "a AND",
        "title:",
        "(",
        "/x",
        "\0",
        "\ud800",
        "-",
        "+mill -",
        "~1",
        "[a TO b]",
        "{!}",
    ],
)
def test_nothing_that_is_typed_is_an_error(index, question):
    assert index.search(question).total >= 0
    assert isinstance(index.titles(question), list)
    assert index.page(question) == []
    assert index.paragraphs([question]) == {}


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.sampled_from(string.printable + "éß😀\0“”-\u2028"), max_size=120))
def test_whatever_is_typed_is_answered(index, typed):
    found = index.search(typed)
    assert len(found.hits) <= found.total
    for hit in found.hits:
        assert all(0 <= start < end <= len(hit.paragraph.text) for start, end in hit.marks)
    index.titles(typed)


def test_a_question_without_end_is_cut(index):
    assert first(index, "gable " + "mill " * 100_000) == "Red Mill-3"
    assert index.search(chr(34) + "mill " * 10_000 + chr(34)).total == 7


def test_titles_are_completed(index):
    assert index.titles("red") == ["Red Mill"]
    assert index.titles("JEAN-luc e") == ["Jean-Luc Éclair"]
    assert index.titles("mill") == []


def test_a_title_that_is_meant_exactly_comes_before_longer_pages(build):
    pages = [paragraph("Us", 1, "One of us."), *(paragraph("Usk", number, "A river.") for number in (1, 2, 3))]
    pages += [paragraph("USSR", number, "A union.") for number in (1, 2)]
    assert build(pages).titles("us") == ["Us", "Usk", "USSR"]


def test_titles_that_differ_in_case_alone_are_two(build):
    pages = [paragraph("US", 1, "A country."), paragraph("Us", 1, "A film.")]
    index = build(pages)
    assert set(index.titles("us")) == {"US", "Us"}
    assert [each.text for each in index.page("Us")] == ["A film."]


def test_no_more_titles_than_asked_for(build):
    index = build([paragraph(f"Mill {number}", 1, "A mill.") for number in range(40)])
    assert len(index.titles("mill", 7)) == 7
    assert len(index.titles("mill", 10_000)) == 40


def test_a_page_comes_whole_and_in_order(index):
    assert [each.number for each in index.page("Red Mill")] == [1, 2, 3, 10]
    assert index.page("red mill") == []


def test_paragraphs_come_by_their_ids_in_the_order_asked_for(index):
    found = index.paragraphs(["Sorn-2", "Nowhere-1", "Jean-Luc Éclair-1"])
    assert list(found) == ["Sorn-2", "Jean-Luc Éclair-1"]
    assert found["Sorn-2"] == PARAGRAPHS[5]
    assert index.paragraphs([]) == {}


def test_too_many_ids_at_once_are_refused(index):
    with pytest.raises(ValueError, match="at most 500"):
        index.paragraphs(str(number) for number in range(501))
