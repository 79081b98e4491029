"""Requests and responses against the service model that botocore ships.

boto3 itself leaves maximum lengths, patterns, enumerations and page sizes to the service, and other
clients check nothing at all.
"""

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache

import botocore.session
from botocore.model import ServiceModel, Shape

from annotation.marketplace.answers import UNWRITABLE
from annotation.marketplace.errors import Malformed, Refusal

# Reads one value at a path: gives it back as we use it, or refuses it in the service's words.
Reader = Callable[[object, str], object]
WHOLE_NUMBERS = {"integer": 2**31, "long": 2**63}
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
    read = _request_reader(operation)
    return read(given, "") if read else {}


def check_response(operation: str, given: dict) -> dict:
    """The response if it fits the model; anything else is our own fault and no refusal."""
    read = _response_reader(operation)
    try:
        return read(given, "") if read else {}
    except Refusal as fault:
        where = fault.message.partition(" at ")[2]  # without the value: it may be a worker's id
        raise RuntimeError(f"The answer to {operation} does not fit the model at {where}") from None


@cache
def _request_reader(operation: str) -> Reader | None:
    shape = service_model().operation_model(operation).input_shape
    return _reader(shape, strict=False) if shape else None


@cache
def _response_reader(operation: str) -> Reader | None:
    shape = service_model().operation_model(operation).output_shape
    return _reader(shape, strict=True) if shape else None


def _violated(value: object, path: str, constraint: str) -> Malformed:
    shown = "null" if value is None else f"'{str(value)[:200]}'"
    return Malformed(
        f"1 validation error detected: Value {shown} at '{path}' failed to satisfy constraint: {constraint}"
    )


def _mistyped(value: object, path: str, expected: str) -> WrongType:
    return WrongType(f"Expected {expected} at '{path or 'the request'}', found {type(value).__name__}.")


def _reader(shape: Shape, *, strict: bool) -> Reader:
    """What reads values of a shape, put together once: a page of a hundred HITs holds thousands of values."""
    makers = {
        "structure": lambda: _structure(shape, strict),
        "list": lambda: _list(shape, strict),
        "string": lambda: _string(shape),
        "boolean": lambda: _boolean,
        "timestamp": lambda: _timestamp,
    }
    return _whole(shape) if shape.type_name in WHOLE_NUMBERS else makers[shape.type_name]()


def _structure(shape: Shape, strict: bool) -> Reader:
    members = {name: _reader(member, strict=strict) for name, member in shape.members.items()}
    lowered = {name: name[:1].lower() + name[1:] for name in members}
    required = tuple(shape.required_members)

    def read(value: object, path: str) -> dict:
        if not isinstance(value, dict):
            raise _mistyped(value, path, "an object")
        if strict and (unknown := value.keys() - members.keys()):
            raise _violated(sorted(unknown), path, "Member must be one that the model knows")
        for name in required:
            if value.get(name) is None:
                at = f"{path}.{lowered[name]}" if path else lowered[name]
                raise _violated(None, at, "Member must not be null")
        inside = f"{path}." if path else ""
        return {
            name: members[name](item, inside + lowered[name])
            for name, item in value.items()
            if item is not None and name in members
        }

    return read


def _list(shape: Shape, strict: bool) -> Reader:
    read_member = _reader(shape.member, strict=strict)

    def read(value: object, path: str) -> list:
        if not isinstance(value, list):
            raise _mistyped(value, path, "a list")
        if len(value) > 10_000:
            raise _violated(f"{len(value)} members", path, "Member must have length less than or equal to 10000")
        return [read_member(item, f"{path}.{n + 1}.member") for n, item in enumerate(value)]

    return read


def _string(shape: Shape) -> Reader:
    limits = shape.metadata
    least, most = limits.get("min", 0), limits.get("max", math.inf)
    pattern = re.compile(limits["pattern"], re.ASCII) if "pattern" in limits else None
    enum = frozenset(limits.get("enum", ()))

    def read(value: object, path: str) -> str:
        if not isinstance(value, str):
            raise _mistyped(value, path, "a string")
        if UNWRITABLE.search(value):
            raise _violated(ascii(value), path, "Member must not hold control characters or lone surrogates")
        if len(value) < least:
            raise _violated(value, path, f"Member must have length greater than or equal to {least}")
        if len(value) > most:
            raise _violated(value, path, f"Member must have length less than or equal to {most}")
        if pattern and not pattern.fullmatch(value):
            raise _violated(value, path, f"Member must satisfy regular expression pattern: {limits['pattern']}")
        if enum and value not in enum:
            raise _violated(value, path, f"Member must satisfy enum value set: [{', '.join(limits['enum'])}]")
        return value

    return read


def _boolean(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise _mistyped(value, path, "a boolean")
    return value


def _whole(shape: Shape) -> Reader:
    kind, limits = shape.type_name, shape.metadata
    end = WHOLE_NUMBERS[kind]
    least, most = limits.get("min", -end), limits.get("max", end)

    def read(value: object, path: str) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise _mistyped(value, path, f"a whole number ({kind})")
        if not -end <= value < end:
            raise WrongType(f"The number at '{path}' does not fit into the type {kind}.")
        if value < least:
            raise _violated(value, path, f"Member must have value greater than or equal to {least}")
        if value > most:
            raise _violated(value, path, f"Member must have value less than or equal to {most}")
        return value

    return read


def _timestamp(value: object, path: str) -> datetime:
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value)
        except ValueError as error:
            raise _mistyped(value, path, "a time as epoch seconds or ISO 8601") from error
        try:
            return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
        except OverflowError as error:
            raise _out_of_time(path) from error
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _mistyped(value, path, "a time as epoch seconds or ISO 8601")
    if not EARLIEST <= value <= LATEST:
        raise _out_of_time(path)
    return datetime.fromtimestamp(value, UTC)


def _out_of_time(path: str) -> WrongType:
    return WrongType(f"The time at '{path}' is outside the years 1 to 9999.")
