"""Faults on purpose, for testing what talks to this marketplace. Never in production.

A plan belongs to a requester's account (operator's page) or to one call (header `X-Fault-Plan`, JSON):

    {"rules": [{"operation": "CreateHIT", "when": "after", "how": "500", "times": 2, "seconds": 5}],
     "submit_lag": 60, "list_lag": 60,
     "events": {"lose": false, "double": true, "delay": 30, "reorder": true},
     "amp_keys": true, "missing_submit_to": true, "keep_ids": false}

`operation` may be `*`; `when` is `before` or `after` the effect; `how` is one of `HOWS`; a rule without
`times` stays. The header may also hold one rule alone.
"""

import json
import secrets
import socket
import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse

from annotation.marketplace.errors import OutOfRange, Refusal
from annotation.marketplace.models import Account

HEADER = "X-Fault-Plan"
HOWS = ("refuse", "reset", "timeout", "500", "503", "throttle", "insufficient_funds")
SWITCHES = {"rules", "submit_lag", "list_lag", "events", "amp_keys", "missing_submit_to", "keep_ids"}
EVENT_SWITCHES = {"lose", "double", "delay", "reorder"}
LONGEST_SLEEP = 120
MOST = 10_000_000  # of any number in a plan: a hundred days, in seconds


@dataclass
class Struck(Exception):
    """A fault that has no words of the service: a broken connection, a server error."""

    how: str
    seconds: float = 0


class Throttled(Refusal):
    """Too many calls."""

    kind = "ThrottlingException"

    def __init__(self) -> None:
        super().__init__("Rate exceeded")


def allowed() -> bool:
    """Only where nobody's money or work can be hurt: tests, debugging, the embedded set-up at home."""
    at_home = settings.EMBEDDED and connection.vendor == "sqlite" and not settings.HTTPS
    return settings.TESTING or settings.DEBUG or at_home


def read(text: str) -> dict:
    """A plan as typed, checked."""
    try:
        plan = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise OutOfRange(f"A fault plan is a JSON object; {error}.") from error
    if not isinstance(plan, dict):
        raise OutOfRange(f"A fault plan is a JSON object; found {type(plan).__name__}.")
    if "operation" in plan:
        plan = {"rules": [plan]}
    if unknown := set(plan) - SWITCHES:
        raise OutOfRange(f"A fault plan knows {', '.join(sorted(SWITCHES))}; found {', '.join(sorted(unknown))}.")
    rules, events = plan.get("rules", []), plan.get("events", {})
    if not isinstance(rules, list) or not isinstance(events, dict):
        raise OutOfRange("The rules of a fault plan are a list, its events an object.")
    for rule in rules:
        _check_rule(rule)
    if unknown := set(events) - EVENT_SWITCHES:
        raise OutOfRange(
            f"Faults of events are {', '.join(sorted(EVENT_SWITCHES))}; found {', '.join(sorted(unknown))}."
        )
    _check_numbers(plan, "submit_lag", "list_lag")
    _check_numbers(events, "delay")
    return plan


def _check_rule(rule: object) -> None:
    fits = isinstance(rule, dict) and rule.get("how") in HOWS and rule.get("when", "before") in ("before", "after")
    if not fits or not isinstance(rule.get("operation"), str):
        raise OutOfRange(
            f"A rule needs an operation, when (before or after) and how ({', '.join(HOWS)}); found {str(rule)[:200]}."
        )
    _check_numbers(rule, "times", "seconds")


def _check_numbers(given: dict, *names: str) -> None:
    for name in names:
        value = given.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST:
            raise OutOfRange(f"{name} of a fault plan is a number from 0 to {MOST}; found {str(value)[:40]}.")


def plan_of(account: Account) -> dict:
    """The account's plan where faults are allowed; else none."""
    return account.fault_plan if account.fault_plan and allowed() else {}


def strike(request: HttpRequest, caller: Account, operation: str, when: str) -> None:
    """Raise the fault that is due for this call now, if any."""
    if not allowed():
        return
    rule = None
    if header := request.headers.get(HEADER):
        rule = _matching(read(header).get("rules", []), operation, when)
    elif caller.fault_plan:
        rule = _take_rule(caller, operation, when)
    if rule:
        _raise(rule)


def _matching(rules: list[dict], operation: str, when: str) -> dict | None:
    for rule in rules:
        fits = rule["operation"] in ("*", operation) and rule.get("when", "before") == when
        if fits and rule.get("times", 1) > 0:
            return rule
    return None


@transaction.atomic
def _take_rule(caller: Account, operation: str, when: str) -> dict | None:
    account = Account.objects.select_for_update().get(pk=caller.pk)
    rule = _matching(account.fault_plan.get("rules", []), operation, when)
    if rule and "times" in rule:
        rule["times"] -= 1
        account.save(update_fields=["fault_plan"])
    return rule


def _raise(rule: dict) -> None:
    how = rule["how"]
    if how == "refuse":
        raise Refusal("This call was refused by the fault plan.", "InvalidParameterValue")
    if how == "throttle":
        raise Throttled
    if how == "insufficient_funds":
        raise Refusal("This Requester has insufficient funds (by the fault plan).", "InsufficientFunds")
    raise Struck(how, float(rule.get("seconds", 5)))


def spoiled(request: HttpRequest, struck: Struck) -> HttpResponse:
    """The answer of a call that a fault has struck; for `reset` the client gets none."""
    if struck.how == "timeout":
        time.sleep(min(struck.seconds, LONGEST_SLEEP))
    if struck.how == "reset":
        _connection(request).shutdown(socket.SHUT_RDWR)
    body = json.dumps({"__type": "ServiceFault", "Message": "A fault of the plan.", "TurkErrorCode": "AWS.ServerError"})
    return HttpResponse(body, status=503 if struck.how == "503" else 500, content_type="application/x-amz-json-1.1")


def _connection(request: HttpRequest) -> socket.socket:
    """The socket of a request: gunicorn hands it over, the test server has it under its input stream."""
    given = request.environ.get("gunicorn.socket")
    return given or request.environ["wsgi.input"]._read.__self__.raw._sock


def hidden_until(requester: Account, now: datetime) -> datetime | None:
    """Until when a submission stays invisible to its requester."""
    lag = plan_of(requester).get("submit_lag", 0)
    return now + timedelta(seconds=lag) if lag else None


def list_horizon(requester: Account, now: datetime) -> datetime | None:
    """HITs made after this are not in lists yet."""
    lag = plan_of(requester).get("list_lag", 0)
    return now - timedelta(seconds=lag) if lag else None


def event_delays(requester: Account) -> list[float]:
    """How many times a notification is sent, and after how many seconds each."""
    events = plan_of(requester).get("events", {})
    if events.get("lose"):
        return []
    delay = float(events.get("delay", 0))
    delays = [delay] * (2 if events.get("double") else 1)
    if events.get("reorder"):
        delays = [one + secrets.randbelow(10_000) / 1000 for one in delays]
    return delays


def keeps_ids(requester: Account) -> bool:
    """Whether a returned assignment's id goes to the next worker (as at Amazon) or a new one is made."""
    return plan_of(requester).get("keep_ids", True)


def bent(requester: Account, parameters: dict[str, str]) -> dict[str, str]:
    """The frame's parameters as some set-ups have received them."""
    plan = plan_of(requester)
    if plan.get("missing_submit_to"):
        parameters = {name: value for name, value in parameters.items() if name != "turkSubmitTo"}
    if plan.get("amp_keys"):
        first = next(iter(parameters))
        parameters = {name if name == first else f"amp;{name}": value for name, value in parameters.items()}
    return parameters
