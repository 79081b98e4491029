"""Operations on HIT types, HITs, assignments and money."""

from dataclasses import dataclass
from urllib.parse import quote

from django.conf import settings
from django.core.signing import TimestampSigner
from django.db.models import Q, QuerySet

from annotation.marketplace import clock, faults, layouts, ledger, publishing, registering, reviewing, states
from annotation.marketplace.api import paging, shapes
from annotation.marketplace.errors import Malformed, Refusal, wrong_state
from annotation.marketplace.models import HIT, Account, Bonus, Book, HITType

uploads = TimestampSigner(salt="marketplace.upload")


@dataclass(frozen=True)
class Call:
    """One call of the API: who, what, and the id of this request."""

    caller: Account
    params: dict
    request_id: str

    def get(self, name: str, default: object = None) -> object:
        """A member of the request."""
        return self.params.get(name, default)


def cents(name: str, amount: str) -> int:
    """An amount of US dollars in cents; how much is too much is said where it is used."""
    found = ledger.cents_of(amount)
    if found is None:
        raise Malformed(f"The value of {name} is no amount of dollars, or too large a one: {amount[:30]}.")
    return found


def _type_from(call: Call) -> HITType:
    values = registering.TypeValues(
        title=call.params["Title"],
        description=call.params["Description"],
        keywords=call.get("Keywords", ""),
        reward_cents=cents("Reward", call.params["Reward"]),
        assignment_duration=call.params["AssignmentDurationInSeconds"],
        auto_approval_delay=call.get("AutoApprovalDelayInSeconds", registering.DEFAULT_AUTO_APPROVAL),
        requirements=registering.requirements_of(call.get("QualificationRequirements"), call.caller),
    )
    return registering.register_type(requester=call.caller, values=values)


def create_hit_type(call: Call) -> dict:
    """CreateHITType"""
    return {"HITTypeId": _type_from(call).type_id}


def _create(call: Call, hit_type: HITType, operation: str) -> dict:
    layout_id, question = call.get("HITLayoutId", ""), call.get("Question", "")
    if bool(layout_id) == bool(question):
        raise Refusal("A HIT needs either a Question or a HITLayoutId.", "InvalidParameterValue")
    if layout_id:
        question = layouts.filled(layouts.layout_of(call.caller, layout_id), call.get("HITLayoutParameters", []))
    hit = publishing.create_hit(
        requester=call.caller,
        hit_type=hit_type,
        question=question,
        layout_id=layout_id,
        lifetime=call.params["LifetimeInSeconds"],
        max_assignments=call.get("MaxAssignments", 1),
        annotation=call.get("RequesterAnnotation", ""),
        token=call.get("UniqueRequestToken"),
        operation=operation,
        assignment_review_policy=call.get("AssignmentReviewPolicy"),
        hit_review_policy=call.get("HITReviewPolicy"),
    )
    return {"HIT": shapes.hit(hit)}


def create_hit(call: Call) -> dict:
    """CreateHIT"""
    return _create(call, _type_from(call), "CreateHIT")


def create_hit_with_hit_type(call: Call) -> dict:
    """CreateHITWithHITType"""
    return _create(call, registering.type_of(call.caller, call.params["HITTypeId"]), "CreateHITWithHITType")


def get_hit(call: Call) -> dict:
    """GetHIT"""
    return {"HIT": shapes.hit(publishing.hit_of(call.caller, call.params["HITId"]))}


def hits_page(call: Call, rows: QuerySet, scope: str, *, newest_first: bool = False) -> dict:
    """A page of HITs."""
    if horizon := faults.list_horizon(call.caller, clock.now()):
        rows = rows.filter(created_at__lte=horizon)
    found, response = paging.page(rows.select_related("hit_type"), call.params, scope, newest_first=newest_first)
    return response | {"HITs": [shapes.hit(hit) for hit in found]}


def list_hits(call: Call) -> dict:
    """ListHITs: newest first, without the disposed ones."""
    rows = HIT.objects.filter(requester=call.caller).exclude(status=states.DISPOSED)
    return hits_page(call, rows, "ListHITs", newest_first=True)


def list_reviewable_hits(call: Call) -> dict:
    """ListReviewableHITs"""
    status = call.get("Status", states.REVIEWABLE)
    rows = HIT.objects.filter(requester=call.caller, status=status)
    type_id = call.get("HITTypeId", "")
    if type_id:
        rows = rows.filter(hit_type=registering.type_of(call.caller, type_id))
    return hits_page(call, rows, f"ListReviewableHITs:{status}:{type_id}")


def create_additional_assignments(call: Call) -> dict:
    """CreateAdditionalAssignmentsForHIT"""
    publishing.add_assignments(
        requester=call.caller,
        hit_id=call.params["HITId"],
        number=call.params["NumberOfAdditionalAssignments"],
        token=call.get("UniqueRequestToken"),
        request_id=call.request_id,
    )
    return {}


def update_expiration(call: Call) -> dict:
    """UpdateExpirationForHIT"""
    publishing.update_expiration(requester=call.caller, hit_id=call.params["HITId"], at=call.params["ExpireAt"])
    return {}


def update_review_status(call: Call) -> dict:
    """UpdateHITReviewStatus"""
    publishing.mark_reviewing(requester=call.caller, hit_id=call.params["HITId"], revert=call.get("Revert", False))
    return {}


def update_type(call: Call) -> dict:
    """UpdateHITTypeOfHIT"""
    publishing.change_type(requester=call.caller, hit_id=call.params["HITId"], type_id=call.params["HITTypeId"])
    return {}


def delete_hit(call: Call) -> dict:
    """DeleteHIT"""
    publishing.delete_hit(requester=call.caller, hit_id=call.params["HITId"])
    return {}


