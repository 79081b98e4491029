import pytest

from annotation.hits.models import HIT, Assignment
from annotation.trials.deciding import take_in
from annotation.trials.models import Programme, Trial
from annotation.trials.programmes import Known, add_items, make_programme
from annotation.workers.models import Qualification
from tests.factories import QUESTION, make_answer, make_assignment, make_hit, make_project, make_user, make_worker

GOOD = {"answers": ["gravity"], "category": "single"}
POINTS = {"right": 2, "follows_instructions": 2, "care": 1}


@pytest.fixture
def project(db):
    return make_project("forces", stage={"items_per_hit": 2})


@pytest.fixture
def programme(project) -> Programme:
    """A test of two items, whose qualification is at the marketplace."""
    made = make_programme(
        stage=project.stages.get(), name="Science answers", description="Passed our test.", most_attempts=2
    )
    add_items(programme=made, items=[Known(f"trial-{number}", QUESTION, GOOD) for number in range(4)])
    Qualification.objects.update(state=Qualification.State.READY, type_id="TYPE1")
    return Programme.objects.select_related("qualification", "stage__project").get(pk=made.pk)


@pytest.fixture
def take(programme):
    """Lets a worker take a set of the test; the marketplace has confirmed it."""

    def taken(worker=None, *, place: int = 0, state: str = Assignment.State.SUBMITTED) -> Trial:
        items = [one.item for one in programme.trial_items.all()][2 * place : 2 * place + 2]
        hit = HIT.objects.filter(items=items[0]).first() or make_hit(
            programme.stage.project, *items, trial_of=programme.qualification, max_assignments=9
        )
        assignment = make_assignment(hit, worker or make_worker(), state=state)
        for item in items:
            make_answer(item, GOOD, assignment=assignment, counts=False)
        take_in(project=programme.stage.project)
        return Trial.objects.get(assignment=assignment)

    return taken


@pytest.fixture
def graders(project):
    return make_user("ana", project=project), make_user("ben", project=project)
