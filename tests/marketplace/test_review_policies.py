"""Review policies are checked, kept and given back; a malformed one makes no HIT."""

import pytest
from botocore.exceptions import ClientError

from annotation.marketplace.models import HIT

KNOWN_ANSWERS = {
    "PolicyName": "ScoreMyKnownAnswers/2011-09-01",
    "Parameters": [
        {"Key": "AnswerKey", "MapEntries": [{"Key": "q1", "Values": ["wood"]}]},
        {"Key": "ApproveIfKnownAnswerScoreIsAtLeast", "Values": ["80"]},
        {"Key": "RejectReason", "Values": ["Too few known answers were right."]},
    ],
}
PLURALITY = {
    "PolicyName": "SimplePlurality/2011-09-01",
    "Parameters": [
        {"Key": "QuestionIds", "Values": ["q1", "q2"]},
        {"Key": "QuestionAgreementThreshold", "Values": ["51"]},
        {"Key": "ExtendMaximumAssignments", "Values": ["25"]},
    ],
}


def changed(policy, key, **parameter):
    """The policy with one parameter changed, added or (with nothing given) left out."""
    kept = [one for one in policy["Parameters"] if one["Key"] != key]
    return policy | {"Parameters": kept + ([{"Key": key, **parameter}] if parameter else [])}


def test_both_policies_are_given_back_as_they_came(requester):
    hit = requester.hit(AssignmentReviewPolicy=KNOWN_ANSWERS, HITReviewPolicy=PLURALITY)
    found = requester.client.list_review_policy_results_for_hit(HITId=hit["HITId"])
    assert found["AssignmentReviewPolicy"] == KNOWN_ANSWERS
    assert found["HITReviewPolicy"] == PLURALITY
    assert found["HITReviewReport"] == {"ReviewResults": [], "ReviewActions": []}


@pytest.mark.parametrize(
    ("member", "policy", "words"),
    [
        ("HITReviewPolicy", KNOWN_ANSWERS, "must be SimplePlurality"),
        ("AssignmentReviewPolicy", PLURALITY, "must be ScoreMyKnownAnswers"),
        ("HITReviewPolicy", {"PolicyName": "SimplePlurality/2011-09-01"}, "QuestionIds is missing"),
        ("HITReviewPolicy", changed(PLURALITY, "QuestionAgreementThreshold"), "is missing"),
        ("HITReviewPolicy", changed(PLURALITY, "Colour", Values=["red"]), "not a parameter"),
        ("HITReviewPolicy", changed(PLURALITY, "ExtendMaximumAssignments", Values=["26"]), "from 2 to 25"),
        ("HITReviewPolicy", changed(PLURALITY, "QuestionAgreementThreshold", Values=["101"]), "from 0 to 100"),
        ("HITReviewPolicy", changed(PLURALITY, "QuestionAgreementThreshold", Values=["most"]), "from 0 to 100"),
        ("HITReviewPolicy", changed(PLURALITY, "QuestionAgreementThreshold", Values=["1", "2"]), "one value"),
        ("AssignmentReviewPolicy", changed(KNOWN_ANSWERS, "AnswerKey", Values=["q1"]), "MapEntries"),
        ("HITReviewPolicy", PLURALITY | {"Parameters": PLURALITY["Parameters"] * 2}, "given twice"),
    ],
)
def test_a_malformed_policy_is_refused_in_words(requester, member, policy, words):
    with pytest.raises(ClientError, match=words) as caught:
        requester.hit(**{member: policy})
    assert caught.value.response["Error"]["Code"] in ("RequestError", "ParameterValidationError")
    assert HIT.objects.count() == 0
