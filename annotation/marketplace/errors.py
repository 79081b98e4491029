"""Refusals, as the API words them and as people read them."""


class Refusal(Exception):
    """Something that was asked for and is not done, with the reason in words.

    `kind` becomes the JSON error's `__type`, `code` its `TurkErrorCode`.
    """

    kind = "RequestError"

    def __init__(self, message: str, code: str = ""):
        self.message = message
        self.code = f"AWS.MechanicalTurk.{code}" if code else ""
        super().__init__(message)


class OutOfRange(Refusal):
    """A value of the right type that the rules of the marketplace do not allow."""

    kind = "ParameterValidationError"

    def __init__(self, message: str):
        super().__init__(message, "InvalidParameterValue")


class Malformed(Refusal):
    """A request that does not fit the service model."""

    kind = "ValidationException"


def does_not_exist(what: str, identifier: str, code: str) -> Refusal:
    """Clients look for the words `does not exist`."""
    return Refusal(f"{what} {identifier} does not exist.", f"{code}DoesNotExist")


def wrong_state(what: str, allowed: str, current: str = "") -> Refusal:
    """Clients look for the words `can be called with a status of:`."""
    now = f"This {what} is currently in the state '{current}'. " if current else ""
    return Refusal(f"{now}This operation can be called with a status of: {allowed}", f"Invalid{what}State")


def not_yours(what: str, identifier: str) -> Refusal:
    """Somebody else's HIT, assignment or qualification type."""
    return Refusal(
        f"You are not authorized to use {what} {identifier}: it belongs to another requester.", "PermissionDenied"
    )
