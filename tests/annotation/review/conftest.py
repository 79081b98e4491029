import pytest

from tests.factories import make_answered_item, make_project, make_user

GRAVITY = {"answers": ["gravity"], "category": "single"}
SAME = {"answers": ["Gravity."], "category": "single"}
WORDY = {"answers": ["the force of gravity that pulls all things down to the ground"], "category": "single"}
WIND = {"answers": ["wind"], "category": "single"}
UNKNOWN = {"answers": ["don't know"], "category": "unknown"}


@pytest.fixture
def project(db):
    return make_project("forces", stage={"blind_share": 0})


@pytest.fixture
def answered(project):
    """Makes an item of the project that has these answers."""
    return lambda *answers, **fields: make_answered_item(project, *(answers or (GRAVITY, SAME, WIND)), **fields)


@pytest.fixture
def expert(project):
    return make_user("expert", project=project, role="reviewer")


@pytest.fixture
def colleague(project):
    return make_user("colleague", project=project, role="reviewer")
