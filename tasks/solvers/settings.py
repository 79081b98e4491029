"""The settings of a stage with solvers in the loop, as a researcher sets them."""

import pydantic

from tasks.base import Shape
from tasks.solvers.policy import Policy

# Section 3.1 of the StrategyQA paper: five fixed solvers, two of them with retrieval, and three that learn.
PTD = "PTD, fixed, 4 of: words, letters, meaning, overlap, passages"
FNTD = "FNTD, learning, 3 of: words, letters, meaning"


class SolverSettings(Shape):
    """Which solvers a question must get past. Without groups none are asked, and every question holds."""

    groups: list[str] = pydantic.Field(
        [PTD, FNTD],
        title="Groups of solvers",
        description="One group a line: its name, fixed or learning, how many must be right for a rejection, and the "
        f"solvers, as in “{FNTD}”. A Hugging Face classifier is written transformer:name-or-folder. No line: no "
        "solvers.",
    )
    tries: int = pydantic.Field(
        3,
        ge=1,
        le=50,
        description="How many of a writer's questions the solvers may answer before one is taken as it is.",
    )
    retrain_every: int = pydantic.Field(
        1_000, ge=10, le=1_000_000, description="Learning solvers are trained anew after so many accepted questions."
    )

    @pydantic.field_validator("groups")
    @classmethod
    def _are_groups(cls, lines: list[str]) -> list[str]:
        Policy.read(lines)
        return lines

    def policy(self) -> Policy | None:
        """None where no solver is asked."""
        if not self.groups:
            return None
        return Policy.read(self.groups, tries=self.tries, retrain_every=self.retrain_every)
