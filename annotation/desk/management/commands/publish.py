from django.core.management.base import CommandError

from annotation.command import whole_number
from annotation.desk import words
from annotation.desk.commanding import quote_as_text, refuse_unfit
from annotation.desk.queries import is_real_money
from annotation.hits.publishing import publish, quote
from annotation.projects.commanding import ProjectCommand, find_project, find_stage, refusals_as_errors
from annotation.projects.models import Stage


class Command(ProjectCommand):
    help = (
        "Publish a stage's open items. Prints what it will cost and asks; --confirm CENTS says the total of the quote "
        "beforehand, --yes accepts whatever it is (not where real money is spent). With --quote DIGEST the same "
        "command again publishes nothing more."
    )
    example = "./crowdwright publish demo --confirm 13320"
    takes_stage = True
    only_unfinished = False

    def add_arguments(self, parser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--limit", type=whole_number(1), help="Only the first items.")
        agreed = parser.add_mutually_exclusive_group()
        agreed.add_argument("--confirm", type=whole_number(0), metavar="CENTS", help="The quote's total, in cents.")
        agreed.add_argument("--yes", action="store_true", help="Do not ask.")
        parser.add_argument("--quote", metavar="DIGEST", help="Only the very HITs of this quote.")
        parser.add_argument("--below-floor", action="store_true", help="Publish although the pay is below the floor.")

    def handle(self, *, project: str, stage: str | None, limit: int | None, **options) -> None:
        found = find_stage(find_project(project), stage)
        offer = quote(found, limit=limit, only_unfinished=self.only_unfinished)
        refuse_unfit(offer, below_floor=options["below_floor"])
        cents = self._confirmed(found, offer, **options)
        with refusals_as_errors():
            hits = publish(
                stage=found,
                confirmed_cents=cents,
                digest=options["quote"] or offer.digest,
                limit=limit,
                only_unfinished=self.only_unfinished,
                below_floor_ok=options["below_floor"],
            )
        self.report(
            {"hits": len(hits), "cents": cents, "environment": found.project.environment},
            f"{words.plural(len(hits), 'HIT')} planned for {words.dollars(cents)}; the clock sends them "
            f"(or ./crowdwright advance {project}).",
        )

    def _confirmed(self, stage: Stage, offer, *, confirm: int | None, yes: bool, **options) -> int:
        if confirm is not None:
            return confirm
        if yes and not is_real_money(stage.project):
            return offer.total_cents
        if yes:
            raise CommandError(
                f"--yes is not enough where real money is spent: say --confirm {offer.total_cents} if that is meant"
            )
        self.say(quote_as_text(stage, offer))
        try:
            typed = self.ask("Type the total in cents to publish: ")
        except EOFError:
            raise CommandError("nothing was published: nobody confirmed (see --confirm)") from None
        if typed.strip() != str(offer.total_cents):
            raise CommandError(f"nothing was published: expected {offer.total_cents}, found {typed.strip()!r}")
        return offer.total_cents
