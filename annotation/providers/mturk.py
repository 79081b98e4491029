"""The Mechanical Turk protocol, spoken with boto3 to whatever address the environment names.

The SDK's own retries are off for calls that change something: with a lost reply it would send the
same call three times, and each attempt must be a row in our ledger. Reads may be retried by the SDK.
"""

from __future__ import annotations

import contextlib
import functools
import re
import xml.sax.saxutils
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime

import boto3
import botocore.exceptions
from botocore.config import Config
from defusedxml import ElementTree
from django.conf import settings
from django.utils import timezone

from annotation.providers.base import (
    HITOffer,
    Refused,
    RemoteAssignment,
    RemoteBonus,
    RemoteHIT,
    Throttled,
    Unclear,
)

EXTERNAL_QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>{url}</ExternalURL><FrameHeight>0</FrameHeight></ExternalQuestion>'
)
DEFINITE_NO = {"RequestError", "ParameterValidationError", "ValidationException", "AccessDeniedException"}
THROTTLES = {"ThrottlingException", "Throttling", "TooManyRequestsException"}
# Answers bigger than this are not ours: a receipt and the copy of one HIT's answers fit many times over.
MOST_ANSWER_CHARACTERS = 1_000_000


class MTurk:
    """A Provider over the protocol of 2017-01-17."""

    def __init__(self, environment: str):
        place = settings.MARKETPLACES[environment]
        if place["real_money"] and not settings.ALLOW_REAL_MONEY:
            raise Refused("RealMoneyOff", f"{environment} pays real money; set ALLOW_REAL_MONEY=1 to allow that")
        self.environment = environment
        common = {
            "service_name": "mturk",
            "region_name": "us-east-1",
            "endpoint_url": place["endpoint"],
            "aws_access_key_id": settings.MTURK_ACCESS_KEY_ID or None,
            "aws_secret_access_key": settings.MTURK_SECRET_ACCESS_KEY or None,
        }
        timeouts = {"connect_timeout": 5, "read_timeout": settings.MTURK_READ_TIMEOUT}
        self._write = boto3.client(**common, config=Config(retries={"total_max_attempts": 1}, **timeouts))
        self._read = boto3.client(
            **common, config=Config(retries={"total_max_attempts": 6, "mode": "standard"}, **timeouts)
        )
        self._hit_types: dict[tuple, str] = {}
        # When the account's HITs were listed last, and what there was by annotation.
        self._listed: tuple[datetime, dict[str, list[RemoteHIT]]] = (datetime.min.replace(tzinfo=UTC), {})

    # --- HITs ---

    def create_hit(self, offer: HITOffer, *, token: str) -> RemoteHIT:
        hit_type = self._hit_type(offer)
        try:
            with outcome_classes():
                answer = self._write.create_hit_with_hit_type(
                    HITTypeId=hit_type,
                    MaxAssignments=offer.max_assignments,
                    LifetimeInSeconds=offer.lifetime_seconds,
                    Question=EXTERNAL_QUESTION.format(url=xml.sax.saxutils.escape(offer.url)),
                    RequesterAnnotation=offer.annotation,
                    UniqueRequestToken=token,
                )
            return _remote_hit(answer["HIT"])
        except Refused as refusal:
            if not refusal.code.endswith("HitAlreadyExists"):
                raise
            # The token did its work: an earlier send took effect. The message names the HIT, in a
            # form that nobody promised, so the annotation is the fallback.
            return self._existing_hit(str(refusal), offer.annotation)

    def _existing_hit(self, message: str, annotation: str) -> RemoteHIT:
        for hit_id in re.findall(r"\b[A-Z0-9]{30}\b", message):
            with contextlib.suppress(Refused):
                hit = self.get_hit(hit_id)
                if hit.annotation == annotation:
                    return hit
        try:
            found = next((hit for hit in self.list_hits() if hit.annotation == annotation), None)
        except Refused as refusal:
            raise Unclear(f"the marketplace says that the HIT exists, but shows no list: {refusal}") from refusal
        if found:
            return found
        raise Unclear(f"the marketplace says that the HIT exists, but does not list {annotation}")

    def _hit_type(self, offer: HITOffer) -> str:
        """Content-addressed by the marketplace: the same values give the same id, so asking twice does no harm."""
        values = (
            offer.title,
            offer.description,
            offer.keywords,
            offer.reward_cents,
            offer.seconds_allowed,
            offer.auto_approval_seconds,
            repr(offer.requirements),
        )
        if values not in self._hit_types:
            with outcome_classes():
                answer = self._write.create_hit_type(
                    Title=offer.title,
                    Description=offer.description,
                    Keywords=offer.keywords,
                    Reward=dollars(offer.reward_cents),
                    AssignmentDurationInSeconds=offer.seconds_allowed,
                    AutoApprovalDelayInSeconds=offer.auto_approval_seconds,
                    QualificationRequirements=offer.requirements,
                )
            self._hit_types[values] = answer["HITTypeId"]
        return self._hit_types[values]

    def expire_hit(self, hit_id: str) -> None:
        # The epoch, not "now": the marketplace turns "now" into a negative increment and refuses some of them.
        with outcome_classes():
            self._write.update_expiration_for_hit(HITId=hit_id, ExpireAt=datetime(1970, 1, 1, tzinfo=UTC))

    def get_hit(self, hit_id: str) -> RemoteHIT:
        with outcome_classes():
            return _remote_hit(self._read.get_hit(HITId=hit_id)["HIT"])

    def list_hits(self) -> Iterator[RemoteHIT]:
        for row in self._pages("list_hits", "HITs"):
            yield _remote_hit(row)

    def find_hits(self, annotation: str, *, since: datetime) -> list[RemoteHIT]:
        """The HITs with this annotation, as listed no earlier than `since`: many who look share one listing."""
        begun, listed = self._listed
        if begun < since:
            begun, listed = timezone.now(), defaultdict(list)
            for hit in self.list_hits():
                listed[hit.annotation].append(hit)
            self._listed = begun, listed
        return listed.get(annotation, [])

    # --- Assignments and money ---

    def list_assignments(self, hit_id: str) -> Iterator[RemoteAssignment]:
        for row in self._pages("list_assignments_for_hit", "Assignments", HITId=hit_id):
            yield _remote_assignment(row)

    def get_assignment(self, assignment_id: str) -> RemoteAssignment:
        with outcome_classes():
            return _remote_assignment(self._read.get_assignment(AssignmentId=assignment_id)["Assignment"])

    def approve(self, assignment_id: str, *, feedback: str, override: bool) -> None:
        extra = {"RequesterFeedback": feedback} if feedback else {}
        with outcome_classes():
            self._write.approve_assignment(AssignmentId=assignment_id, OverrideRejection=override, **extra)

    def reject(self, assignment_id: str, *, reason: str) -> None:
        with outcome_classes():
            self._write.reject_assignment(AssignmentId=assignment_id, RequesterFeedback=reason)

    def send_bonus(self, assignment_id: str, *, worker_id: str, cents: int, reason: str, token: str) -> None:
        with outcome_classes():
            self._write.send_bonus(
                AssignmentId=assignment_id,
                WorkerId=worker_id,
                BonusAmount=dollars(cents),
                Reason=reason,
                UniqueRequestToken=token,
            )

    def list_bonuses(self, assignment_id: str) -> Iterator[RemoteBonus]:
        for row in self._pages("list_bonus_payments", "BonusPayments", AssignmentId=assignment_id):
            yield RemoteBonus(row["AssignmentId"], row["WorkerId"], cents(row["BonusAmount"]), row.get("Reason", ""))

    def balance_cents(self) -> int:
        with outcome_classes():
            return cents(self._read.get_account_balance()["AvailableBalance"])

    # --- Qualifications and messages ---

    def create_qualification(self, *, name: str, description: str, keywords: str) -> str:
        with outcome_classes():
            answer = self._write.create_qualification_type(
                Name=name, Description=description, Keywords=keywords, QualificationTypeStatus="Active"
            )
        return answer["QualificationType"]["QualificationTypeId"]

    def find_qualification(self, name: str) -> str | None:
        """The id of our own type with exactly this name. The listing lags at some marketplaces."""
        asked = {"Query": name.rsplit(maxsplit=1)[-1], "MustBeOwnedByCaller": True, "MustBeRequestable": False}
        rows = self._pages("list_qualification_types", "QualificationTypes", **asked)
        return next((row["QualificationTypeId"] for row in rows if row["Name"] == name), None)

    def grant(self, type_id: str, *, worker_id: str, value: int) -> None:
        # What it means for the worker we say ourselves, in words; the marketplace's own note would only name a number.
        with outcome_classes():
            self._write.associate_qualification_with_worker(
                QualificationTypeId=type_id, WorkerId=worker_id, IntegerValue=value, SendNotification=False
            )

    def revoke(self, type_id: str, *, worker_id: str, reason: str) -> None:
        with outcome_classes():
            self._write.disassociate_qualification_from_worker(
                QualificationTypeId=type_id, WorkerId=worker_id, Reason=reason
            )

    def score(self, type_id: str, *, worker_id: str) -> int | None:
        """A worker's value in a type; None where they hold none, or hold it no longer."""
        try:
            with outcome_classes():
                answer = self._read.get_qualification_score(QualificationTypeId=type_id, WorkerId=worker_id)
        except Throttled:
            raise
        except Refused as refusal:
            if refusal.code.endswith(("QualificationDoesNotExist", "InvalidQualificationState")):
                return None
            raise
        found = answer["Qualification"]
        return found.get("IntegerValue", 1) if found.get("Status", "Granted") == "Granted" else None

    def list_requests(self, type_id: str) -> Iterator[tuple[str, str]]:
        """Who waits for a qualification that they asked for: (request id, worker id)."""
        for row in self._pages("list_qualification_requests", "QualificationRequests", QualificationTypeId=type_id):
            yield row["QualificationRequestId"], row["WorkerId"]

    def answer_request(self, request_id: str, *, reason: str) -> None:
        """Closes a request without granting it; the worker reads the reason."""
        with outcome_classes():
            self._write.reject_qualification_request(QualificationRequestId=request_id, Reason=reason)

    def notify(self, worker_id: str, *, subject: str, text: str) -> None:
        """Sends one worker a message. Who can't be reached is part of the marketplace's answer, not an error of it."""
        with outcome_classes():
            answer = self._write.notify_workers(Subject=subject, MessageText=text, WorkerIds=[worker_id])
        for failure in answer.get("NotifyWorkersFailureStatuses", []):
            code = failure.get("NotifyWorkersFailureCode", "")
            message = failure.get("NotifyWorkersFailureMessage", "the worker was not reached")
            if code == "SoftFailure":
                raise Throttled(code, message)
            raise Refused(code, message)

    def _pages(self, operation: str, key: str, **request) -> Iterator[dict]:
        """Every row of a listing. Stops at the first page without a token or without rows (both habits exist)."""
        token = {}
        while True:
            with outcome_classes():
                page = getattr(self._read, operation)(MaxResults=100, **request, **token)
            yield from page.get(key, [])
            if not page.get(key) or not page.get("NextToken"):
                return
            token = {"NextToken": page["NextToken"]}


