"""The scripted expert at the review pages of a live site."""

from __future__ import annotations

import pytest

from annotation.projects.models import Project
from annotation.review.actions import settle
from annotation.review.models import Outcome, Review
from annotation.simulation.browser import Unexpected
from annotation.simulation.expert import Expert, operations_of
from annotation.simulation.people import hire_expert, let_go
from annotation.simulation.run import FIRST_EXPERT, Run
from tasks.arc_da.simulation import Knowledge, Known
from tasks.simulation import Verdict, simulation_of
from tests import factories

QUESTION = factories.QUESTION["question"]
KNOWN = Known(
    key="ARCEZ_1",
    seats=(("gravity",), ("gravity",), ("the pull of Earth",), ("gravity",), ("gravitation",)),
    right_option="gravity",
)


@pytest.fixture
def project(transactional_db) -> Project:
    return factories.make_project("falling", stage={"blind_share": 0.0})


def _answered(project: Project, key: str, *texts: str) -> None:
    answers = [{"answers": [text], "category": "single"} for text in texts]
    factories.make_answered_item(project, *answers, key=key)


def _expert(project: Project, live_server, known: Known = KNOWN, show: str = "", name: str = "expert") -> Expert:
    expert = Expert(
        site=live_server.url,
        name=name,
        password=hire_expert(project=project, name=name),
        project=project.slug,
        simulation=simulation_of("arc_da"),
        knowledge=Knowledge({QUESTION: [known]}),
        show=show,
    )
    expert.enter()
    return expert


def _texts(outcome: Outcome) -> list[str]:
    return [answer["text"] for answer in outcome.final["answers"]]


def test_good_answers_stay_and_wrong_ones_go(project: Project, live_server) -> None:
    _answered(project, "ARCEZ_1", "gravity", "gravity", "magnetism")
    _answered(project, "ARCEZ_2", "gravity", "gravity", "gravitation")
    settle(project=project)
    expert = _expert(project, live_server)

    expert.review()

    first, second = Outcome.objects.order_by("item__key")
    assert (first.state, _texts(first)) == ("accepted", ["gravity"])
    assert (second.state, set(_texts(second))) == ("accepted", {"gravity", "gravitation"})
    assert expert.decisions["accept"] == 2
    assert set(Review.objects.values_list("reviewer__username", flat=True)) == {"expert"}


def test_an_unknown_question_is_rejected_with_a_reason(project: Project, live_server) -> None:
    _answered(project, "ARCEZ_1", "gravity", "gravity")
    settle(project=project)
    expert = _expert(project, live_server)
    expert.knowledge = Knowledge({})
    expert.review()
    outcome = Outcome.objects.get()
    assert (outcome.state, bool(outcome.reason)) == ("rejected", True)


def test_a_released_list_comes_out_exactly_although_the_page_warns(project: Project, live_server) -> None:
    wanted = ["gravity", "REMOVE", "Gravity", "29  1/2 days", "a; b"]
    _answered(project, "ARCEZ_1", "gravity", "gravity", "magnetism")
    settle(project=project)
    known = Known("ARCEZ_1", KNOWN.seats, "gravity", released=("What pulls a ball down", tuple(wanted)))
    expert = _expert(project, live_server, known)

    expert.review()

    outcome = Outcome.objects.get()
    assert (outcome.final["question"], _texts(outcome)) == ("What pulls a ball down", wanted)
    assert expert.decisions["confirmed"] == 1


def test_what_a_rule_rejected_is_accepted_after_all_on_a_second_look(project: Project, live_server) -> None:
    _answered(project, "ARCEZ_1", "apples", "pears")
    settle(project=project)
    assert Outcome.objects.get().state == "rejected"
    known = Known("ARCEZ_1", KNOWN.seats, "gravity", released=(QUESTION, ("gravity",)))
    expert = _expert(project, live_server, known)

    expert.review()
    assert Outcome.objects.get().state == "rejected"
    assert expert.look_again() == 1

    outcome = Outcome.objects.get()
    assert (outcome.state, _texts(outcome)) == ("accepted", ["gravity"])


def test_a_second_expert_decides_blindly(transactional_db, live_server) -> None:
    project = factories.make_project("twice", stage={"blind_share": 1.0})
    _answered(project, "ARCEZ_1", "gravity", "gravity")
    settle(project=project)
    _expert(project, live_server).review()
    _expert(project, live_server, show="blind", name="second").review()
    assert list(Review.objects.order_by("id").values_list("reviewer__username", "is_blind")) == [
        ("expert", False),
        ("second", True),
    ]


def test_who_was_let_go_can_not_sign_in(project: Project, live_server) -> None:
    expert = _expert(project, live_server)
    let_go(name="expert")
    expert.browser.session.cookies.clear()
    with pytest.raises(Unexpected, match="expert to be let in"):
        expert.enter()


def test_what_a_verdict_leaves_alone_needs_no_operation() -> None:
    value = {"question": QUESTION, "answers": [{"text": "gravity"}]}
    verdict = Verdict(texts={"question": QUESTION}, removed={"answers": []}, added={"answers": []})
    assert operations_of(verdict, value) == []
    assert operations_of(Verdict("reject", "open", removed={"answers": [0]}), value) == []


def test_two_runs_at_a_time_have_experts_of_their_own(project: Project, live_server, settings) -> None:
    settings.TASK_URL = live_server.url
    _answered(project, "ARCEZ_1", "gravity", "gravity", "magnetism")
    settle(project=project)
    known = Knowledge({QUESTION: [KNOWN]})
    one, other = (Run(project=each, workers=1, seed=1, knowledge=known) for each in (project, factories.make_project()))

    with one._expert(FIRST_EXPERT) as expert:
        with other._expert(FIRST_EXPERT) as second:
            assert second.name != expert.name
        expert.review()

    assert Review.objects.get().reviewer.username == expert.name
