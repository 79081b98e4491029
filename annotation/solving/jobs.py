"""What runs on the queues `solvers` (somebody waits for it) and `training` (nobody does)."""

import logging

from celery.exceptions import SoftTimeLimitExceeded

from annotation.celery import app
from annotation.events.actions import acting_as
from annotation.solving import judging, training

logger = logging.getLogger(__name__)

SECONDS_FOR_A_QUESTION = 60
SECONDS_FOR_A_TRAINING = int(training.TAKES_AT_MOST.total_seconds())
QUESTIONS_A_SWEEP = 200
SECONDS_UNTIL_THE_NEXT_SWEEP = 15


@app.task(soft_time_limit=SECONDS_FOR_A_QUESTION - 5, time_limit=SECONDS_FOR_A_QUESTION)
def judge(challenge_pk: int) -> None:
    """Ask the solvers about one question."""
    with acting_as("solvers"):
        try:
            judging.judge(int(challenge_pk))
        except SoftTimeLimitExceeded:
            logger.warning("the solvers took too long over challenge %s; it is held", challenge_pk)


@app.task(soft_time_limit=SECONDS_FOR_A_TRAINING - 60, time_limit=SECONDS_FOR_A_TRAINING)
def train(version_pk: int) -> None:
    """Train one version of one solver."""
    with acting_as("solvers"):
        training.train(int(version_pk))


@app.task(time_limit=60)
def sweep() -> None:
    """Wake what was missed: questions that are held, trainings that nobody took up or whose worker died."""
    for pk in judging.overdue().values_list("pk", flat=True)[:QUESTIONS_A_SWEEP]:
        judge.apply_async((pk,), expires=SECONDS_UNTIL_THE_NEXT_SWEEP)
    with acting_as("solvers"):
        training.give_up_dead()
    for pk in training.forgotten():
        train.apply_async((pk,), expires=60)
