"""`check TASK_TYPE FILE.jsonl` runs a task type's checks over a file; without a task type it is Django's own check."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core import checks as system
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands.check import Command as SystemCheck
from pydantic import ValidationError

from annotation.command import Command as OurCommand
from tasks.base import Finding, SourceProblem, TaskType, problems_of, run_checks
from tasks.registry import UnknownKind, task_type
from tasks.sources import Record, records

LEVELS = ("block", "warn", "note")


class Command(OurCommand, SystemCheck):
    help = (
        "Run a task type's checks over a file of answers, or, without a task type, Django's checks of the site.\n\n"
        'Each line of the file is an object with an "item" and an "answer"; other names are ignored, so the\n'
        "examples.jsonl of a task type can be checked too. Findings are the result, no failure: the exit code\n"
        "is 1 where a line can't be read, and with --fail-on where a finding of that level or a graver one is made."
    )
    example = "./crowdwright check arc_da.direct_answer tasks/arc_da/direct_answer/examples.jsonl --json"
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--fail-on", choices=LEVELS, help="Fail on findings of this level or a graver one.")

    def handle(self, *labels: str, **options: Any) -> None:
        # An app's label never holds a dot, a task type's name always does.
        if labels and "." in labels[0]:
            self.check_file(*labels, fail_on=options["fail_on"])
            return
        known = sorted(config.label for config in apps.get_app_configs())
        if unknown := [label for label in labels if label not in known]:
            raise CommandError(
                f"{unknown[0]!r} is neither a task type (room.name, e.g. arc_da.direct_answer) nor an app; "
                f"there are the apps {', '.join(known)}"
            )
        if self.as_json and not options["list_tags"]:
            self.check_site(*labels, **options)
        else:
            super().handle(*labels, **options)

    def check_file(self, name: str, *paths: str, fail_on: str | None) -> None:
        kind = found_task_type(name)
        if len(paths) != 1:
            raise CommandError(f"expected one file after {name}, found {len(paths)}")
        path = Path(paths[0])
        lines, errors, counts, by_check = [], [], Counter(), Counter()
        for found in self.progress(records(path, storable=False), label="checked"):
            try:
                findings = findings_of(kind, found)
            except ValueError as fault:
                errors.append({"line": found.line, "reason": str(fault)})
                continue
            counts.update(finding.level for finding in findings)
            by_check.update(finding.check for finding in findings)
            lines.append({"line": found.line, "findings": [shown(finding) for finding in findings]})
        result = {
            "task_type": kind.name,
            "lines": lines,
            "errors": errors,
            "counts": {level: counts[level] for level in LEVELS},
            "by_check": dict(sorted(by_check.items())),
            "skipped": [check.name for check in kind.checks if check.needs],
        }
        self.report(result, text_of(path, result))
        if errors:
            raise CommandError(f"{len(errors)} of {len(errors) + len(lines)} lines can't be read")
        if fail_on and any(counts[level] for level in LEVELS[: LEVELS.index(fail_on) + 1]):
            raise CommandError(f"there are findings of level {fail_on} or graver")

    def check_site(self, *labels: str, **options: Any) -> None:
        """Django's checks with their messages as JSON."""
        messages = system.run_checks(
            app_configs=[apps.get_app_config(label) for label in labels] or None,
            tags=options["tags"],
            include_deployment_checks=options["deploy"],
            databases=options["databases"],
        )
        least = getattr(system, options["fail_level"])
        serious = [message for message in messages if message.is_serious(least) and not message.is_silenced()]
        self.report(
            {
                "messages": [
                    {"id": message.id, "level": message.level, "message": str(message.msg), "hint": message.hint}
                    for message in messages
                    if not message.is_silenced()
                ]
            }
        )
        if serious:
            raise CommandError(f"{len(serious)} checks of the site failed")


def found_task_type(name: str) -> TaskType:
    try:
        return task_type(name.replace("-", "_"))
    except UnknownKind as error:
        raise CommandError(str(error)) from None


def findings_of(kind: TaskType, found: Record | SourceProblem) -> list[Finding]:
    """What the checks that need nothing but item and answer say of a line. Raises ValueError where it is none."""
    if isinstance(found, SourceProblem):
        raise ValueError(found.reason)
    line = found.value
    if not isinstance(line, dict) or not {"item", "answer"} <= line.keys():
        raise ValueError(f'expected an object with "item" and "answer", found {json.dumps(line)[:60]}')
    shapes = {"item": kind.Item, "answer": kind.Answer}
    values = {}
    for name, shape in shapes.items():
        try:
            values[name] = shape.model_validate(line[name])
        except ValidationError as error:
            raise ValueError(f"{name}: {problems_of(error)}") from None
    return run_checks([check for check in kind.checks if not check.needs], values["item"], values["answer"])


def shown(finding: Finding) -> dict:
    return {
        "check": finding.check,
        "level": finding.level,
        "message": finding.message,
        "field": finding.field,
        "version": finding.version,
    }


def text_of(path: Path, result: dict) -> str:
    told = [f"{path.name}:{error['line']}: can't be read: {error['reason']}" for error in result["errors"]]
    told += [
        f"{path.name}:{line['line']}: {finding['level']} {finding['check']}: {finding['message']}"
        for line in result["lines"]
        for finding in line["findings"]
    ]
    numbers = ", ".join(f"{number:,} {level}" for level, number in result["counts"].items())
    told.append(f"{len(result['lines']):,} answers checked: {numbers}")
    if result["skipped"]:
        told.append(f"not run, for they need more than item and answer: {', '.join(result['skipped'])}")
    return "\n".join("".join(sign if sign.isprintable() else f"<U+{ord(sign):04X}>" for sign in line) for line in told)
