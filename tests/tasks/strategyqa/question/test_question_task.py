"""CQW: the expected answer evens out, and a question that the solvers answered is kept as rejected."""

import random
from collections import Counter

import pytest

from tasks.base import Judgement
from tasks.registry import task_type
from tasks.strategyqa.shapes import Question, Term

KIND = task_type("strategyqa.question")
TERM = Term(term="Windmill", description="A mill that is driven by the wind", expected="yes")


def judgement(question="Is a windmill silent?", key=1, solvers=""):
    answer = KIND.Answer(question=question, facts=["Windmills turn.", "What turns makes noise."])
    return Judgement("worker", answer, key, solvers)


def test_the_expected_answer_is_drawn_against_the_share_so_far():
    draws = lambda so_far: Counter(  # noqa: E731
        KIND.draw(Term(term="Windmill"), so_far, random.Random(seed)).expected for seed in range(400)
    )
    assert 150 < draws({})["yes"] < 250
    assert 340 < draws({"yes": 10, "no": 90})["yes"] < 400
    assert draws({"yes": 98})["yes"] < 20


def test_an_expected_answer_from_the_source_file_stays():
    assert KIND.draw(TERM, {"yes": 100}, random.Random(1)) is None


@pytest.mark.parametrize("solvers", ["", "holds"])
def test_a_question_that_holds_goes_on_with_its_term_answer_and_facts(solvers):
    outcome = KIND.aggregate(TERM, [judgement(solvers=solvers)], KIND.Settings())
    assert outcome.state == "settled"
    assert Question.model_validate(outcome.value) == Question(
        term="Windmill",
        description="A mill that is driven by the wind",
        question="Is a windmill silent?",
        answer=True,
        facts=["Windmills turn.", "What turns makes noise."],
    )


def test_a_question_that_the_solvers_answered_is_kept_as_rejected():
    outcome = KIND.aggregate(TERM, [judgement(solvers="solved")], KIND.Settings())
    assert (outcome.state, outcome.reason.partition(":")[0]) == ("rejected", "solved")
    assert outcome.value["question"] == "Is a windmill silent?"


def test_of_several_questions_the_first_that_holds_is_taken():
    three = [judgement("First?", 1, "solved"), judgement("Second?", 2, "holds"), judgement("Third?", 3, "holds")]
    assert KIND.aggregate(TERM, three, KIND.Settings()).value["question"] == "Second?"


def test_a_question_is_one_line_as_the_solvers_read_it():
    assert KIND.answer_from_form({"question": ["Is a\r\nwindmill silent?"]}).question == "Is a windmill silent?"
    stored = KIND.aggregate(TERM, [judgement("Is a\nwindmill silent?")], KIND.Settings())
    assert stored.value["question"] == "Is a windmill silent?"


def test_solvers_are_asked_the_question_alone_and_know_the_right_answer_only_afterwards():
    puzzle = KIND.puzzle(TERM, KIND.Answer(question="  Is a  windmill silent? ", facts=["Windmills turn."]))
    assert (puzzle.text, puzzle.right) == ("Is a windmill silent?", "yes")
    assert KIND.puzzle(TERM, KIND.Answer()) is None
