import json

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.core.validators import validate_slug
from django.utils.text import slugify

from annotation.command import amount
from annotation.events.commanding import ActingCommand
from annotation.projects.actions import create_project
from annotation.projects.commanding import refusals_as_errors

MOST_BUDGET = 10_000_000


class Command(ActingCommand):
    help = "Make a project of a pipeline."
    example = "./crowdwright create arc-da 'Science questions' --owner owner --budget 500"

    def add_arguments(self, parser) -> None:
        parser.add_argument("pipeline", help="The pipeline's name, such as arc-da.")
        parser.add_argument("name", help="The project's name.")
        parser.add_argument("--slug", help="Its short name in addresses and commands; made of the name by default.")
        parser.add_argument("--owner", help="The account that owns it; without one only superusers see it.")
        parser.add_argument("--environment", default="own", help="The marketplace (own, mturk_sandbox, …).")
        parser.add_argument(
            "--budget", type=amount(MOST_BUDGET), default=0, help="The budget in dollars, fees included."
        )
        parser.add_argument("--choices", default="{}", metavar="JSON", help="The pipeline's settings as a JSON object.")

    def handle(self, *, pipeline: str, name: str, slug: str | None, owner: str | None, **options) -> None:
        user = get_user_model().objects.filter(username=owner).first() if owner else None
        if owner and user is None:
            raise CommandError(f"no account {owner!r}")
        with refusals_as_errors():
            project = create_project(
                pipeline=pipeline,
                name=name,
                slug=_slug(slug or slugify(name)[:60]),
                owner=user,
                environment=options["environment"],
                settings=_settings(options["choices"]),
                budget_cap_cents=options["budget"],
            )
        if user is None:
            self.stderr.write(
                f"{project.slug} has no owner: only superusers see it. Say --owner NAME, or let a superuser add people "
                "on the project's page “People”.",
                self.style.WARNING,
            )
        self.report(
            {"project": project.slug, "pipeline": project.pipeline},
            f"{project.slug} is made. Next: ./crowdwright import {project.slug} FILE...",
        )


def _slug(text: str) -> str:
    try:
        validate_slug(text)
    except ValidationError:
        raise CommandError(f"{text!r} is no short name: expected letters, digits and hyphens (--slug)") from None
    return text


def _settings(text: str) -> dict:
    try:
        value = json.loads(text)
    except ValueError as fault:
        raise CommandError(f"--choices is not JSON: {fault}") from None
    if not isinstance(value, dict):
        raise CommandError(f"--choices must be a JSON object, found {text}")
    return value
