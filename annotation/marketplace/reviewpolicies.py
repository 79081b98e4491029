"""Review policies: Amazon let it approve, reject and extend by rules given with a HIT.

Here they are read, checked, kept and given back. Nothing is decided by them: agreement is worked out by
whoever asked for the work.
"""

from annotation.marketplace.errors import OutOfRange, Refusal

# What each policy takes: True where it has to be there.
KNOWN = {
    "AssignmentReviewPolicy": {
        "ScoreMyKnownAnswers/2011-09-01": {
            "AnswerKey": True,
            "ApproveIfKnownAnswerScoreIsAtLeast": False,
            "ApproveReason": False,
            "RejectIfKnownAnswerScoreIsLessThan": False,
            "RejectReason": False,
            "ExtendIfKnownAnswerScoreIsLessThan": False,
            "ExtendMaximumAssignments": False,
            "ExtendMinimumTimeInSeconds": False,
        }
    },
    "HITReviewPolicy": {
        "SimplePlurality/2011-09-01": {
            "QuestionIds": True,
            "QuestionAgreementThreshold": True,
            "DisregardAssignmentIfRejected": False,
            "DisregardAssignmentIfKnownAnswerScoreIsLessThan": False,
            "ExtendIfHITAgreementScoreIsLessThan": False,
            "ExtendMaximumAssignments": False,
            "ExtendMinimumTimeInSeconds": False,
            "ApproveIfWorkerAgreementScoreIsAtLeast": False,
            "RejectIfWorkerAgreementScoreIsLessThan": False,
            "RejectReason": False,
        }
    },
}
RANGES = {"ExtendMaximumAssignments": (2, 25), "ExtendMinimumTimeInSeconds": (3600, 31_536_000)}
PERCENT = (0, 100)


def check(member: str, policy: dict | None) -> None:
    """Refuse what no policy of this level is."""
    if policy is None:
        return
    name = policy["PolicyName"]
    takes = KNOWN[member].get(name)
    if takes is None:
        raise Refusal(f"{member} must be {' or '.join(KNOWN[member])}; found {name[:100]!r}.", "InvalidParameterValue")
    given = policy.get("Parameters", [])
    keys = [parameter.get("Key", "") for parameter in given]
    faults = [f"{key[:60]!r} is not a parameter" for key in keys if key not in takes]
    faults += [f"{key} is given twice" for key in set(keys) if keys.count(key) > 1]
    faults += [f"{key} is missing" for key, needed in takes.items() if needed and key not in keys]
    if faults:
        raise Refusal(f"{member} {name} is not well-formed: {'; '.join(faults)}.", "InvalidParameterValue")
    for parameter in given:
        _check_value(member, parameter)


def _check_value(member: str, parameter: dict) -> None:
    key, values = parameter["Key"], parameter.get("Values", [])
    if key == "AnswerKey":
        if not parameter.get("MapEntries") or not all(
            entry.get("Key") and entry.get("Values") for entry in parameter["MapEntries"]
        ):
            raise Refusal(f"AnswerKey of {member} needs MapEntries with a Key and Values.", "InvalidParameterValue")
        return
    if not values or (key != "QuestionIds" and len(values) > 1):
        raise Refusal(f"{key} of {member} needs one value.", "InvalidParameterValue")
    if key in RANGES or "Score" in key or "Threshold" in key:
        least, most = RANGES.get(key, PERCENT)
        number = int(values[0]) if values[0].isascii() and values[0].isdigit() and len(values[0]) < 10 else None
        if number is None or not least <= number <= most:
            raise OutOfRange(
                f"The value {values[0][:40]!r} is invalid for {key}. Valid values range from {least} to {most}."
            )
