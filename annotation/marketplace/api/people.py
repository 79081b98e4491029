"""Operations on workers, qualifications and notifications."""

from django.db.models import Q

from annotation.marketplace import messaging, notifications, qualifying, registering, requirements, states
from annotation.marketplace.api import paging, shapes
from annotation.marketplace.api.hits import Call, hits_page
from annotation.marketplace.errors import OutOfRange, Refusal
from annotation.marketplace.finding import MOST_WORDS
from annotation.marketplace.models import (
    HIT,
    HITType,
    Qualification,
    QualificationRequest,
    QualificationType,
    WorkerBlock,
)

FIELDS = {
    "Description": "description",
    "Keywords": "keywords",
    "QualificationTypeStatus": "status",
    "RetryDelayInSeconds": "retry_delay",
    "Test": "test",
    "TestDurationInSeconds": "test_duration",
    "AnswerKey": "answer_key",
    "AutoGranted": "auto_granted",
    "AutoGrantedValue": "auto_granted_value",
}


def _fields(call: Call) -> dict:
    return {field: call.params[name] for name, field in FIELDS.items() if name in call.params}


def create_qualification_type(call: Call) -> dict:
    """CreateQualificationType"""
    kind = qualifying.create_type(requester=call.caller, name=call.params["Name"], **_fields(call))
    return {"QualificationType": shapes.qualification_type(kind, own=True)}


def update_qualification_type(call: Call) -> dict:
    """UpdateQualificationType"""
    kind = qualifying.update_type(requester=call.caller, type_id=call.params["QualificationTypeId"], **_fields(call))
    return {"QualificationType": shapes.qualification_type(kind, own=True)}


def get_qualification_type(call: Call) -> dict:
    """GetQualificationType"""
    type_id = call.params["QualificationTypeId"]
    if system := requirements.SYSTEM_TYPES.get(type_id):
        return {"QualificationType": shapes.system_type(system)}
    kind = qualifying.any_type(type_id)
    own = kind.requester_id == call.caller.pk
    return {"QualificationType": shapes.qualification_type(kind, own=own)}


def list_qualification_types(call: Call) -> dict:
    """ListQualificationTypes: by name and keywords; the marketplace's own types are not in the list."""
    rows = QualificationType.objects.filter(deleted_at__isnull=True)
    own, query = call.get("MustBeOwnedByCaller", False), call.get("Query", "")
    if own:
        rows = rows.filter(requester=call.caller)
    if call.params["MustBeRequestable"]:
        rows = rows.filter(status="Active")
    for word in query.split()[:MOST_WORDS]:
        rows = rows.filter(Q(name__icontains=word) | Q(keywords__icontains=word))
    scope = f"ListQualificationTypes:{own}:{call.params['MustBeRequestable']}:{query[:60]}"
    found, response = paging.page(rows, call.params, scope)
    shown = [shapes.qualification_type(kind, own=kind.requester_id == call.caller.pk) for kind in found]
    return response | {"QualificationTypes": shown}


def delete_qualification_type(call: Call) -> dict:
    """DeleteQualificationType"""
    qualifying.delete_type(requester=call.caller, type_id=call.params["QualificationTypeId"])
    return {}


def associate(call: Call) -> dict:
    """AssociateQualificationWithWorker"""
    qualifying.associate(
        requester=call.caller,
        type_id=call.params["QualificationTypeId"],
        worker_id=call.params["WorkerId"],
        value=call.get("IntegerValue", 1),
        notify=call.get("SendNotification", True),
    )
    return {}


def disassociate(call: Call) -> dict:
    """DisassociateQualificationFromWorker"""
    qualifying.disassociate(
        requester=call.caller,
        type_id=call.params["QualificationTypeId"],
        worker_id=call.params["WorkerId"],
        reason=call.get("Reason", ""),
    )
    return {}


def get_score(call: Call) -> dict:
    """GetQualificationScore"""
    row = qualifying.score(
        requester=call.caller, type_id=call.params["QualificationTypeId"], worker_id=call.params["WorkerId"]
    )
    return {"Qualification": shapes.qualification(row)}


def list_workers_with_type(call: Call) -> dict:
    """ListWorkersWithQualificationType"""
    kind = qualifying.type_of(call.caller, call.params["QualificationTypeId"])
    status = call.get("Status", "Granted")
    rows = Qualification.objects.filter(qualification_type=kind, status=status)
    rows = rows.select_related("worker", "qualification_type")
    found, response = paging.page(rows, call.params, f"ListWorkersWithQualificationType:{kind.pk}:{status}")
    return response | {"Qualifications": [shapes.qualification(row) for row in found]}


def list_hits_for_type(call: Call) -> dict:
    """ListHITsForQualificationType: the caller's HITs that ask for it."""
    type_id = call.params["QualificationTypeId"]
    if type_id not in requirements.SYSTEM_TYPES:
        qualifying.any_type(type_id)
    own = HITType.objects.filter(requester=call.caller).values_list("pk", "requirements")
    asking = [pk for pk, asked in own if any(r["QualificationTypeId"] == type_id for r in asked)]
    rows = HIT.objects.filter(hit_type__in=asking).exclude(status=states.DISPOSED)
    return hits_page(call, rows, f"ListHITsForQualificationType:{type_id}")


