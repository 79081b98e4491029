"""Each limit of the service, just inside and just outside."""

from datetime import timedelta

import pytest
from botocore.exceptions import ClientError

from annotation.marketplace.api import throttle
from tests.marketplace.people import EXTERNAL

GOOD_DAY = 86_400


def refusal(call):
    with pytest.raises(ClientError) as caught:
        call()
    return caught.value.response


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("Title", "t" * 128, "t" * 129),
        ("Title", "t", " "),
        ("Description", "d" * 2000, "d" * 2001),
        ("Keywords", "k" * 1000, "k" * 1001),
        ("Title", "naïve ☂", "emoji 🙂"),
        ("AssignmentDurationInSeconds", 30, 29),
        ("AssignmentDurationInSeconds", 31_536_000, 31_536_001),
        ("LifetimeInSeconds", 30, 29),
        ("LifetimeInSeconds", 31_536_000, 31_536_001),
        ("AutoApprovalDelayInSeconds", 0, -1),
        ("AutoApprovalDelayInSeconds", 2_592_000, 2_592_001),
        ("MaxAssignments", 1, 0),
        ("RequesterAnnotation", "ä" * 127 + "x", "ä" * 128),
        ("UniqueRequestToken", "u" * 64, "u" * 65),
    ],
)
def test_a_value_of_a_hit(requester, name, inside, outside):
    requester.hit(**{name: inside})
    response = refusal(lambda: requester.hit(**{name: outside}))
    assert response["Error"]["Code"] in ("ParameterValidationError", "ValidationException")
    assert name.lower() in response["Error"]["Message"].lower()


def test_a_billion_assignments_are_a_valid_wish_that_costs_too_much(requester):
    response = refusal(lambda: requester.hit(MaxAssignments=1_000_000_000))
    assert response["TurkErrorCode"] == "AWS.MechanicalTurk.InsufficientFunds"
    response = refusal(lambda: requester.hit(MaxAssignments=1_000_000_001))
    assert "1 to 1000000000" in response["Error"]["Message"]


@pytest.mark.parametrize("reward", ["abc", "-1", "1.005", "1,00", "", "1e3", "٣"])
def test_a_reward_is_dollars_with_up_to_two_decimals(requester, reward):
    assert refusal(lambda: requester.hit(Reward=reward))["Error"]["Code"] == "ValidationException"


@pytest.mark.parametrize(("reward", "shown"), [("1", "1.00"), ("1.", "1.00"), ("0.5", "0.50"), ("0", "0.00")])
def test_a_reward_comes_back_with_two_decimals(requester, reward, shown):
    assert requester.hit(Reward=reward)["Reward"] == shown


def padded(size: int) -> str:
    return EXTERNAL + " " * (size - len(EXTERNAL.encode()))


def test_a_question_takes_65535_bytes(requester):
    requester.hit(Question=padded(65_535))
    assert "65535" in refusal(lambda: requester.hit(Question=padded(65_536)))["Error"]["Message"]


def test_a_question_takes_no_emoji_but_their_character_references(requester):
    url = "http://localhost:8102/task/abc"
    response = refusal(lambda: requester.hit(Question=EXTERNAL.replace(url, url + "/🙂")))
    assert response["Error"]["Code"] == "ParameterValidationError"
    requester.hit(Question=EXTERNAL.replace(url, url + "/&#128578;"))


def test_assignments_may_not_grow_from_under_ten_to_ten(requester):
    hit_id = requester.hit(MaxAssignments=8, Reward="0.01")["HITId"]
    add = requester.client.create_additional_assignments_for_hit
    add(HITId=hit_id, NumberOfAdditionalAssignments=1)
    response = refusal(lambda: add(HITId=hit_id, NumberOfAdditionalAssignments=1))
    assert response["TurkErrorCode"] == "AWS.MechanicalTurk.InvalidMaximumAssignmentsIncrease"
    ten = requester.hit(MaxAssignments=10, Reward="0.01")["HITId"]
    add(HITId=ten, NumberOfAdditionalAssignments=5)


@pytest.mark.parametrize(("seconds", "fits"), [(59, False), (61, True), (31_535_999, True), (31_536_002, False)])
def test_a_lifetime_grows_by_a_minute_to_a_year(requester, clock, seconds, fits):
    with clock.frozen():
        hit = requester.hit(LifetimeInSeconds=3600)
        later = clock.now() + timedelta(seconds=3600 + seconds)

        def extend():
            requester.client.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=later)

        if fits:
            extend()
            return
        response = refusal(extend)
    assert response["Error"]["Code"] == "ParameterValidationError"
    assert "is invalid for ExpirationIncrementInSeconds. Valid values range from 60 to" in response["Error"]["Message"]


def requirement(**changes):
    return {"QualificationTypeId": "000000000000000000L0", "Comparator": "GreaterThan", "IntegerValues": [95]} | changes


