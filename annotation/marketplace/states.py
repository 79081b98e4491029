"""The state machines of HITs and assignments, as pure functions.

A HIT's four counters say where its assignments are; its status follows from them, from whether its
lifetime is over, and from the requester's label `Reviewing`.
"""

from dataclasses import dataclass, replace

ASSIGNABLE, UNASSIGNABLE, REVIEWABLE, REVIEWING, DISPOSED = (
    "Assignable",
    "Unassignable",
    "Reviewable",
    "Reviewing",
    "Disposed",
)


OPEN = (ASSIGNABLE, UNASSIGNABLE, REVIEWABLE, REVIEWING)


class NotAllowed(Exception):
    """The step does not start from this state; `allowed` names the states it can start from."""

    def __init__(self, allowed: str, current: str):
        self.allowed, self.current = allowed, current
        super().__init__(f"allowed from {allowed}, not from {current}")


@dataclass(frozen=True)
class HITState:
    """Where the assignments of a HIT are: free, being worked on, waiting for a decision, decided."""

    status: str
    available: int
    accepted: int
    submitted: int
    decided: int
    live: bool

    @property
    def total(self) -> int:
        """`MaxAssignments`."""
        return self.available + self.accepted + self.submitted + self.decided

    @property
    def finished(self) -> bool:
        """Nobody can accept and nobody is working."""
        return self.status in (REVIEWABLE, REVIEWING)


def _settled(state: HITState) -> HITState:
    if state.status == DISPOSED:
        return state
    if state.live and state.available:
        status = ASSIGNABLE
    elif state.accepted:
        status = UNASSIGNABLE
    else:
        status = REVIEWING if state.status == REVIEWING else REVIEWABLE
    return replace(state, status=status)


def _require(state: HITState, *allowed: str) -> None:
    if state.status not in allowed:
        raise NotAllowed(",".join(allowed), state.status)


def created(assignments: int) -> HITState:
    """A new HIT: all assignments free."""
    return HITState(ASSIGNABLE, assignments, 0, 0, 0, live=True)


def accept(state: HITState) -> HITState:
    """A worker takes one of the free assignments."""
    _require(state, ASSIGNABLE)
    return _settled(replace(state, available=state.available - 1, accepted=state.accepted + 1))


def give_back(state: HITState) -> HITState:
    """A worker returned the work or ran out of time: the assignment is free again."""
    return _settled(replace(state, available=state.available + 1, accepted=state.accepted - 1))


def submit(state: HITState) -> HITState:
    """A worker handed in."""
    return _settled(replace(state, accepted=state.accepted - 1, submitted=state.submitted + 1))


def decide(state: HITState) -> HITState:
    """A submitted assignment was approved or rejected; a rejection does not free it for others."""
    return _settled(replace(state, submitted=state.submitted - 1, decided=state.decided + 1))


def expire(state: HITState) -> HITState:
    """The lifetime is over: nobody accepts any more, who is working may finish."""
    return _settled(replace(state, live=False))


def prolong(state: HITState) -> HITState:
    """The lifetime goes on; free assignments can be accepted again."""
    _require(state, *OPEN)
    return _settled(replace(state, live=True))


def add(state: HITState, assignments: int) -> HITState:
    """More assignments. They do not bring more time."""
    _require(state, *OPEN)
    return _settled(replace(state, available=state.available + assignments))


def mark_reviewing(state: HITState, revert: bool) -> HITState:
    """Set or take back the requester's label."""
    _require(state, REVIEWING if revert else REVIEWABLE)
    return replace(state, status=REVIEWABLE if revert else REVIEWING)


def dispose(state: HITState) -> HITState:
    """Gone for good: only when finished and everything is decided."""
    _require(state, REVIEWABLE, REVIEWING)
    if state.submitted:
        raise NotAllowed("Reviewable,Reviewing with every submitted assignment approved or rejected", state.status)
    return replace(state, status=DISPOSED, live=False)


def may_approve(status: str, override: bool) -> None:
    """Approval starts from Submitted, or from Rejected when a rejection is taken back."""
    allowed = ("Submitted", "Rejected") if override else ("Submitted",)
    if status not in allowed:
        raise NotAllowed(",".join(allowed), status)


def may_reject(status: str) -> None:
    """Rejection starts from Submitted only; an approval is for ever."""
    if status != "Submitted":
        raise NotAllowed("Submitted", status)
