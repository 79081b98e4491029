"""`solvers PROJECT`: how a project's solvers do; with options, give them lessons, or train them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.projects.commanding import ProjectCommand, find_project
from annotation.projects.models import Stage
from annotation.solving import training
from annotation.solving.asking import policy_of, stages_with_solvers
from annotation.solving.queries import StageFacts, facts_of
from tasks.base import SourceProblem
from tasks.solvers.base import NO, YES, Lesson
from tasks.sources import records

MOST_PROBLEMS = 5


class Command(ProjectCommand):
    help = (
        "Tell how the solvers of a project do: how often each was right, its training, what waits for them.\n\n"
        "--lessons gives them something better to begin with than the short list that comes along: JSON Lines\n"
        'or an array of {"question", "answer"}, the answer true, false, "yes" or "no". They are trained on it.\n'
        "--train trains those that learn from accepted questions, though no training is due."
    )
    example = (
        "./crowdwright solvers demo-strategyqa\n  ./crowdwright solvers demo-strategyqa --lessons boolq-train.jsonl"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--stage", default="", help="the stage, where several have solvers")
        parser.add_argument("--lessons", type=Path, metavar="FILE", help="questions with answers to begin with")
        parser.add_argument("--train", action="store_true", help="train the learning solvers now")

    def handle(self, *, project: str, stage: str, lessons: Path | None, train: bool, **options: Any) -> None:
        found = self._stage(project, stage)
        if lessons is not None:
            training.give_lessons(stage=found, lessons=self._read(lessons))
            training.order(stage=found, solvers=policy_of(found).seats)
        elif train:
            training.order(stage=found, solvers=training.learners(found))
        facts = facts_of(found)
        self.report(as_data(found, facts), as_text(found, facts))

    def _stage(self, slug: str, name: str) -> Stage:
        project = find_project(slug)
        stages = {stage.name: stage for stage in stages_with_solvers(project)}
        if name and name not in stages:
            raise CommandError(
                f"no stage of {slug} called {name!r} has solvers; with solvers: {', '.join(stages) or '–'}"
            )
        if not stages:
            raise CommandError(f"no stage of {slug} has solvers")
        if not name and len(stages) > 1:
            raise CommandError(f"several stages of {slug} have solvers: --stage {' or '.join(stages)}")
        return stages[name] if name else next(iter(stages.values()))

    def _read(self, path: Path) -> list[Lesson]:
        if not path.is_file():
            raise CommandError(f"{path} is no file")
        lessons, problems = [], []
        for record in records(path):
            if isinstance(record, SourceProblem):
                problems.append(str(record))
                continue
            match record.value:
                case {"question": str(text), "answer": bool() | "yes" | "no" as answer} if text.strip():
                    lessons.append(Lesson(" ".join(text.split()), answer_of(answer)))
                case _:
                    problems.append(f'{path.name}:{record.line}: expected a "question", and an "answer" of yes or no')
        if problems:
            more = f" (and {len(problems) - MOST_PROBLEMS} more)" if len(problems) > MOST_PROBLEMS else ""
            raise CommandError(f"nothing was taken: {'; '.join(problems[:MOST_PROBLEMS])}{more}")
        if not lessons:
            raise CommandError(f"{path} holds no question")
        return lessons


def answer_of(value: bool | str) -> str:
    return value if isinstance(value, str) else YES if value else NO


def as_data(stage: Stage, facts: StageFacts) -> dict:
    return {
        "stage": stage.name,
        "questions": facts.counts,
        "held": facts.held,
        "lessons": facts.lessons,
        "lessons_since": facts.lessons_since,
        "retrain_every": facts.retrain_every,
        "groups": [
            {
                "group": name,
                "rejects_at": rejects_at,
                "solvers": [
                    {
                        "solver": each.name,
                        "learns": each.learns,
                        "asked": each.asked,
                        "right": each.right,
                        "training": each.current.number if each.current else 0,
                        "newest": each.newest.state if each.newest else "",
                        "error": each.newest.error if each.newest else "",
                    }
                    for each in those
                ],
            }
            for name, rejects_at, those in facts.groups
        ],
    }


def as_text(stage: Stage, facts: StageFacts) -> str:
    counts = facts.counts
    lines = [f"{stage.name}: {counts['holds']:,} questions held, {counts['solved']:,} were solved, {facts.held:,} wait"]
    for name, rejects_at, those in facts.groups:
        lines.append(f"{name}: rejects when {rejects_at} of {len(those)} are right")
        for each in those:
            right = f"right in {each.right:,} of {each.asked:,}" if each.asked else "not asked yet"
            trained = f"training {each.current.number}" if each.current else "as it comes"
            state = f", newest training {each.newest.state}" if each.newest and each.newest != each.current else ""
            lines.append(f"  {each.name:28} {right}, {trained}{state}")
    if facts.outage:
        lines.append(f"last fault, {facts.outage.at:%Y-%m-%d %H:%M} UTC: {facts.outage.data.get('reason', '')}")
    return "\n".join(lines)