@contextlib.contextmanager
def outcome_classes() -> Iterator[None]:
    """Sorts what an SDK call can raise into Refused (nothing happened) and Unclear (it may have)."""
    try:
        yield
    except botocore.exceptions.ClientError as error:
        said = error.response.get("Error", {})
        code, message = said.get("Code", ""), said.get("Message", str(error))
        detail = error.response.get("TurkErrorCode", "") or code
        if code in THROTTLES:
            raise Throttled(detail, message) from error
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if code in DEFINITE_NO or 400 <= status < 500:
            raise Refused(detail, message) from error
        raise Unclear(f"{code}: {message}") from error
    except (botocore.exceptions.ParamValidationError, botocore.exceptions.NoCredentialsError) as error:
        raise Refused("NotSent", str(error)) from error
    except botocore.exceptions.EndpointConnectionError as error:
        # Nothing listens there: the request never left this machine.
        raise Throttled("NotReachable", str(error)) from error
    except botocore.exceptions.BotoCoreError as error:
        raise Unclear(f"{type(error).__name__}: {error}") from error


def dollars(amount: int) -> str:
    """Cents as the protocol writes money: 107 → "1.07"."""
    return f"{amount // 100}.{amount % 100:02d}"


def cents(text: str) -> int:
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int((part + "00")[:2])


