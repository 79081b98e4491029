from annotation.command import Command as Base
from annotation.projects.models import Project
from annotation.projects.queries import item_counts


class Command(Base):
    help = "List the projects, with how many items stand where."
    example = "./crowdwright projects --json"

    def handle(self, **options) -> None:
        rows = []
        for project in Project.objects.order_by("slug"):
            counts = item_counts(project)
            sums: dict[str, int] = {}
            for states in counts.values():
                for state, count in states.items():
                    sums[state] = sums.get(state, 0) + count
            rows.append(
                {
                    "project": project.slug,
                    "name": project.name,
                    "pipeline": project.pipeline,
                    "environment": project.environment,
                    "state": project.state,
                    "items": sums,
                }
            )
        self.report(rows, "\n".join(map(_line, rows)) or "There are no projects yet: see `create --help`.")


def _line(row: dict) -> str:
    standing = ", ".join(f"{count:,} {state}" for state, count in row["items"].items() if count) or "no items"
    return f"{row['project']} ({row['state']}, {row['pipeline']}, {row['environment']}): {standing}"
