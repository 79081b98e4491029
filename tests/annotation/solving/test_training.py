"""Solvers learn what is accepted; a training is swapped in whole or not at all, and never holds anything up."""

from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone

from annotation.events.models import Event
from annotation.projects.models import Item
from annotation.solving import judging, seats, training
from annotation.solving.models import Challenge, Lesson, SolverVersion
from tasks.solvers.base import Lesson as Told

LEARNER, FIXED = "FNTD/words", "PTD/letters"


def accepted(desk, number, begin=0):
    """So many questions, written, judged and accepted."""
    made = []
    for place in range(begin, begin + number):
        challenge = desk.hand_in(desk.page(), f"Is windmill {place} silent?")
        judging.judge(challenge.pk)
        made.append(challenge)
    desk.accept(*made)
    return made


def take(desk):
    return training.take_lessons(project=desk.stage.project)


def attempt(desk, question, solver=LEARNER):
    page = desk.page()
    desk.put(page, question)
    challenge = Challenge.objects.get(assignment=page[0])
    judging.judge(challenge.pk)
    return challenge.attempts.get(solver=solver)


def current():
    return SolverVersion.objects.get(solver=LEARNER, is_current=True)


def test_between_trainings_a_learning_solver_learns_each_accepted_question(desk):
    assert attempt(desk, "Is windmill 1 silent?").answer == "no"
    accepted(desk, 3)
    assert take(desk) == 3
    learnt = attempt(desk, "Is windmill 1 silent?")
    assert (learnt.answer, learnt.version) == ("yes", "0+3")
    # The fixed one does not.
    assert attempt(desk, "Is windmill 1 silent?", FIXED).version == "0"
    assert attempt(desk, "Is windmill 1 silent?", FIXED).answer == "no"


def test_a_question_is_a_lesson_once_and_only_when_it_held_and_was_accepted(desk):
    accepted(desk, 2)
    solved = desk.hand_in(desk.page(), "Is this easy?")
    judging.judge(solved.pk)
    desk.accept(solved)
    desk.hand_in(desk.page(), "Is it not accepted?")
    take(desk)
    take(desk)
    assert Lesson.objects.count() == 2


def test_every_process_comes_to_the_same_solver_by_itself(desk):
    accepted(desk, 3)
    take(desk)
    one = attempt(desk, "Is windmill 2 silent?")
    seats.forget()
    other = attempt(desk, "Is windmill 2 silent?")
    assert (one.version, one.answer, one.score) == (other.version, other.answer, other.score)


def test_after_enough_accepted_questions_a_training_is_ordered_once_for_learning_solvers(desk):
    accepted(desk, 9)
    take(desk)
    assert not SolverVersion.objects.exists()
    accepted(desk, 1, begin=9)
    take(desk)
    take(desk)
    (version,) = SolverVersion.objects.all()
    assert (version.solver, version.number, version.state) == (LEARNER, 1, "ordered")


def test_until_a_training_is_done_the_version_before_it_answers(desk):
    accepted(desk, 10)
    take(desk)
    assert attempt(desk, "Is windmill 3 silent?").version == "0+10"
    assert training.train(SolverVersion.objects.get().pk) == "ready"
    assert attempt(desk, "Is windmill 3 silent?").version == "1+0"
    accepted(desk, 2, begin=10)
    take(desk)
    assert attempt(desk, "Is windmill 3 silent?").version == "1+2"


def test_a_version_says_on_what_it_was_trained_and_what_its_files_are(desk, storage):
    accepted(desk, 10)
    take(desk)
    training.train(SolverVersion.objects.get().pk)
    version = current()
    # One lesson to begin with, and ten that were accepted.
    assert (version.lessons, version.last_lesson) == (11, Lesson.objects.latest("pk").pk)
    assert len(version.digest) == 64
    assert (storage / version.folder / "known.txt").is_file()
    assert Event.objects.get(verb="solver.trained").data["digest"] == version.digest


def test_an_acceptance_that_was_taken_back_is_not_learnt_again(desk):
    made = accepted(desk, 10)
    take(desk)
    Item.objects.filter(challenges=made[0]).update(state=Item.State.REJECTED)
    training.train(SolverVersion.objects.get().pk)
    assert current().lessons == 10


