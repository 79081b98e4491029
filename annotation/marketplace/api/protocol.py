"""The wire: JSON 1.1 in, JSON 1.1 out, errors that boto3 turns into typed exceptions."""

import json
import logging
import uuid

from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.request import UnreadablePostError

from annotation.marketplace import clock, faults, sweep
from annotation.marketplace.api import hits, model, people, signatures, throttle
from annotation.marketplace.errors import Malformed, Refusal

log = logging.getLogger(__name__)

TARGET = "MTurkRequesterServiceV20170117."
CONTENT_TYPE = "application/x-amz-json-1.1"
MOST_BYTES = 1_048_576
DEEPEST = 32
OPERATIONS = hits.OPERATIONS | people.OPERATIONS


class UnknownOperation(Refusal):
    """`X-Amz-Target` names nothing that this service does."""

    kind = "UnknownOperationException"


def respond(request: HttpRequest) -> HttpResponse:
    """Answer one call of the requester API."""
    request_id = str(uuid.uuid4())
    try:
        response = _reply(answer(request, request_id), 200)
    except Refusal as refusal:
        response = _reply(error_body(refusal), 400)
    except faults.Struck as struck:
        response = faults.spoiled(request, struck)
    except DatabaseError as error:
        log.exception("The database failed during a call: %s", type(error).__name__)
        response = _reply(fault_body(), 500)
    except Exception:
        log.exception("A call failed in a way it should not")
        response = _reply(fault_body(), 500)
    response["x-amzn-RequestId"] = request_id
    return response


def answer(request: HttpRequest, request_id: str) -> dict:
    """Check the call, do it, check the answer."""
    target = request.headers.get("X-Amz-Target", "")
    operation = target.removeprefix(TARGET)
    body = _body(request)
    caller = signatures.caller_of(request, body)
    if not target.startswith(TARGET) or operation not in OPERATIONS:
        raise UnknownOperation(f"X-Amz-Target {target[:100]!r} is not an operation of {TARGET}")
    params = model.check_request(operation, _json(body))
    throttle.spend(caller)
    faults.strike(request, caller, operation, "before")
    sweep.bring_up_to_date()
    result = OPERATIONS[operation](hits.Call(caller, params, request_id))
    faults.strike(request, caller, operation, "after")
    return _encodable(operation, result)


def _encodable(operation: str, result: dict) -> dict:
    # Checked as the client will read it; times leave as the numbers they are.
    model.check_response(operation, result)
    return result


def _body(request: HttpRequest) -> bytes:
    try:
        length = int(request.headers.get("Content-Length") or 0)
        if length > MOST_BYTES:
            raise RequestDataTooBig
        return request.body
    except (RequestDataTooBig, ValueError) as error:
        raise Malformed(f"The request is too large: at most {MOST_BYTES} bytes.") from error
    except UnreadablePostError as error:
        raise Malformed("The request's body ended early.") from error


def _json(body: bytes) -> dict:
    if not body.strip():
        return {}
    if body.count(b"[") + body.count(b"{") > DEEPEST and _depth(body) > DEEPEST:
        raise model.WrongType(f"The request is nested more than {DEEPEST} levels deep.")
    try:
        read = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise model.WrongType(f"The request is not JSON in UTF-8: {str(error)[:200]}") from error
    if not isinstance(read, dict):
        raise model.WrongType(f"The request must be a JSON object, found {type(read).__name__}.")
    return read


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _depth(body: bytes) -> int:
    """How deep brackets nest, strings left out; read before the parser so that nothing can exhaust it."""
    deepest = depth = 0
    inside = escaped = False
    for byte in body:
        if inside:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                inside = False
        elif byte == 0x22:
            inside = True
        elif byte in (0x5B, 0x7B):
            depth += 1
            deepest = max(deepest, depth)
            if deepest > DEEPEST:
                break
        elif byte in (0x5D, 0x7D):
            depth -= 1
    return deepest


def error_body(refusal: Refusal) -> dict:
    """A refusal as the service words it: the message ends with the time in milliseconds."""
    message = f"{refusal.message} ({int(clock.now().timestamp() * 1000)})"
    body = {"__type": refusal.kind, "Message": message, "message": message}
    return body | ({"TurkErrorCode": refusal.code} if refusal.code else {})


def fault_body() -> dict:
    """Our own fault: worth trying again."""
    message = f"The service could not answer; try again. ({int(clock.now().timestamp() * 1000)})"
    return {"__type": "ServiceFault", "Message": message, "message": message, "TurkErrorCode": "AWS.ServerError"}


def _reply(body: dict, status: int) -> HttpResponse:
    return HttpResponse(json.dumps(body), status=status, content_type=CONTENT_TYPE)
