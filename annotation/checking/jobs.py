"""What runs on the `live` queue. The database owns what is to be checked; a lost message is found by the sweep."""

import logging

from celery.exceptions import SoftTimeLimitExceeded

from annotation.celery import app
from annotation.checking import live, preparing
from annotation.waking import wake

logger = logging.getLogger(__name__)

# Checks run on text from strangers: whatever one of them gets stuck in ends here.
SECONDS_FOR_A_DRAFT = 10
DRAFTS_A_SWEEP = 500
SECONDS_UNTIL_THE_NEXT_SWEEP = 30
# Short, so that other jobs of the same worker get their turn in between.
SECONDS_TO_PREPARE = 3


@app.task(soft_time_limit=SECONDS_FOR_A_DRAFT - 2, time_limit=SECONDS_FOR_A_DRAFT)
def check_draft(assignment_pk: int, revision: int) -> None:
    """Check a draft that was saved as `revision`; if a newer one is there by now, that one instead."""
    try:
        live.check_draft(assignment_pk=int(assignment_pk))
    except SoftTimeLimitExceeded:
        logger.warning(
            "the checks of assignment %s, revision %s, took too long and were ended", assignment_pk, revision
        )
        # Neither page nor sweep waits for this draft again; the gate checks it from the beginning.
        live.keep(assignment_pk=int(assignment_pk), revision=int(revision), findings=live.UNFINISHED)


@app.task(time_limit=60)
def sweep() -> None:
    """Wake the checks of drafts whose message was lost."""
    for assignment_pk, revision in live.behind().values_list("pk", "draft_revision")[:DRAFTS_A_SWEEP]:
        check_draft.apply_async((assignment_pk, revision), expires=SECONDS_UNTIL_THE_NEXT_SWEEP)


@app.task(soft_time_limit=100, time_limit=120)
def prepare_items() -> None:
    """Work out what the items on offer need before somebody opens them; goes on with another message."""
    if preparing.prepare_due(seconds=SECONDS_TO_PREPARE):
        wake(prepare_items)