def _remote_hit(row: dict) -> RemoteHIT:
    return RemoteHIT(
        row["HITId"],
        row.get("HITStatus", ""),
        row.get("RequesterAnnotation", ""),
        row.get("MaxAssignments", 0),
        row.get("Expiration"),
        row.get("CreationTime"),
        row.get("NumberOfAssignmentsAvailable", 0),
        row.get("NumberOfAssignmentsCompleted", 0),
    )


def _remote_assignment(row: dict) -> RemoteAssignment:
    return RemoteAssignment(
        row["AssignmentId"],
        row["WorkerId"],
        row["HITId"],
        row["AssignmentStatus"],
        row.get("SubmitTime"),
        row.get("AutoApprovalTime"),
        read_answer(row.get("Answer", "")),
    )


def read_answer(document: str) -> dict[str, str]:
    """Field name → text of a QuestionFormAnswers document; {} where it can't be read. Entities are refused."""
    if not document or len(document) > MOST_ANSWER_CHARACTERS:
        return {}
    try:
        root = ElementTree.fromstring(document.encode())
    except (ElementTree.ParseError, ValueError):
        return {}
    answers = {}
    for answer in root.iterfind("{*}Answer"):
        name = answer.findtext("{*}QuestionIdentifier") or ""
        answers.setdefault(name, answer.findtext("{*}FreeText") or "")
    return answers


@functools.cache
def connect(environment: str) -> MTurk:
    """The marketplace that an environment names. Raises Refused where it pays real money and that is not allowed."""
    if environment not in settings.MARKETPLACES:
        raise Refused("NoSuchMarketplace", f"no marketplace {environment!r}: {', '.join(settings.MARKETPLACES)}")
    return MTurk(environment)
