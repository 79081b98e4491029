"""The base of all shapes of data, and what is said where data do not have theirs."""

from pydantic import BaseModel, ConfigDict, ValidationError


class Shape(BaseModel):
    """Base of item, answer, outcome and settings shapes. Unknown keys are refused: they are typing errors."""

    model_config = ConfigDict(extra="forbid")


def problems_of(error: ValidationError) -> str:
    """A pydantic error in one readable line: `category: Input should be '1' or '2' (found 'x'); …`."""
    parts = []
    for fault in error.errors(include_url=False):
        place = ".".join(str(step) for step in fault["loc"]) or "value"
        found = repr(fault.get("input"))
        parts.append(f"{place}: {fault['msg']} (found {found[:60]})")
    return "; ".join(parts)
