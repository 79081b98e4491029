"""Custom qualifications: types, grants, requests, tests."""

from datetime import timedelta

from django.db import IntegrityError, transaction

from annotation.marketplace import answerkeys, answers, clock, documents, forms, messaging
from annotation.marketplace.errors import OutOfRange, Refusal, does_not_exist, not_yours, wrong_state
from annotation.marketplace.limits import at_most, in_range
from annotation.marketplace.models import Account, Qualification, QualificationRequest, QualificationType
from annotation.marketplace.requirements import SYSTEM_TYPES

LONGEST_TEST = 31_536_000
LONGEST_RETRY = 3_153_600_000  # a hundred years; after some thousands there is no date any more
GRACE = timedelta(seconds=30)  # a test in the post when the time ends still counts


def type_of(requester: Account, type_id: str, *, for_update: bool = False) -> QualificationType:
    """One of the requester's own qualification types."""
    kind = any_type(type_id, for_update=for_update)
    if kind.requester_id != requester.pk:
        raise not_yours("QualificationType", type_id)
    return kind


def any_type(type_id: str, *, for_update: bool = False) -> QualificationType:
    """Anybody's qualification type that was not deleted."""
    if type_id in SYSTEM_TYPES:
        raise Refusal(f"QualificationType {type_id} belongs to the marketplace itself.", "PermissionDenied")
    rows = QualificationType.objects.filter(deleted_at__isnull=True)
    kind = (rows.select_for_update() if for_update else rows).filter(type_id=type_id).first()
    if kind is None:
        raise does_not_exist("QualificationType", type_id, "QualificationType")
    return kind


def read_test(test: str) -> forms.Form:
    """The questions of a test; only a QuestionForm can be one."""
    root = documents.parse(test, "Test")
    if documents.local_name(root) != "QuestionForm":
        raise Refusal(f"Test must be a QuestionForm; found {documents.local_name(root)}.", "XMLParseError")
    return forms.read(root)


def _check(kind: QualificationType) -> None:
    at_most("Description", kind.description, 2000)
    if not kind.description.strip():
        raise OutOfRange("The value of Description is invalid: it is empty.")
    if kind.retry_delay is not None:
        in_range("RetryDelayInSeconds", kind.retry_delay, 0, LONGEST_RETRY)
    if kind.test:
        if kind.test_duration is None:
            raise OutOfRange("TestDurationInSeconds is required when a Test is given.")
        if kind.auto_granted:
            raise OutOfRange("AutoGranted must not be true when a Test is given: the test decides.")
        in_range("TestDurationInSeconds", kind.test_duration, 1, LONGEST_TEST)
        form = read_test(kind.test)
        if kind.answer_key:
            answerkeys.read(kind.answer_key, form)
    elif kind.answer_key:
        raise OutOfRange("AnswerKey needs a Test.")


def create_type(*, requester: Account, name: str, **fields: object) -> QualificationType:
    """Make a qualification type; a requester's names are unique."""
    if not name.strip():
        raise OutOfRange("The value of Name is invalid: it is empty.")
    at_most("Name", name, 200)
    kind = QualificationType(requester=requester, name=name, **fields)
    at_most("Keywords", kind.keywords, 1000)
    if kind.test_duration is not None and not kind.test:
        raise OutOfRange("TestDurationInSeconds needs a Test.")
    _check(kind)
    try:
        with transaction.atomic():
            kind.save()
    except IntegrityError as error:
        raise Refusal(
            f"You have already created a QualificationType with this name: {name}.", "QualificationTypeAlreadyExists"
        ) from error
    return kind


@transaction.atomic
def update_type(*, requester: Account, type_id: str, **changes: object) -> QualificationType:
    """Change a type. A test can be replaced but not removed; retries can be allowed but not forbidden."""
    kind = type_of(requester, type_id, for_update=True)
    if ("answer_key" in changes or "test_duration" in changes) and "test" not in changes:
        raise OutOfRange("To change AnswerKey or TestDurationInSeconds, send the Test as well.")
    if "test" in changes and "test_duration" not in changes:
        raise OutOfRange("TestDurationInSeconds is required when a Test is given.")
    if "test" in changes:
        changes.setdefault("answer_key", "")
    for name, value in changes.items():
        setattr(kind, name, value)
    _check(kind)
    kind.save()
    return kind


@transaction.atomic
def delete_type(*, requester: Account, type_id: str) -> None:
    """Take a type out of use; open requests are rejected, scores stay on record."""
    kind = type_of(requester, type_id, for_update=True)
    kind.deleted_at = clock.now()
    kind.save(update_fields=["deleted_at"])
    open_ones = kind.requests.filter(status__in=("Testing", "Pending"))
    open_ones.update(status="Rejected", reason="The qualification was deleted.")


def _grant(kind: QualificationType, worker: Account, value: int) -> Qualification:
    granted, _ = Qualification.objects.update_or_create(
        qualification_type=kind,
        worker=worker,
        defaults={"value": value, "status": "Granted", "reason": "", "granted_at": clock.now()},
    )
    return granted


@transaction.atomic
def associate(*, requester: Account, type_id: str, worker_id: str, value: int = 1, notify: bool = True) -> None:
    """Give a worker a score, replacing the one they have."""
    kind, worker = type_of(requester, type_id), messaging.worker_of(worker_id)
    _grant(kind, worker, value)
    if notify:
        body = f"You have been granted the qualification “{kind.name}” with the value {value}."
        messaging.send(sender=requester, recipient=worker, subject=f"Qualification: {kind.name}", body=body)


