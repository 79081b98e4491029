"""The door of what every dataset is made of: TaskType, Check, Finding, StagePlan, Pipeline, and what they speak in.

A TaskType (`kinds.py`) is a kind of question to a worker, with Checks (`checking.py`) over its answers. A Pipeline
(`pipelines.py`) is the declared order of task types of one dataset, with its ways in (`read`, `screen`; `sources.py`),
between stages (`promote`) and out (`release_rows`, `statistics`). A Scorer (`scoring.py`) needs files alone. All are
classes with plain values in and out; nothing here knows of tables or pages. Datasets and the service take these names
from here, wherever they lie.
"""

from tasks.checking import Check, Context, Finding, Level, Message, run_checks
from tasks.kinds import (
    QUESTION_REASONS,
    TAKEN_FROM,
    USUAL_REASONS,
    USUAL_RUBRIC,
    Aggregate,
    Criterion,
    Example,
    Judgement,
    Said,
    StageDefaults,
    Suggestion,
    TaskType,
)
from tasks.pipelines import (
    TRIED,
    Accepted,
    Effect,
    FeedbackRule,
    Figure,
    Follower,
    Pipeline,
    Rejected,
    ReleaseProblem,
    StagePlan,
)
from tasks.scoring import Scorer, ScoringProblem
from tasks.shape import Shape, problems_of
from tasks.sources import SPLIT_OPTION, ReadOption, Screened, SourceItem, SourceProblem

__all__ = [
    "QUESTION_REASONS",
    "SPLIT_OPTION",
    "TAKEN_FROM",
    "TRIED",
    "USUAL_REASONS",
    "USUAL_RUBRIC",
    "Accepted",
    "Aggregate",
    "Check",
    "Context",
    "Criterion",
    "Effect",
    "Example",
    "FeedbackRule",
    "Figure",
    "Finding",
    "Follower",
    "Judgement",
    "Level",
    "Message",
    "Pipeline",
    "ReadOption",
    "Rejected",
    "ReleaseProblem",
    "Said",
    "Scorer",
    "ScoringProblem",
    "Screened",
    "Shape",
    "SourceItem",
    "SourceProblem",
    "StageDefaults",
    "StagePlan",
    "Suggestion",
    "TaskType",
    "problems_of",
    "run_checks",
]
