"""Wikipedia's search dumps: which pages count, and where their paragraphs begin and end."""

import gzip
import json

import pytest

from annotation.corpus import forms
from annotation.corpus.forms import wikitext
from tasks.base import SourceProblem

SOURCE = """{{Infobox mill|name=Red Mill|built={{circa|1702}}}}
[[File:Mill.jpg|thumb|The mill in [[spring]]]]
The '''Red Mill''' is a [[watermill|water mill]] on the [[Sorn]],<ref name="a">Bell, p. 3.</ref> built
by [[Ada Bell]].<!-- check -->

It has three wheels&nbsp;of oak.<ref name="a" /> {{citation needed}}

== History ==
The flood of 1891 broke the ''great'' wheel; see [https://example.org the report] for more.
{| class="wikitable"
! Year !! Owner
|-
| 1702 || Bell
|}
=== The clock ===
* A clock in the gable strikes the hours.
* Another one shows the tide of the sea.
short

== References ==
{{reflist}}
A long book about mills and their makers, 1950.
[[Category:Mills]]
"""


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)


INDEX = {"index": {"_type": "page", "_id": "1"}}
MILL = {"title": "Red Mill", "namespace": 0, "source_text": SOURCE, "text": "left aside"}


def read(path):
    return [entry if isinstance(entry, SourceProblem) else entry.paragraph for entry in forms.read(path, "cirrus")]


def test_running_text_comes_with_its_headings_and_without_apparatus(tmp_path):
    path = tmp_path / "dump.json.gz"
    path.write_bytes(gzip.compress(lines(INDEX, MILL).encode()))
    assert forms.form_of(path) == "cirrus"
    found = read(path)
    assert [(each.id, each.section, each.headers, each.text) for each in found] == [
        ("Red Mill-1", "", (), "The Red Mill is a water mill on the Sorn, built by Ada Bell."),
        ("Red Mill-2", "", (), "It has three wheels of oak."),
        (
            "Red Mill-3",
            "History",
            ("History",),
            "The flood of 1891 broke the great wheel; see the report for more.",
        ),
        ("Red Mill-4", "The clock", ("History", "The clock"), "A clock in the gable strikes the hours."),
        ("Red Mill-5", "The clock", ("History", "The clock"), "Another one shows the tide of the sea."),
    ]


def test_pages_that_are_no_articles_are_left_out(tmp_path):
    path = tmp_path / "dump.json"
    talk = {"title": "Talk:Red Mill", "namespace": 1, "source_text": "What a very fine mill this is."}
    redirect = {"title": "Mill, Red", "namespace": 0, "source_text": "#REDIRECT [[Red Mill]] and more words here"}
    path.write_text(lines(INDEX, talk, INDEX, redirect))
    assert read(path) == []


def test_a_page_without_source_is_cut_after_sentences(tmp_path):
    path = tmp_path / "dump.json"
    sentences = [f"Sentence {number} tells of a mill, a river and a clock in the gable." for number in range(30)]
    path.write_text(lines(INDEX, {"title": "Mill", "text": " ".join(sentences)}))
    found = read(path)
    assert [each.number for each in found] == [1, 2, 3, 4]
    assert " ".join(each.text for each in found) == " ".join(sentences)
    assert all(len(each.text.split()) <= 125 for each in found)


def test_lines_out_of_step_are_faults_with_their_place(tmp_path):
    path = tmp_path / "dump.json"
    path.write_text(lines(INDEX, INDEX, MILL, {"title": 7}, INDEX, {"title": "No text"}, INDEX))
    problems = [entry for entry in read(path) if isinstance(entry, SourceProblem)]
    assert [(each.line, each.reason.split(",")[0]) for each in problems] == [
        (2, "expected a page behind its index line"),
        (4, "expected an index line"),
        (4, "expected a page with a title"),
        (6, "No text: expected source_text or text"),
        (7, "expected a page behind its index line"),
    ]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("An unclosed [[link to the mill and more", "An unclosed link to the mill and more"),
        ("Words before {{a template that never ends", "Words before"),
        ("Closed ]] that was never }} opened |} here", "Closed that was never opened here"),
        ("A [[page|name [[inside]] a name]] of some mill", "A name inside a name of some mill"),
        ("Old {{box|[[never closed}} new words after it", "Old new words after it"),
        ("A [[:Category:Mills]] is named here as words", "A Category:Mills is named here as words"),
        ("{| class=x\n| cell\n|}\nRunning text behind the table", "Running text behind the table"),
        ("''Italic'' and '''bold''' and '''''both''''' here", "Italic and bold and both here"),
        ("Two &lt;words&gt; with <b>tags</b> and <br /> breaks", "Two <words> with tags and breaks"),
    ],
)
def test_what_is_not_well_formed_keeps_its_words(source, text):
    assert [found for _, found in wikitext.paragraphs(source)] == ([text] if len(text) >= 20 else [])


@pytest.mark.parametrize(
    "piece",
    ["{{", "[[", "]]", "{|", "<ref>", "<!--", "=", "==\n", "'", "[[a|", "{{a}}", "<ref ", "[http://a ", "&", "<"],
)
def test_no_source_takes_long(piece):
    list(wikitext.paragraphs(piece * 50_000))
