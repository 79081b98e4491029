"""Requests and responses against the service model that botocore ships.

boto3 itself leaves maximum lengths, patterns, enumerations and page sizes to the service, and other
clients check nothing at all.
"""

import math
import re
from datetime import UTC, datetime
from functools import cache

import botocore.session
from botocore.model import ServiceModel, Shape

from annotation.marketplace.errors import Malformed, Refusal

WHOLE_NUMBERS = {"integer": 2**31, "long": 2**63}
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
EARLIEST, LATEST = datetime(1, 1, 1, tzinfo=UTC).timestamp(), datetime(9999, 12, 31, tzinfo=UTC).timestamp()


class WrongType(Refusal):
    """A JSON value of another type than the model's."""

    kind = "SerializationException"


@cache
def service_model() -> ServiceModel:
    """The MTurk model of the installed botocore."""
    return botocore.session.get_session().get_service_model("mturk")


def check_request(operation: str, given: object) -> dict:
    """The request with timestamps as datetimes and nulls left out, or a refusal in the service's words."""
    shape = service_model().operation_model(operation).input_shape
    return _structure(shape, given, "") if shape else {}


def check_response(operation: str, given: dict) -> dict:
    """The response if it fits the model; anything else is our own fault."""
    shape = service_model().operation_model(operation).output_shape
    return _structure(shape, given, "", strict=True) if shape else {}


def _at(path: str, name: str) -> str:
    name = name[:1].lower() + name[1:]
    return f"{path}.{name}" if path else name


def _violated(value: object, path: str, constraint: str) -> Malformed:
    shown = "null" if value is None else f"'{str(value)[:200]}'"
    return Malformed(
        f"1 validation error detected: Value {shown} at '{path}' failed to satisfy constraint: {constraint}"
    )


def _mistyped(value: object, path: str, expected: str) -> WrongType:
    return WrongType(f"Expected {expected} at '{path or 'the request'}', found {type(value).__name__}.")


def _checked(shape: Shape, value: object, path: str, strict: bool) -> object:
    readers = {"structure": _structure, "list": _list, "string": _string, "boolean": _boolean, "timestamp": _timestamp}
    if shape.type_name in WHOLE_NUMBERS:
        return _whole(shape, value, path)
    reader = readers[shape.type_name]
    return reader(shape, value, path, strict) if reader in (_structure, _list) else reader(shape, value, path)


def _structure(shape: Shape, value: object, path: str, strict: bool = False) -> dict:
    if not isinstance(value, dict):
        raise _mistyped(value, path, "an object")
    if strict and (unknown := set(value) - set(shape.members)):
        raise _violated(sorted(unknown), path, "Member must be one that the model knows")
    given = {name: value[name] for name in shape.members if value.get(name) is not None}
    for name in shape.required_members:
        if name not in given:
            raise _violated(None, _at(path, name), "Member must not be null")
    return {name: _checked(shape.members[name], item, _at(path, name), strict) for name, item in given.items()}


def _list(shape: Shape, value: object, path: str, strict: bool = False) -> list:
    if not isinstance(value, list):
        raise _mistyped(value, path, "a list")
    if len(value) > 10_000:
        raise _violated(f"{len(value)} members", path, "Member must have length less than or equal to 10000")
    return [_checked(shape.member, item, f"{path}.{n + 1}.member", strict) for n, item in enumerate(value)]


def _string(shape: Shape, value: object, path: str) -> str:
    if not isinstance(value, str):
        raise _mistyped(value, path, "a string")
    limits = shape.metadata
    if CONTROL.search(value):
        raise _violated(ascii(value), path, "Member must not hold control characters or lone surrogates")
    if "min" in limits and len(value) < limits["min"]:
        raise _violated(value, path, f"Member must have length greater than or equal to {limits['min']}")
    if "max" in limits and len(value) > limits["max"]:
        raise _violated(value, path, f"Member must have length less than or equal to {limits['max']}")
    if "pattern" in limits and not re.fullmatch(limits["pattern"], value, re.ASCII):
        raise _violated(value, path, f"Member must satisfy regular expression pattern: {limits['pattern']}")
    if "enum" in limits and value not in limits["enum"]:
        raise _violated(value, path, f"Member must satisfy enum value set: [{', '.join(limits['enum'])}]")
    return value


def _boolean(shape: Shape, value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise _mistyped(value, path, "a boolean")
    return value


def _whole(shape: Shape, value: object, path: str) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _mistyped(value, path, f"a whole number ({shape.type_name})")
    end = WHOLE_NUMBERS[shape.type_name]
    if not -end <= value < end:
        raise WrongType(f"The number at '{path}' does not fit into the type {shape.type_name}.")
    limits = shape.metadata
    if "min" in limits and value < limits["min"]:
        raise _violated(value, path, f"Member must have value greater than or equal to {limits['min']}")
    if "max" in limits and value > limits["max"]:
        raise _violated(value, path, f"Member must have value less than or equal to {limits['max']}")
    return value


def _timestamp(shape: Shape, value: object, path: str) -> datetime | int:
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value)
        except ValueError as error:
            raise _mistyped(value, path, "a time as epoch seconds or ISO 8601") from error
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _mistyped(value, path, "a time as epoch seconds or ISO 8601")
    if not EARLIEST <= value <= LATEST:
        raise WrongType(f"The time at '{path}' is outside the years 1 to 9999.")
    return datetime.fromtimestamp(value, UTC)