def test_there_is_never_more_than_one_current_version(desk):
    accepted(desk, 10)
    take(desk)
    training.train(SolverVersion.objects.get().pk)
    with pytest.raises(IntegrityError):
        SolverVersion.objects.create(stage=desk.stage, solver=LEARNER, number=9, is_current=True)


class TestATrainingThatFails:
    @pytest.fixture
    def failed(self, desk, monkeypatch):
        accepted(desk, 10)
        take(desk)
        with monkeypatch.context() as broken:
            broken.setattr("annotation.solving.files.save", self._no_room)
            assert training.train(SolverVersion.objects.get().pk) == "failed"
        return SolverVersion.objects.get()

    @staticmethod
    def _no_room(solver, version):
        raise OSError("no room left on the disk")

    def test_it_is_visible_with_its_reason(self, failed):
        assert (failed.state, failed.error, failed.is_current) == ("failed", "no room left on the disk", False)
        assert Event.objects.get(verb="solver.training_failed").data["reason"] == "no room left on the disk"

    def test_collection_goes_on_with_the_version_before_it(self, desk, failed):
        assert attempt(desk, "Is windmill 3 silent?").version == "0+10"

    def test_it_is_tried_again_after_a_while(self, desk, failed):
        take(desk)
        assert SolverVersion.objects.count() == 1
        SolverVersion.objects.update(finished_at=timezone.now() - training.AGAIN_AFTER)
        take(desk)
        again = SolverVersion.objects.get(number=2)
        assert training.train(again.pk) == "ready"

    def test_nothing_half_written_is_left(self, failed, storage):
        assert not [path for path in storage.rglob("*") if path.is_file()]


def test_a_training_whose_worker_died_counts_as_failed(desk):
    accepted(desk, 10)
    take(desk)
    version = SolverVersion.objects.get()
    assert training._claim(version.pk)
    assert training.give_up_dead() == 0
    SolverVersion.objects.update(claimed_at=timezone.now() - training.LIGHT_TAKES_AT_MOST - timedelta(minutes=1))
    assert training.give_up_dead() == 1
    version.refresh_from_db()
    assert version.state == "failed"
    # Should it be alive after all: what is given up does not come back.
    assert not training._swap_in(version, lessons=1, last_lesson=1, folder="", digest="")
    version.refresh_from_db()
    assert (version.state, version.is_current) == ("failed", False)


def test_a_classifier_has_hours(desk):
    SolverVersion.objects.create(
        stage=desk.stage,
        solver="FNTD/transformer:roberta-base",
        number=1,
        state="training",
        claimed_at=timezone.now() - timedelta(hours=1),
    )
    assert training.give_up_dead() == 0


def test_two_workers_do_not_train_the_same_version(desk):
    accepted(desk, 10)
    take(desk)
    pk = SolverVersion.objects.get().pk
    assert training.train(pk) == "ready"
    assert training.train(pk) == ""


@pytest.mark.parametrize("damage", ["gone", "changed"])
def test_a_version_whose_files_are_damaged_is_put_aside_and_trained_anew(desk, storage, damage):
    accepted(desk, 10)
    take(desk)
    training.train(SolverVersion.objects.get().pk)
    path = storage / current().folder / "known.txt"
    path.unlink() if damage == "gone" else path.write_text("something else")
    seats.forget()
    page = desk.page()
    desk.put(page, "Is a windmill silent?")
    challenge = Challenge.objects.get(assignment=page[0])
    assert judging.judge(challenge.pk) == "waiting"
    # Asked again, the solver begins from its lessons; a new training is on its way.
    assert judging.judge(challenge.pk) == "holds"
    assert challenge.attempts.get(solver=LEARNER).version == "0+10"
    assert list(SolverVersion.objects.order_by("number").values_list("state", flat=True)) == ["failed", "ordered"]


def test_lessons_of_one_s_own_take_the_place_of_those_that_come_with_us(desk):
    given = [Told("Is it given?", "yes"), Told("Is it taken?", "no")]
    assert attempt(desk, "Is it given?", FIXED).answer == "no"
    assert training.give_lessons(stage=desk.stage, lessons=given) == 2
    assert attempt(desk, "Is it given?", FIXED).answer == "yes"
    training.give_lessons(stage=desk.stage, lessons=given[1:])
    assert Lesson.objects.count() == 1
