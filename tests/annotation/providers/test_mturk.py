import pytest

from annotation.providers import mturk
from annotation.providers.base import Refused


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "0.00"), (7, "0.07"), (50, "0.50"), (107, "1.07"), (100_000, "1000.00")]
)
def test_money_is_written_in_whole_cents_and_read_back(cents: int, text: str) -> None:
    assert mturk.dollars(cents) == text
    assert mturk.cents(text) == cents


def answer_document(inner: str, head: str = "") -> str:
    return (
        f'<?xml version="1.0"?>{head}<QuestionFormAnswers xmlns="http://mechanicalturk.amazonaws.com/'
        f'AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd">{inner}</QuestionFormAnswers>'
    )


def test_an_answer_document_is_read_by_field_name() -> None:
    inner = "<Answer><QuestionIdentifier>receipt</QuestionIdentifier><FreeText>a &amp; b</FreeText></Answer>"
    assert mturk.read_answer(answer_document(inner)) == {"receipt": "a & b"}


@pytest.mark.parametrize(
    "document",
    [
        "",
        "no xml",
        "<a><b>",
        answer_document("<Answer/>", '<!DOCTYPE a [<!ENTITY e "x">]>').replace("<Answer/>", "<Answer>&e;</Answer>"),
        answer_document("", '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>'),
        "<a>" * 100 + "\x00",
        "x" * 2_000_000,
    ],
    ids=["empty", "text", "cut off", "entity", "outside entity", "null", "huge"],
)
def test_a_document_that_cannot_be_read_says_nothing(document: str) -> None:
    assert mturk.read_answer(document) == {}


def test_real_money_needs_a_switch_of_its_own(settings) -> None:
    settings.ALLOW_REAL_MONEY = False
    mturk.connect.cache_clear()
    with pytest.raises(Refused, match="ALLOW_REAL_MONEY"):
        mturk.connect("mturk_production")


def test_an_unknown_marketplace_is_named_with_those_that_there_are() -> None:
    with pytest.raises(Refused, match="own"):
        mturk.connect("elsewhere")
