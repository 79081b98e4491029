"""Qualification tests from the command line: make one, fill it, offer it, watch it, grant and revoke by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.command import whole_number
from annotation.desk import requirements, words
from annotation.desk.commanding import quote_as_json, quote_as_text, refuse_unfit
from annotation.desk.queries import is_real_money
from annotation.events.commanding import ActingCommand
from annotation.projects.commanding import find_project, find_stage, refusals_as_errors
from annotation.projects.models import Project
from annotation.providers.dispatching import dispatch
from annotation.trials import programmes
from annotation.trials.models import Programme
from annotation.trials.queries import programme_called, programmes_of
from annotation.trials.report import Report, report_of
from annotation.workers.models import Worker
from annotation.workers.qualifying import absorb_qualifications, grant, no_longer_require, require, revoke
from annotation.workers.queries import worker_called

MOST_WORKERS = 10_000
DESCRIPTION = "You passed our test for this task. Take the HIT “Qualification test” to earn it."


class Command(ActingCommand):
    help = (
        "Qualification tests: paid trials in the form of a stage, read by two graders. A test is named by its "
        "qualification's name; where a project has only one, the name may be left out."
    )
    example = (
        "./crowdwright qualification make r4c 'R4C derivations' --stage derivation --cents-per-item 15 "
        "--approved-hits 5000 --approval-rate 95\n"
        "  ./crowdwright qualification items r4c known.jsonl\n"
        "  ./crowdwright qualification publish r4c --workers 256 --confirm 4608\n"
        "  ./crowdwright qualification report r4c --json"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(
            dest="verb", required=True, metavar="make|items|quote|publish|end|report|grant|revoke|ask"
        )
        make = self._verb(verbs, "make", "Make a test for a stage; its HITs ask for the qualification from now on.")
        make.add_argument("name", help="The qualification's name; workers read it.")
        make.add_argument("--stage", help="The stage; not needed where there is only one crowd stage.")
        make.add_argument("--description", default=DESCRIPTION, help="What workers read about it.")
        make.add_argument("--cents-per-item", type=_limited("cents_per_item"), help="Pay; the stage's own by default.")
        make.add_argument(
            "--items",
            type=_limited("items_per_trial"),
            dest="items_per_trial",
            help="Items a trial; as a HIT of the stage.",
        )
        make.add_argument(
            "--tries",
            type=_limited("most_attempts"),
            dest="most_attempts",
            help="How often a worker may take it (default 1).",
        )
        make.add_argument("--graders", type=_limited("graders"), help="Independent grades a trial (default 2).")
        make.add_argument(
            "--wait-hours",
            type=_limited("approve_after_hours"),
            dest="approve_after_hours",
            help="Let pay wait for the verdict.",
        )
        make.add_argument(
            "--approved-hits",
            type=whole_number(0),
            help="Gate (the stage's own where none is said; 0: everybody): so many approved HITs at least.",
        )
        make.add_argument("--approval-rate", type=whole_number(0, 100), help="Gate: so many percent approved at least.")
        make.add_argument("--countries", help="Gate: two-letter codes, such as US,GB.")
        make.add_argument("--not-asked-for", action="store_true", help="The stage does not ask for it yet.")
        items = self._verb(verbs, "items", "Bring items into a test. They are never collected or released.")
        items.add_argument("files", nargs="*", help='JSON Lines of {"key", "item", "answer"}, or source files.')
        items.add_argument("--name", default="", help="Which test.")
        items.add_argument("--examples", action="store_true", help="The task type's examples that no worker is shown.")
        items.add_argument(
            "--set-aside", type=whole_number(1), default=0, metavar="N", help="The first N open items of the stage."
        )
        for verb, what in (("quote", "What it costs."), ("publish", "Offer the test to so many workers a set.")):
            offer = self._verb(verbs, verb, what)
            offer.add_argument("--name", default="", help="Which test.")
            offer.add_argument(
                "--workers",
                type=whole_number(1, MOST_WORKERS),
                default=9,
                help="How many may take each set (default 9).",
            )
            if verb == "publish":
                agreed = offer.add_mutually_exclusive_group()
                agreed.add_argument(
                    "--confirm", type=whole_number(0), metavar="CENTS", help="The quote's total, in cents."
                )
                agreed.add_argument("--yes", action="store_true", help="Do not ask.")
                offer.add_argument("--quote", metavar="DIGEST", help="Only by this quote: once, however often it runs.")
                offer.add_argument("--below-floor", action="store_true", help="Although the pay is below the floor.")
        end = self._verb(verbs, "end", "Take a test's HITs off the market; who accepted one in time may finish.")
        end.add_argument("--name", default="", help="Which test.")
        report = self._verb(verbs, "report", "Who applied, passed the gate, took the test, passed; how graders agree.")
        report.add_argument("--name", default="", help="Only this test.")
        give = self._verb(verbs, "grant", "Give a worker the qualification by hand.")
        take = self._verb(verbs, "revoke", "Take the qualification from a worker, who reads the reason.")
        for one in (give, take):
            one.add_argument("worker", help="By pseudonym of the project's releases, as pages and reports show it.")
            one.add_argument("--name", default="", help="Which test.")
            one.add_argument("--reason", required=one is take, default="", help="Why.")
        give.add_argument("--value", type=whole_number(1, 100), default=100, help="1 to 100 (default 100).")
        take.add_argument("--may-retake", action="store_true", help="They may take the test once more.")
        ask = self._verb(verbs, "ask", "Have a stage's HITs ask for the qualification, or no longer.")
        ask.add_argument("stage_name", metavar="stage", help="A stage of this project, or PROJECT:STAGE of another.")
        ask.add_argument("--name", default="", help="Which test.")
        ask.add_argument("--no-longer", action="store_true", help="Open to everybody again.")

    def _verb(self, verbs: Any, name: str, what: str) -> CommandParser:
        parser = verbs.add_parser(name, help=what)
        parser.add_argument("project", help="The project's short name.")
        return parser

    def handle(self, *, verb: str, project: str, **options: Any) -> None:
        with refusals_as_errors():
            getattr(self, f"_{verb}")(find_project(project), **options)

    # --- Setting it up ---

    def _make(self, project: Project, *, name: str, stage: str | None, description: str, **options: Any) -> None:
        try:
            countries = requirements.read_countries(options["countries"] or "")
        except ValueError as problem:
            raise CommandError(str(problem)) from None
        names = ("cents_per_item", "items_per_trial", "most_attempts", "graders", "approve_after_hours")
        fields = {field: options[field] for field in names if options[field] is not None}
        if any(options[said] is not None for said in ("approval_rate", "approved_hits", "countries")):
            fields["gate"] = requirements.build(
                approval_rate=options["approval_rate"],
                approved_count=options["approved_hits"],
                countries=countries,
                others=[],
            )
        made = programmes.make_programme(
            stage=find_stage(project, stage),
            name=name,
            description=description,
            ask_for_it=not options["not_asked_for"],
            **fields,
        )
        _have_type_made(project)
        self.report(
            {"qualification": made.qualification.name, "test": made.pk, "stage": made.stage.name, "gate": made.gate},
            f"The test for {name!r} is made. Next: ./crowdwright qualification items {project.slug} FILE...",
        )

    def _items(
        self, project: Project, *, files: list[str], name: str, examples: bool, set_aside: int, **_: Any
    ) -> None:
        programme = _test(project, name)
        known = programmes.example_items(programme) if examples else []
        for path in files:
            if not Path(path).is_file():
                raise CommandError(f"no file {path}")
            known += programmes.read_items(programme, Path(path))
        added = programmes.bring_in(programme=programme, items=known, first=set_aside)
        sets = programmes.sets_of(programme)
        self.report(
            {"added": added, "items": programme.trial_items.count(), "sets": len(sets)},
            f"{words.plural(added, 'item')} added; the test has {words.plural(len(sets), 'set')} of "
            f"{words.plural(programme.items_per_trial, 'item')}.",
        )

    def _ask(self, project: Project, *, stage_name: str, name: str, no_longer: bool, **_: Any) -> None:
        programme = _test(project, name)
        slug, colon, rest = stage_name.partition(":")
        stage = find_stage(find_project(slug), rest) if colon else find_stage(project, stage_name)
        (no_longer_require if no_longer else require)(qualification=programme.qualification, stage=stage)
        verb = "no longer ask" if no_longer else "ask"
        self.report(
            {"stage": stage.name, "asks": not no_longer},
            f"HITs of {stage.name} that are published from now on {verb} for {programme.qualification.name!r}.",
        )

    # --- Offering it ---

    def _quote(self, project: Project, *, name: str, workers: int, **_: Any) -> None:
        programme = _test(project, name)
        offer = programmes.quote_programme(programme, workers=workers)
        self.report(quote_as_json(offer), quote_as_text(programme.stage, offer))

    def _publish(
        self,
        project: Project,
        *,
        name: str,
        workers: int,
        confirm: int | None,
        yes: bool,
        quote: str | None,
        below_floor: bool,
        **_: Any,
    ) -> None:
        _have_type_made(project)
        programme = _test(project, name)
        offer = programmes.quote_programme(programme, workers=workers)
        refuse_unfit(offer, below_floor=below_floor)
        if confirm is None and (not yes or is_real_money(project)):
            raise CommandError(f"this costs {words.dollars(offer.total_cents)}: say --confirm {offer.total_cents}")
        cents = offer.total_cents if confirm is None else confirm
        hits = programmes.publish_programme(
            programme=programme,
            workers=workers,
            confirmed_cents=cents,
            digest=quote or offer.digest,
            below_floor_ok=below_floor,
        )
        self.report(
            {"hits": len(hits), "cents": cents, "environment": project.environment},
            f"{words.plural(len(hits), 'trial HIT')} planned for {words.dollars(cents)}; the clock sends them "
            f"(or ./crowdwright advance {project.slug}).",
        )

    def _end(self, project: Project, *, name: str, **_: Any) -> None:
        count = programmes.end_trials(programme=_test(project, name))
        self.report({"hits": count}, f"{words.plural(count, 'trial HIT')} on the way off the market.")

    # --- Watching it ---

    def _report(self, project: Project, *, name: str, **_: Any) -> None:
        found = [_test(project, name)] if name else list(programmes_of(project))
        reports = [report_of(programme) for programme in found]
        text = "\n\n".join(map(_told, reports)) or f"{project.slug} has no qualification test."
        self.report([one.as_dict() for one in reports], text)

    def _grant(self, project: Project, *, worker: str, name: str, value: int, reason: str, **_: Any) -> None:
        programme = _test(project, name)
        row = grant(qualification=programme.qualification, worker=_worker(project, worker), value=value, reason=reason)
        self.report(
            {"worker": worker, "value": row.value}, f"{worker} is granted {row.value}; the clock tells it there."
        )

    def _revoke(self, project: Project, *, worker: str, name: str, reason: str, may_retake: bool, **_: Any) -> None:
        programme, person = _test(project, name), _worker(project, worker)
        revoke(qualification=programme.qualification, worker=person, reason=reason, may_retake=may_retake)
        self.report({"worker": worker, "may_retake": may_retake}, f"{worker} loses it; the clock tells it there.")


def _limited(field: str) -> Callable[[str], int]:
    """The type of an argument that is a number of a test, within the limits of that."""
    return whole_number(*programmes.LIMITS[field])


def _test(project: Project, name: str) -> Programme:
    found, names = programme_called(project, name)
    if found is None:
        there = ", ".join(repr(one) for one in names) or "none yet"
        wanted = f"no test {name!r}" if name else "which test? Say --name"
        raise CommandError(f"{wanted}; {project.slug} has {there}")
    return found


def _worker(project: Project, name: str) -> Worker:
    person = worker_called(project, name)
    if person is None:
        raise CommandError(f"nobody is called {name!r} in {project.slug}: expected a pseudonym of its releases")
    return person


def _have_type_made(project: Project) -> None:
    """One step ahead of the clock: a trial HIT can't be planned before the marketplace has the type."""
    dispatch(project_id=project.pk, most=20)
    absorb_qualifications(project=project)


