from dataclasses import asdict

from annotation.desk import words
from annotation.desk.queries import problems_of, size_of
from annotation.hits.queries import spending
from annotation.projects.commanding import ProjectCommand, find_project
from annotation.releases.queries import newest_release
from annotation.review import figures


class Command(ProjectCommand):
    help = "How a project stands: the funnel, progress, money, what needs a person."
    example = "./crowdwright status demo"

    def handle(self, *, project: str, **options) -> None:
        found = find_project(project)
        newest = newest_release(found)
        steps = figures.funnel(found, released=size_of(newest))
        progress = [figures.progress(stage) for stage in found.stages.filter(crowd=True).order_by("position")]
        money, problems = spending(found), problems_of(found).count
        result = {
            "project": found.slug,
            "state": found.state,
            "funnel": [asdict(step) for step in steps],
            "progress": [one.as_dict() for one in progress],
            "spending": asdict(money) | {"free_cents": money.free_cents},
            "problems": problems,
            "release": newest.version if newest else None,
        }
        lines = [f"{found.name} ({found.slug}) is {found.state}."]
        lines += [_step(step) for step in steps]
        for one in progress:
            left = "" if not one.hours_left else f", about {words.span(one.hours_left * 3600)} to go"
            lines.append(f"  {one.stage.name}: {one.collected:,} of {words.plural(one.wanted, 'answer')}{left}")
        lines.append(
            f"  money: {words.dollars(money.spent_cents)} spent, {words.dollars(money.reserved_cents)} promised, "
            f"{words.dollars(money.free_cents)} free of {words.dollars(money.cap_cents)}"
        )
        if problems:
            lines.append(f"  {words.plural(problems, 'thing needs', 'things need')} a person: see the page of problems")
        self.report(result, "\n".join(lines))


def _step(step: figures.Step) -> str:
    lost = f"   ({step.lost:,} {step.lost_label})" if step.lost else ""
    return f"  {step.label:<26}{step.reached:>9,}{lost}"
