"""Rows as the members of the service model."""

from datetime import datetime

from annotation.marketplace import requirements
from annotation.marketplace.ledger import dollars
from annotation.marketplace.models import HIT, Assignment, Bonus, Qualification, QualificationRequest, QualificationType


def seconds(at: datetime) -> int:
    """Times go out as whole epoch seconds."""
    return int(at.timestamp())


def given(**members: object) -> dict:
    """The members that have a value."""
    return {name: value for name, value in members.items() if value not in (None, "")}


def requirement(row: dict) -> dict:
    """A requirement, with the deprecated `RequiredToPreview` beside `ActionsGuarded` as the service echoes it."""
    shown = {name: value for name, value in row.items() if value != []}
    return shown | {"RequiredToPreview": row["ActionsGuarded"] != "Accept"}


def hit(row: HIT) -> dict:
    """A HIT. `Pending` counts what is being worked on and what waits for a decision, `Completed` what is decided."""
    kind = row.hit_type
    return given(
        HITId=row.hit_id,
        HITTypeId=kind.type_id,
        HITGroupId=kind.group_id,
        HITLayoutId=row.layout_id,
        CreationTime=seconds(row.created_at),
        Title=kind.title,
        Description=kind.description,
        Question=row.question,
        Keywords=kind.keywords,
        HITStatus=row.status,
        MaxAssignments=row.max_assignments,
        Reward=dollars(kind.reward_cents),
        AutoApprovalDelayInSeconds=kind.auto_approval_delay,
        Expiration=seconds(row.expires_at),
        AssignmentDurationInSeconds=kind.assignment_duration,
        RequesterAnnotation=row.annotation,
        HITReviewStatus="MarkedForReview" if row.status == "Reviewing" else "NotReviewed",
        NumberOfAssignmentsPending=row.accepted + row.submitted,
        NumberOfAssignmentsAvailable=row.available,
        NumberOfAssignmentsCompleted=row.decided,
    ) | {"QualificationRequirements": [requirement(r) for r in kind.requirements]}


def assignment(row: Assignment) -> dict:
    """Submitted or decided work."""
    times = {
        "AutoApprovalTime": row.auto_approval_at,
        "AcceptTime": row.accepted_at,
        "SubmitTime": row.submitted_at,
        "ApprovalTime": row.approved_at,
        "RejectionTime": row.rejected_at,
        "Deadline": row.deadline,
    }
    return given(
        AssignmentId=row.assignment_id,
        WorkerId=row.worker.customer_id,
        HITId=row.hit.hit_id,
        AssignmentStatus=row.status,
        Answer=row.answer,
        RequesterFeedback=row.feedback,
        **{name: seconds(at) for name, at in times.items() if at},
    )


def bonus(row: Bonus) -> dict:
    """A bonus that was paid."""
    return {
        "WorkerId": row.worker.customer_id,
        "BonusAmount": dollars(row.cents),
        "AssignmentId": row.assignment.assignment_id,
        "Reason": row.reason,
        "GrantTime": seconds(row.created_at),
    }


def qualification_type(row: QualificationType, *, own: bool) -> dict:
    """A custom qualification type; its test and key are for its owner."""
    shown = given(
        QualificationTypeId=row.type_id,
        CreationTime=seconds(row.created_at),
        Name=row.name,
        Description=row.description,
        Keywords=row.keywords,
        QualificationTypeStatus=row.status,
        RetryDelayInSeconds=row.retry_delay,
        TestDurationInSeconds=row.test_duration,
        AutoGranted=row.auto_granted,
        AutoGrantedValue=row.auto_granted_value if row.auto_granted else None,
        IsRequestable=True,
    )
    return shown | given(Test=row.test, AnswerKey=row.answer_key) if own else shown


def system_type(kind: requirements.SystemType) -> dict:
    """A qualification type of the marketplace itself."""
    return {
        "QualificationTypeId": kind.type_id,
        "CreationTime": 0,
        "Name": kind.name,
        "Description": kind.description,
        "QualificationTypeStatus": "Active",
        "IsRequestable": False,
        "AutoGranted": False,
    }


def qualification(row: Qualification) -> dict:
    """A worker's score."""
    return {
        "QualificationTypeId": row.qualification_type.type_id,
        "WorkerId": row.worker.customer_id,
        "GrantTime": seconds(row.granted_at),
        "IntegerValue": row.value,
        "Status": row.status,
    }


def qualification_request(row: QualificationRequest) -> dict:
    """A request that waits for its requester."""
    return given(
        QualificationRequestId=row.request_id,
        QualificationTypeId=row.qualification_type.type_id,
        WorkerId=row.worker.customer_id,
        Test=row.test,
        Answer=row.answer,
        SubmitTime=seconds(row.submitted_at or row.started_at),
    )
