"""QuestionForms as workers meet them: what is drawn, and which answers are taken."""

import re

import pytest
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict

from annotation.marketplace import answers, documents, forms
from tests.marketplace.test_qualifications import SCHEMA

LONG = "Here is a paragraph about ice that goes on and on. " * 6


def form(specification, *, content="<Text>Which?</Text>", required="true", extra=""):
    return forms.read(
        documents.parse(
            f'{extra}<QuestionForm xmlns="{SCHEMA}/2017-11-06/QuestionForm.xsd"><Question>'
            f"<QuestionIdentifier>q 1</QuestionIdentifier><IsRequired>{required}</IsRequired>"
            f"<QuestionContent>{content}</QuestionContent>"
            f"<AnswerSpecification>{specification}</AnswerSpecification></Question></QuestionForm>",
            "Question",
        )
    )


def choice(style, *, other=True, most=1):
    return (
        f"<SelectionAnswer><MaxSelectionCount>{most}</MaxSelectionCount><StyleSuggestion>{style}</StyleSuggestion>"
        "<Selections><Selection><SelectionIdentifier>a</SelectionIdentifier><Text>First</Text></Selection>"
        "<Selection><SelectionIdentifier>b</SelectionIdentifier><Text>Second</Text></Selection>"
        f"{'<OtherSelection/>' if other else ''}</Selections></SelectionAnswer>"
    )


def drawn(asked, given=None):
    return render_to_string("marketplace/form_parts.html", {"form": asked, "given": given})


def given_to(asked, **fields):
    posted = {"q.q 1": fields.get("chosen", []), "other.q 1": [fields.get("own", "")]}
    return forms.answers_to(asked, MultiValueDict(posted))


@pytest.mark.parametrize("style", ["radiobutton", "checkbox", "dropdown"])
@pytest.mark.parametrize("name", ["", "<DisplayName>Ice</DisplayName>"])
def test_a_choice_shows_all_that_it_is_about(style, name):
    picture = (
        "<Binary><MimeType><Type>image</Type><SubType>png</SubType></MimeType>"
        "<DataURL>https://lab.example/ice.png</DataURL><AltText>An iceberg</AltText></Binary>"
    )
    content = f"<Text>{LONG}The end.</Text><List><ListItem>water</ListItem><ListItem>salt</ListItem></List>{picture}"
    text = drawn(form(choice(style), content=content))
    for shown in ("The end.", "<li>water</li>", "<li>salt</li>", 'src="https://lab.example/ice.png"'):
        assert shown in text


@pytest.mark.parametrize("style", ["radiobutton", "checkbox", "dropdown"])
def test_an_answer_of_ones_own_has_a_field_in_every_style(style):
    assert 'name="other.q 1"' in drawn(form(choice(style)))
    assert 'name="other.q 1"' not in drawn(form(choice(style, other=False)))


def test_every_id_that_is_referred_to_is_there():
    for specification in (choice("radiobutton"), choice("dropdown"), choice("checkbox", most=2), "<FreeTextAnswer/>"):
        asked = form(specification)
        text = drawn(asked, given_to(asked))
        there = set(re.findall(r' id="([^"]+)"', text))
        for attribute in ("for", "aria-labelledby", "aria-describedby"):
            for ids in re.findall(rf' {attribute}="([^"]+)"', text):
                assert set(ids.split(" ")) <= there


def test_ones_own_words_are_one_choice_and_another_can_be_taken_back():
    asked = form(choice("radiobutton"))
    own = given_to(asked, chosen=[""], own="Third")
    assert (own.faults, own.others, own.selections) == ({}, {"q 1": "Third"}, {"q 1": ()})
    assert "<OtherSelectionText>Third</OtherSelectionText>" in answers.write_form(own)
    both = given_to(asked, chosen=["a"], own="Third")
    assert "one" in both.faults["q 1"]
    again = drawn(asked, both)
    assert 'value="Third"' in again
    assert 'value="a" checked' in again
    assert re.search(r'type="radio" name="q.q 1" value=""', again)
    assert 'value="" checked' in drawn(asked, given_to(asked, chosen=[""], own="Third"))
    assert given_to(asked, chosen=[""]).faults


def test_several_answers_may_have_ones_own_words_among_them():
    asked = form(choice("checkbox", most=2))
    assert given_to(asked, chosen=["a"], own="Third").faults == {}
    assert given_to(asked, chosen=["a", "b"], own="Third").faults


@pytest.mark.parametrize(
    ("text", "fits"),
    [("5", True), (" 4.5 ", True), ("-3", False), ("11", False), ("nan", False), ("inf", False), ("1_0", False)],
)
def test_a_numeric_answer_is_a_number_within_its_bounds(text, fits):
    asked = form('<FreeTextAnswer><Constraints><IsNumeric minValue="0" maxValue="10"/></Constraints></FreeTextAnswer>')
    assert bool(given_to(asked, chosen=[text]).faults) is not fits


def test_a_document_that_names_another_encoding_is_read_as_it_was_sent():
    declared = '<?xml version="1.0" encoding="ISO-8859-1"?>'
    asked = form("<FreeTextAnswer/>", content="<Text>Wie schön?</Text>", extra=declared)
    assert asked.questions[0].content[0].text == "Wie schön?"