@transaction.atomic
def disassociate(*, requester: Account, type_id: str, worker_id: str, reason: str = "") -> None:
    """Take a score away, with a reason that the worker can read."""
    kind, worker = type_of(requester, type_id), messaging.worker_of(worker_id)
    granted = _score(kind, worker)
    if granted.status != "Granted":
        raise wrong_state("Qualification", "Granted")
    granted.status, granted.reason = "Revoked", reason
    granted.save()


def _score(kind: QualificationType, worker: Account) -> Qualification:
    granted = Qualification.objects.filter(qualification_type=kind, worker=worker).first()
    if granted is None:
        raise Refusal(
            f"A Qualification of type {kind.type_id} for worker {worker.customer_id} does not exist.",
            "QualificationDoesNotExist",
        )
    return granted


def score(*, requester: Account, type_id: str, worker_id: str) -> Qualification:
    """A worker's score, or a refusal that says whether there is none or it was revoked."""
    granted = _score(type_of(requester, type_id), messaging.worker_of(worker_id))
    if granted.status != "Granted":
        raise wrong_state("Qualification", "Granted")
    return granted


def _request_of(requester: Account, request_id: str) -> QualificationRequest:
    rows = QualificationRequest.objects.select_related("qualification_type", "worker").select_for_update(of=("self",))
    request = rows.filter(request_id=request_id).exclude(status="Testing").first()
    if request is None:
        raise does_not_exist("QualificationRequest", request_id[:64], "QualificationRequest")
    if request.qualification_type.requester_id != requester.pk:
        raise not_yours("QualificationRequest", request_id)
    if request.status != "Pending":
        raise wrong_state("QualificationRequest", "Pending")
    return request


@transaction.atomic
def accept_request(*, requester: Account, request_id: str, value: int = 1) -> None:
    """Grant what a worker asked for."""
    request = _request_of(requester, request_id)
    request.status = "Granted"
    request.save(update_fields=["status"])
    _grant(request.qualification_type, request.worker, value)


@transaction.atomic
def reject_request(*, requester: Account, request_id: str, reason: str = "") -> None:
    """Turn a worker's request down; a score they have stays."""
    request = _request_of(requester, request_id)
    request.status, request.reason = "Rejected", reason
    request.save(update_fields=["status", "reason"])


def next_try_at(kind: QualificationType, worker: Account):
    """When this worker may ask again: now (None), at a time, or never (a refusal)."""
    last = kind.requests.filter(worker=worker).exclude(status__in=("Testing", "Pending")).order_by("-id").first()
    if last is None:
        return None
    if kind.retry_delay is None:
        raise Refusal(
            "This qualification can be asked for once only, and you have.", "QualificationTypeDoesNotAllowRetake"
        )
    return (last.submitted_at or last.started_at) + timedelta(seconds=kind.retry_delay)


@transaction.atomic
def ask(*, worker: Account, kind: QualificationType) -> QualificationRequest:
    """A worker asks for a qualification; with a test, this starts it."""
    kind = any_type(kind.type_id, for_update=True)
    if kind.status != "Active":
        raise Refusal("This qualification cannot be asked for at present.", "InvalidQualificationTypeState")
    lapse(worker=worker, kind=kind)
    if open_one := kind.requests.filter(worker=worker, status__in=("Testing", "Pending")).first():
        return open_one
    again = next_try_at(kind, worker)
    if again and again > clock.now():
        raise Refusal(
            f"You can ask for this qualification again from {again:%d %B %Y, %H:%M} UTC.",
            "QualificationTypeRetryDelayNotElapsed",
        )
    status = "Testing" if kind.test else "Granted" if kind.auto_granted else "Pending"
    request = QualificationRequest.objects.create(
        qualification_type=kind,
        worker=worker,
        status=status,
        test=kind.test,
        started_at=clock.now(),
        submitted_at=None if kind.test else clock.now(),
    )
    if status == "Granted":
        _grant(kind, worker, kind.auto_granted_value)
    return request


def ends_at(request: QualificationRequest):
    """When the time for a test is over."""
    return request.started_at + timedelta(seconds=request.qualification_type.test_duration or 0)


def lapse(*, worker: Account, kind: QualificationType) -> None:
    """Close a test whose time is over without an answer."""
    for request in kind.requests.filter(worker=worker, status="Testing"):
        if clock.now() > ends_at(request) + GRACE:
            request.status, request.reason = "Lapsed", "The time for the test was over."
            request.save(update_fields=["status", "reason"])


@transaction.atomic
def hand_in_test(*, request: QualificationRequest, given: forms.Given) -> QualificationRequest:
    """Take the answers to a test and, where there is a key, score them at once."""
    rows = QualificationRequest.objects.select_related("qualification_type", "worker").select_for_update(of=("self",))
    request = rows.get(pk=request.pk)
    if request.status != "Testing":
        raise Refusal("These answers were handed in already.", "InvalidQualificationRequestState")
    if clock.now() > ends_at(request) + GRACE:
        raise Refusal("The time for this test was over, so the answers were not taken.")
    kind = request.qualification_type
    request.answer, request.submitted_at, request.status = answers.write_form(given), clock.now(), "Pending"
    if kind.answer_key:
        request.status = "Granted"
        _grant(kind, request.worker, answerkeys.score(answerkeys.read(kind.answer_key, read_test(request.test)), given))
    request.save()
    return request