def places(number: int) -> list[dict]:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [{"Country": letters[n // 26] + letters[n % 26]} for n in range(number)]


LOCALE = "00000000000000000071"


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        (
            {"Comparator": "In", "IntegerValues": list(range(15))},
            {"Comparator": "In", "IntegerValues": list(range(16))},
        ),
        ({"IntegerValues": [95]}, {"IntegerValues": [95, 96]}),
        ({"IntegerValues": [95]}, {"IntegerValues": []}),
        ({"Comparator": "Exists", "IntegerValues": []}, {"Comparator": "Exists"}),
        (
            {"QualificationTypeId": LOCALE, "Comparator": "In", "IntegerValues": [], "LocaleValues": places(30)},
            {"QualificationTypeId": LOCALE, "Comparator": "In", "IntegerValues": [], "LocaleValues": places(31)},
        ),
        (
            {"QualificationTypeId": LOCALE, "Comparator": "EqualTo", "IntegerValues": [], "LocaleValues": places(1)},
            {"QualificationTypeId": LOCALE, "Comparator": "EqualTo", "IntegerValues": [], "LocaleValues": places(2)},
        ),
        (
            {"QualificationTypeId": LOCALE, "Comparator": "NotIn", "IntegerValues": [], "LocaleValues": places(1)},
            {"QualificationTypeId": LOCALE, "Comparator": "LessThan", "IntegerValues": [], "LocaleValues": places(1)},
        ),
    ],
)
def test_the_values_of_a_requirement(requester, inside, outside):
    requester.hit(QualificationRequirements=[requirement(**inside)])
    response = refusal(lambda: requester.hit(QualificationRequirements=[requirement(**outside)]))
    assert response["Error"]["Code"] == "ParameterValidationError"


def test_a_hit_asks_for_at_most_ten_qualifications(requester):
    types = [
        requester.client.create_qualification_type(Name=str(n), Description="d", QualificationTypeStatus="Active")
        for n in range(11)
    ]
    asked = [
        {"QualificationTypeId": kind["QualificationType"]["QualificationTypeId"], "Comparator": "Exists"}
        for kind in types
    ]
    requester.hit(QualificationRequirements=asked[:10])
    assert "at most 10" in refusal(lambda: requester.hit(QualificationRequirements=asked))["Error"]["Message"]


def test_an_unknown_qualification_is_not_asked_for(requester):
    asked = requirement(QualificationTypeId="3UNKNOWN")
    response = refusal(lambda: requester.hit(QualificationRequirements=[asked]))
    assert response["TurkErrorCode"] == "AWS.MechanicalTurk.QualificationTypeDoesNotExist"


def test_feedback_takes_1024_characters(requester, submitted):
    _, assignment_id = submitted
    client = requester.client
    response = refusal(lambda: client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="x" * 1025))
    assert response["Error"]["Code"] == "ParameterValidationError"
    client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="x" * 1024)


def test_an_empty_reason_of_a_rejection_passes_as_at_amazon(requester, submitted):
    requester.client.reject_assignment(AssignmentId=submitted[1], RequesterFeedback="")


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("Subject", "s" * 200, "s" * 201),
        ("MessageText", "m" * 4096, "m" * 4097),
        ("WorkerIds", ["A123456789012"] * 100, ["A123456789012"] * 101),
    ],
)
def test_a_message_to_workers(requester, name, inside, outside):
    message = {"Subject": "s", "MessageText": "m", "WorkerIds": ["A123456789012"]}
    requester.client.notify_workers(**message | {name: inside})
    response = refusal(lambda: requester.client.notify_workers(**message | {name: outside}))
    assert response["Error"]["Code"] == "ParameterValidationError"


@pytest.mark.parametrize("amount", ["0.00", "0"])
def test_a_bonus_is_at_least_a_cent(requester, worker, submitted, amount):
    bonus = {"WorkerId": worker.worker_id, "AssignmentId": submitted[1], "Reason": "Good"}
    response = refusal(lambda: requester.client.send_bonus(**bonus, BonusAmount=amount))
    assert response["Error"]["Code"] == "ParameterValidationError"
    requester.client.send_bonus(**bonus, BonusAmount="0.01")


@pytest.mark.parametrize("size", [1, 100])
def test_a_page_takes_1_to_100_rows(requester, size):
    requester.client.list_hits(MaxResults=size)


def test_calls_beyond_an_accounts_limit_are_throttled(requester, monkeypatch):
    requester.account.calls_per_second = 1
    requester.account.save()
    seconds = 100.0
    monkeypatch.setattr(throttle, "time", lambda: seconds)

    def outcome():
        try:
            requester.client.get_account_balance()
        except ClientError as error:
            return error.response["Error"]["Code"]
        return "ok"

    assert [outcome() for _ in range(3)] == ["ok", "ok", "ThrottlingException"]
    seconds += 1
    assert [outcome() for _ in range(2)] == ["ok", "ThrottlingException"]