def list_requests(call: Call) -> dict:
    """ListQualificationRequests: what waits for a decision."""
    rows = QualificationRequest.objects.filter(qualification_type__requester=call.caller, status="Pending")
    type_id = call.get("QualificationTypeId", "")
    if type_id:
        rows = rows.filter(qualification_type=qualifying.type_of(call.caller, type_id))
    rows = rows.select_related("qualification_type", "worker")
    found, response = paging.page(rows, call.params, f"ListQualificationRequests:{type_id}")
    return response | {"QualificationRequests": [shapes.qualification_request(row) for row in found]}


def accept_request(call: Call) -> dict:
    """AcceptQualificationRequest"""
    qualifying.accept_request(
        requester=call.caller,
        request_id=call.params["QualificationRequestId"],
        value=call.get("IntegerValue", 1),
    )
    return {}


def reject_request(call: Call) -> dict:
    """RejectQualificationRequest"""
    qualifying.reject_request(
        requester=call.caller, request_id=call.params["QualificationRequestId"], reason=call.get("Reason", "")
    )
    return {}


def notify_workers(call: Call) -> dict:
    """NotifyWorkers: those not reached are members of the answer, not an error."""
    failures = messaging.notify_workers(
        requester=call.caller,
        subject=call.params["Subject"],
        body=call.params["MessageText"],
        worker_ids=call.params["WorkerIds"],
    )
    statuses = [
        {
            "NotifyWorkersFailureCode": "HardFailure",
            "NotifyWorkersFailureMessage": reason,
            "WorkerId": worker_id,
        }
        for worker_id, reason in failures
    ]
    return {"NotifyWorkersFailureStatuses": statuses}


def create_worker_block(call: Call) -> dict:
    """CreateWorkerBlock"""
    worker = messaging.worker_of(call.params["WorkerId"])
    messaging.block(requester=call.caller, worker=worker, reason=call.params["Reason"])
    return {}


def delete_worker_block(call: Call) -> dict:
    """DeleteWorkerBlock: succeeds when there is none."""
    messaging.unblock(requester=call.caller, worker=messaging.worker_of(call.params["WorkerId"]))
    return {}


def list_worker_blocks(call: Call) -> dict:
    """ListWorkerBlocks"""
    rows = WorkerBlock.objects.filter(requester=call.caller).select_related("worker")
    found, response = paging.page(rows, call.params, "ListWorkerBlocks")
    shown = [{"WorkerId": row.worker.customer_id, "Reason": row.reason} for row in found]
    return response | {"WorkerBlocks": shown}


def update_notification_settings(call: Call) -> dict:
    """UpdateNotificationSettings: a HIT type has one specification; a new one replaces it."""
    kind = registering.type_of(call.caller, call.params["HITTypeId"])
    specification, active = call.get("Notification"), call.get("Active")
    if specification is None and active is None:
        raise Refusal("UpdateNotificationSettings needs Notification or Active.", "InvalidParameterValue")
    if specification is not None:
        notifications.check(specification)
        if "Ping" in specification["EventTypes"]:
            raise OutOfRange("The event type Ping is for SendTestEventNotification only.")
        kind.notification = specification
        kind.notification_active = True
    if active is not None:
        if active and not kind.notification:
            raise Refusal("This HIT type has no notification specification to activate.", "InvalidParameterValue")
        kind.notification_active = active
    kind.save(update_fields=["notification", "notification_active"])
    return {}


def send_test_event(call: Call) -> dict:
    """SendTestEventNotification"""
    specification, event = call.params["Notification"], call.params["TestEventType"]
    notifications.check(specification)
    notifications.test(call.caller, specification, event)
    return {}


OPERATIONS = {
    "CreateQualificationType": create_qualification_type,
    "UpdateQualificationType": update_qualification_type,
    "GetQualificationType": get_qualification_type,
    "ListQualificationTypes": list_qualification_types,
    "DeleteQualificationType": delete_qualification_type,
    "AssociateQualificationWithWorker": associate,
    "DisassociateQualificationFromWorker": disassociate,
    "GetQualificationScore": get_score,
    "ListWorkersWithQualificationType": list_workers_with_type,
    "ListHITsForQualificationType": list_hits_for_type,
    "ListQualificationRequests": list_requests,
    "AcceptQualificationRequest": accept_request,
    "RejectQualificationRequest": reject_request,
    "NotifyWorkers": notify_workers,
    "CreateWorkerBlock": create_worker_block,
    "DeleteWorkerBlock": delete_worker_block,
    "ListWorkerBlocks": list_worker_blocks,
    "UpdateNotificationSettings": update_notification_settings,
    "SendTestEventNotification": send_test_event,
}
