"""How large a value may be, said in the service's words."""

from annotation.marketplace import ledger
from annotation.marketplace.errors import OutOfRange

LONGEST = 31_536_000  # seconds: a year
# Ten million dollars: a billion assignments at this reward still fit into the books.
MOST_CENTS = 1_000_000_000


def in_range(name: str, value: int, least: int, most: int) -> int:
    """The value, or a refusal in the service's words."""
    if not least <= value <= most:
        raise OutOfRange(f"The value {value} is invalid for {name}. Valid values range from {least} to {most}.")
    return value


def dollars_in_range(name: str, cents: int, least: int = 0) -> int:
    """The amount, or a refusal in the service's words."""
    if not least <= cents <= MOST_CENTS:
        raise OutOfRange(
            f"The value {ledger.dollars(cents)} is invalid for {name}. "
            f"Valid values range from {ledger.dollars(least)} to {ledger.dollars(MOST_CENTS)}."
        )
    return cents


def at_most(name: str, text: str, most: int) -> str:
    """The text, or a refusal in the service's words."""
    if len(text) > most:
        raise OutOfRange(f"The value of {name} is invalid: it takes at most {most} characters, got {len(text)}.")
    return text