def _told(report: Report) -> str:
    agreement = report.agreement
    lines = [
        f"{report.qualification} ({report.stage}, {report.state})",
        f"  applied           {report.applied:>6,}",
        f"  passed the gate   {report.admitted:>6,}",
        f"  took the test     {report.took:>6,}",
        f"  passed            {report.passed:>6,}   {_share(report)}",
        f"  failed            {report.failed:>6,}",
        f"  may try again     {report.again:>6,}",
        f"  wait for graders  {report.waiting:>6,}   {report.talk:,} of others are talked about",
        f"  hold it now       {report.holders:>6,}   {report.revoked:,} lost it",
    ]
    for one in report.graders:
        seconds = "" if one.seconds is None else f", {words.span(one.seconds)} each"
        verdicts = f"{one.passed} passed, {one.again} again, {one.failed} failed"
        lines.append(
            f"  {one.grader}: {words.plural(one.grades, 'grade')}, {verdicts}, {one.points:.0%} of points{seconds}"
        )
    if agreement.trials:
        alpha = "unknown" if agreement.ordinal.value is None else f"{agreement.ordinal.value:.2f}"
        lines.append(
            f"  two graders agree on {agreement.equal.value:.0%} of {words.plural(agreement.trials, 'trial')}, "
            f"alpha {alpha} (ordinal)"
        )
    return "\n".join(lines)


def _share(report: Report) -> str:
    share = report.passed_share
    return "" if share.value is None else f"{share.value:.1%} of those who took it"
