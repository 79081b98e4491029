"""A writer is told whether a question holds and how many tries are left, and waits for no solver in vain."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.solving import asking, judging
from annotation.solving.models import Challenge

HARD, EASY = "Is a windmill silent?", "Is this easy?"


def judge_all():
    for pk in Challenge.objects.filter(state="waiting").values_list("pk", flat=True):
        judging.judge(pk)


def later(challenge_state="waiting"):
    Challenge.objects.filter(state=challenge_state).update(asked_at=timezone.now() - asking.patience())


def test_a_question_waits_until_the_solvers_have_spoken(desk):
    page = desk.page()
    assert desk.put(page, HARD).state == "waiting"
    judge_all()
    assert desk.put(page, HARD) == asking.Standing("holds", 2)


def test_the_same_text_is_put_to_the_solvers_once(desk):
    page = desk.page()
    for _ in range(3):
        desk.put(page, HARD)
    assert Challenge.objects.count() == 1


def test_each_question_that_is_solved_costs_a_try_until_none_is_left(desk):
    page = desk.page()
    for number, left in ((1, 1), (2, 0)):
        desk.put(page, f"Is number {number} easy?")
        judge_all()
        standing = desk.put(page, f"Is number {number} easy?")
        assert standing.tries_left == left
    assert standing.state == "spent"
    # Whatever comes now may be handed in; it is judged afterwards.
    assert desk.put(page, "Is a third one easy?") == asking.Standing("spent", 0)
    assert desk.gate(page, "Is a third one easy?") == []


def test_a_question_that_holds_costs_no_try(desk):
    page = desk.page()
    desk.put(page, HARD)
    judge_all()
    assert desk.put(page, EASY).tries_left == 2


def test_whoever_returns_a_hit_and_takes_it_again_has_no_new_tries(desk):
    (first, item), worker = desk.page(desk.worker), desk.worker
    desk.put((first, item), EASY)
    judge_all()
    from tests.factories import make_assignment

    again = make_assignment(first.hit, worker, state="open")
    assert desk.put((again, item), "Is another easy?").tries_left == 1


def test_the_tries_of_others_do_not_count(desk):
    (first, item) = desk.page()
    desk.put((first, item), EASY)
    judge_all()
    from tests.factories import make_assignment

    other = make_assignment(first.hit, state="open")
    assert desk.put((other, item), EASY) == asking.Standing("waiting", 2)


def test_nobody_probes_the_solvers_without_end(desk):
    page = desk.page()
    for number in range(asking.MOST_CHALLENGES):
        desk.put(page, f"Is windmill {number} silent?")
    assert desk.put(page, HARD).state == "spent"
    assert Challenge.objects.count() == asking.MOST_CHALLENGES


class TestAtTheGate:
    def test_an_untried_question_is_tried_and_comes_back_once(self, desk):
        page = desk.page()
        assert desk.gate(page, HARD) == ["is_being_tried"]
        assert desk.gate(page, HARD) == ["is_being_tried"]
        judge_all()
        assert desk.gate(page, HARD) == []

    def test_a_solved_question_comes_back_while_tries_are_left(self, desk):
        page = desk.page()
        desk.gate(page, EASY)
        judge_all()
        assert desk.gate(page, EASY) == ["was_solved"]

    def test_when_the_solvers_do_not_come_the_question_is_taken_all_the_same(self, desk):
        page = desk.page()
        desk.gate(page, HARD)
        later()
        assert desk.gate(page, HARD) == []

    def test_what_was_taken_stays_taken_when_it_is_sent_again(self, desk):
        page = desk.page()
        desk.gate(page, EASY)
        later()
        desk.hand_in(page, EASY)
        judge_all()
        assert desk.gate(page, EASY) == []

    def test_a_question_that_is_none_yet_is_left_to_the_checks(self, desk):
        page = desk.page()
        assert desk.gate(page, "Is it") == []
        assert not Challenge.objects.exists()

    def test_without_groups_nobody_is_asked(self, desk):
        desk.change(groups=[])
        assert desk.gate(desk.page(), EASY) == []
        assert not Challenge.objects.exists()


def test_the_worker_is_never_told_which_solver_or_why(desk):
    page = desk.page()
    desk.put(page, EASY)
    judge_all()
    said = str(desk.put(page, EASY))
    assert not [word for word in ("words", "letters", "PTD", "FNTD", "0.75", "yes") if word in said]


@pytest.mark.parametrize("replaces", [True])
def test_other_work_in_its_place_is_what_was_handed_in(desk, replaces):
    page = desk.page()
    first = desk.hand_in(page, HARD)
    assignment, item = page
    from annotation.hits.sheets import sheet_of
    from tests.annotation.solving.conftest import FACTS, KIND

    answers = {item.pk: KIND.Answer(question="Is a mill a house?", facts=FACTS)}
    asking.keep_handed_in(
        sheet=sheet_of(assignment.hit.token), assignment=assignment, answers=answers, replaces=replaces
    )
    first.refresh_from_db()
    assert not first.is_handed_in
    assert Challenge.objects.get(is_handed_in=True).text == "Is a mill a house?"


def test_a_challenge_is_late_after_seconds_and_not_after_minutes():
    assert timedelta(seconds=5) <= asking.patience() <= timedelta(seconds=30)
