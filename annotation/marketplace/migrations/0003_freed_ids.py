"""Keep the ids of assignments that were given back with their HIT, instead of looking for them at each accept."""

from django.db import migrations, models

LIVE = ("Accepted", "Submitted", "Approved", "Rejected")
ENDED = ("Returned", "Abandoned")


def gather(apps, schema_editor) -> None:
    """Give each HIT the ids that nobody holds any more."""
    assignments = apps.get_model("marketplace", "Assignment").objects
    hits = apps.get_model("marketplace", "HIT").objects
    live = assignments.filter(status__in=LIVE).values("assignment_id")
    freed: dict[int, dict[str, None]] = {}
    ended = assignments.filter(status__in=ENDED).exclude(assignment_id__in=live).order_by("id")
    for hit_id, assignment_id in ended.values_list("hit_id", "assignment_id"):
        freed.setdefault(hit_id, {})[assignment_id] = None
    for hit_id, ids in freed.items():
        hits.filter(pk=hit_id).update(freed_ids=list(ids))


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0002_market_and_outbox")]

    operations = [
        migrations.AddField("hit", "freed_ids", models.JSONField(default=list)),
        migrations.RunPython(gather, migrations.RunPython.noop),
    ]
