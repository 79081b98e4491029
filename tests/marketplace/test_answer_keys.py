"""Scores of tests: how answers become a value, and which keys are refused."""

import pytest

from annotation.marketplace import answerkeys, documents, forms
from annotation.marketplace.errors import Refusal
from tests.marketplace.test_qualifications import KEY, TEST

TEST_FORM = forms.read(documents.parse(TEST, "Test"))
RIGHT = forms.Given({}, {"float": ("dense",)}, {}, {})
PERCENTAGE = "<PercentageMapping><MaximumSummedScore>5</MaximumSummedScore></PercentageMapping>"


def scaled(multiplier):
    way = f"<ScaleMapping><SummedScoreMultiplier>{multiplier}</SummedScoreMultiplier></ScaleMapping>"
    return answerkeys.read(KEY.replace(PERCENTAGE, way), TEST_FORM)


@pytest.mark.parametrize("multiplier", ["nan", "inf", "-inf", "1e300", "x", ""])
def test_a_multiplier_that_is_no_number_is_refused_with_the_key(multiplier):
    with pytest.raises(Refusal, match="SummedScoreMultiplier"):
        scaled(multiplier)


@pytest.mark.parametrize("score", ["9" * 12, "-" + "9" * 12, "9" * 5000, "1.5", "nan"])
def test_a_score_that_is_no_whole_number_of_a_size_is_refused_with_the_key(score):
    with pytest.raises(Refusal, match="AnswerScore"):
        answerkeys.read(KEY.replace(">5</AnswerScore>", f">{score}</AnswerScore>"), TEST_FORM)


@pytest.mark.parametrize(("multiplier", "value"), [("2.5", 12), ("-1", -5), ("1e9", 2**31 - 1), ("-1e9", -(2**31) + 1)])
def test_a_value_stays_within_what_a_qualification_can_have(multiplier, value):
    assert answerkeys.score(scaled(multiplier), RIGHT) == value
