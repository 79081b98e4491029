"""An item whose question is held waits, paid, until the solvers have spoken; then it is accepted or rejected."""

import pytest

from annotation.projects.models import Item
from annotation.review.models import Outcome
from annotation.review.settling import settle
from annotation.solving import asking, judging
from annotation.solving.models import Challenge
from annotation.solving.queries import facts_of, rejected_questions

HARD, EASY = "Is a windmill silent?", "Is this easy?"


def settled(desk):
    asking.ask_missing(project=desk.stage.project)
    settle(project=desk.stage.project)
    return dict(Item.objects.values_list("key", "state"))


@pytest.mark.parametrize(("question", "state", "code"), [(HARD, "accepted", ""), (EASY, "rejected", "solved")])
def test_a_held_question_is_judged_later_and_then_decided(desk, question, state, code):
    challenge = desk.hand_in(desk.page(), question)
    assert set(settled(desk).values()) == {"answered"}
    judging.judge(challenge.pk)
    assert set(settled(desk).values()) == {state}
    assert Item.objects.get().reason.partition(":")[0] == code
    assert Outcome.objects.get().value["question"] == question


def test_a_question_of_another_item_does_not_wait(desk):
    held, judged = desk.hand_in(desk.page(), HARD), desk.hand_in(desk.page(), HARD)
    judging.judge(judged.pk)
    found = settled(desk)
    assert found[judged.item.key] == "accepted"
    assert found[held.item.key] == "answered"


def test_work_that_only_the_marketplace_kept_is_put_to_the_solvers_afterwards(desk):
    challenge = desk.hand_in(desk.page(), EASY)
    Challenge.objects.all().delete()
    assert set(settled(desk).values()) == {"answered"}
    again = Challenge.objects.get()
    assert (again.text, again.is_handed_in) == (challenge.text, True)
    judging.judge(again.pk)
    assert set(settled(desk).values()) == {"rejected"}


def test_an_answer_that_holds_no_question_is_not_waited_for(desk):
    desk.hand_in(desk.page(), HARD)
    Challenge.objects.all().delete()
    Item.objects.get().answers.update(data={"question": "no question", "facts": []})
    settled(desk)
    assert set(settled(desk).values()) == {"accepted"}


def test_without_solvers_nothing_waits(desk):
    desk.change(groups=[])
    page = desk.page()
    from tests.annotation.solving.conftest import FACTS
    from tests.factories import make_answer

    make_answer(page[1], {"question": EASY, "facts": FACTS}, assignment=page[0])
    Item.objects.update(state=Item.State.ANSWERED)
    assert set(settled(desk).values()) == {"accepted"}


class TestWhatIsTold:
    @pytest.fixture
    def judged(self, desk):
        """One question that held, and one handed in after another that was tried."""
        page = desk.page()
        desk.put(page, "Is the first easy?")
        for challenge in (desk.hand_in(desk.page(), HARD), desk.hand_in(page, EASY)):
            judging.judge(challenge.pk)
        judging.judge(Challenge.objects.get(text="Is the first easy?").pk)
        left_open = desk.page()
        desk.put(left_open, "Is an easy one left?")
        judging.judge(Challenge.objects.get(assignment=left_open[0]).pk)
        desk.hand_in(desk.page(), "Is it held?")
        return desk

    def test_rejected_questions_are_those_handed_in_and_those_tried_before(self, judged):
        found = rejected_questions(judged.stage.project, stage="question")
        assert [(each.text, each.is_handed_in) for each in found] == [(EASY, True), ("Is the first easy?", False)]
        assert {each.key for each in found} == {Item.objects.get(pk=found[0].item).key}
        assert rejected_questions(judged.stage.project, stage="other") == []

    def test_a_researcher_sees_what_waits_and_how_often_each_solver_was_right(self, judged):
        facts = facts_of(judged.stage)
        assert (facts.held, facts.counts) == (1, {"waiting": 1, "holds": 1, "solved": 3})
        assert [
            (name, at, [(each.name, each.asked, each.right) for each in those]) for name, at, those in facts.groups
        ] == [
            ("PTD", 1, [("PTD/letters", 4, 3)]),
            ("FNTD", 1, [("FNTD/words", 4, 3)]),
        ]