def list_assignments(call: Call) -> dict:
    """ListAssignmentsForHIT: work in progress is never shown."""
    hit = publishing.hit_of(call.caller, call.params["HITId"])
    publishing.require_kept(hit)
    statuses = call.get("AssignmentStatuses") or ["Submitted", "Approved", "Rejected"]
    rows = hit.assignments.filter(status__in=statuses).select_related("worker")  # each knows its HIT from here
    rows = rows.filter(Q(hidden_until__isnull=True) | Q(hidden_until__lte=clock.now()))
    scope = f"ListAssignmentsForHIT:{hit.pk}:{','.join(sorted(statuses))}"
    found, response = paging.page(rows, call.params, scope)
    return response | {"Assignments": [shapes.assignment(row) for row in found]}


def get_assignment(call: Call) -> dict:
    """GetAssignment"""
    row = reviewing.assignment_of(call.caller, call.params["AssignmentId"])
    if row.status == "Accepted" or not reviewing.is_visible(row):
        raise wrong_state("Assignment", "Reviewable,Approved,Rejected")
    return {"Assignment": shapes.assignment(row), "HIT": shapes.hit(row.hit)}


def approve_assignment(call: Call) -> dict:
    """ApproveAssignment"""
    reviewing.approve(
        requester=call.caller,
        assignment_id=call.params["AssignmentId"],
        feedback=call.get("RequesterFeedback", ""),
        override=call.get("OverrideRejection", False),
    )
    return {}


def reject_assignment(call: Call) -> dict:
    """RejectAssignment"""
    reviewing.reject(
        requester=call.caller,
        assignment_id=call.params["AssignmentId"],
        feedback=call.params["RequesterFeedback"],
    )
    return {}


def send_bonus(call: Call) -> dict:
    """SendBonus"""
    reviewing.send_bonus(
        requester=call.caller,
        worker_id=call.params["WorkerId"],
        assignment_id=call.params["AssignmentId"],
        cents=cents("BonusAmount", call.params["BonusAmount"]),
        reason=call.params["Reason"],
        token=call.get("UniqueRequestToken"),
        request_id=call.request_id,
    )
    return {}


def list_bonus_payments(call: Call) -> dict:
    """ListBonusPayments, of a HIT or of an assignment."""
    rows = Bonus.objects.filter(requester=call.caller).select_related("worker", "assignment")
    if assignment_id := call.get("AssignmentId"):
        assignment = reviewing.assignment_of(call.caller, assignment_id)
        rows, scope = rows.filter(assignment=assignment), f"ListBonusPayments:A{assignment.pk}"
    elif hit_id := call.get("HITId"):
        hit = publishing.hit_of(call.caller, hit_id)
        rows, scope = rows.filter(assignment__hit=hit), f"ListBonusPayments:H{hit.pk}"
    else:
        raise Refusal("ListBonusPayments needs a HITId or an AssignmentId.", "InvalidParameterValue")
    found, response = paging.page(rows, call.params, scope)
    return response | {"BonusPayments": [shapes.bonus(row) for row in found]}


def get_account_balance(call: Call) -> dict:
    """GetAccountBalance"""
    return {
        "AvailableBalance": ledger.dollars(ledger.balance(Book.AVAILABLE, call.caller)),
        "OnHoldBalance": ledger.dollars(ledger.balance(Book.HOLD, call.caller)),
    }


def get_file_upload_url(call: Call) -> dict:
    """GetFileUploadURL: an address for 60 seconds. Uploads ended in 2017, so all it ever says is that there is none."""
    row = reviewing.assignment_of(call.caller, call.params["AssignmentId"])
    if row.status == "Accepted":
        raise wrong_state("Assignment", "Reviewable,Approved,Rejected")
    named = uploads.sign(f"{row.assignment_id}/{call.params['QuestionIdentifier'][:100]}")
    return {"FileUploadURL": f"{settings.MARKETPLACE_PUBLIC_URL}/uploads/{quote(named)}"}


def list_review_policy_results(call: Call) -> dict:
    """ListReviewPolicyResultsForHIT: the policies as given; without results, as agreement is the client's work."""
    hit = publishing.hit_of(call.caller, call.params["HITId"])
    levels = call.get("PolicyLevels") or ["Assignment", "HIT"]
    response: dict = {"HITId": hit.hit_id}
    for level, policy in (("Assignment", hit.assignment_review_policy), ("HIT", hit.hit_review_policy)):
        if policy and level in levels:
            response[f"{level}ReviewPolicy"] = policy
            response[f"{level}ReviewReport"] = {"ReviewResults": [], "ReviewActions": []}
    return response


OPERATIONS = {
    "CreateHITType": create_hit_type,
    "CreateHIT": create_hit,
    "CreateHITWithHITType": create_hit_with_hit_type,
    "GetHIT": get_hit,
    "ListHITs": list_hits,
    "ListReviewableHITs": list_reviewable_hits,
    "CreateAdditionalAssignmentsForHIT": create_additional_assignments,
    "UpdateExpirationForHIT": update_expiration,
    "UpdateHITReviewStatus": update_review_status,
    "UpdateHITTypeOfHIT": update_type,
    "DeleteHIT": delete_hit,
    "ListAssignmentsForHIT": list_assignments,
    "GetAssignment": get_assignment,
    "ApproveAssignment": approve_assignment,
    "RejectAssignment": reject_assignment,
    "SendBonus": send_bonus,
    "ListBonusPayments": list_bonus_payments,
    "GetAccountBalance": get_account_balance,
    "GetFileUploadURL": get_file_upload_url,
    "ListReviewPolicyResultsForHIT": list_review_policy_results,
}
