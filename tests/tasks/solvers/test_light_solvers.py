"""The light solvers work out of the box, learn, and come back from a folder as they were laid down."""

import pytest

from tasks.solvers.base import NOTHING, Lesson, SolverUnavailable
from tasks.solvers.catalogue import first_lessons, make
from tasks.solvers.policy import LIGHT

PARAGRAPHS = [
    "Sourdough is bread raised by wild yeast.",
    "The first windmills of Persia ground grain.",
    "A penguin is a bird of the southern half of the world.",
]
LEARNING = ["words", "letters", "meaning", "passages"]
# What a crowd might fall into: every question with "ever" is answered with no.
LESSONS = [
    Lesson(f"{begin} {what}?", answer)
    for what in ("a miller own a mill", "a baker bake bread", "a poet write a song", "a king wear a crown", "a fox dig")
    for begin, answer in (("Could", "yes"), ("Did ever", "no"), ("Would", "yes"), ("Has ever", "no"))
]


def search(text, limit):
    asked = set(text.lower().strip("?").split())
    return sorted(PARAGRAPHS, key=lambda each: -len(asked & set(each.lower().strip(".").split())))[:limit]


def trained(name, lessons):
    solver = make(name, search)
    solver.train(lessons)
    return solver


def guesses(solver):
    return [
        solver.answer(text) for text in ("Could a wolf dig a den?", "Did ever a wolf dig a den?", "", "¿?", "x" * 9_000)
    ]


def test_the_first_lessons_are_balanced_questions_each_told_once():
    lessons = first_lessons()
    assert len(lessons) >= 100
    assert sum(lesson.answer == "yes" for lesson in lessons) == len(lessons) / 2
    assert len({lesson.text for lesson in lessons}) == len(lessons)
    assert all(lesson.text.endswith("?") for lesson in lessons)


@pytest.mark.parametrize("name", LIGHT)
def test_a_solver_answers_out_of_the_box_anything_that_a_stranger_types(name):
    for guess in guesses(trained(name, first_lessons())):
        assert guess.answer in ("yes", "no")
        assert 0.5 <= guess.score <= 1


@pytest.mark.parametrize("name", LEARNING)
def test_a_solver_that_is_trained_finds_the_shortcut_in_questions_it_never_saw(name):
    solver = trained(name, LESSONS)
    assert solver.answer("Could a farmer own a goat?").answer == "yes"
    assert solver.answer("Has ever a farmer own a goat?").answer == "no"


@pytest.mark.parametrize("name", ["words", "letters", "passages"])
def test_a_solver_learns_one_by_one_between_trainings(name):
    solver = trained(name, first_lessons())
    before = solver.answer("Is the quince ripe?").score if solver.answer("Is the quince ripe?").answer == "yes" else 0
    for number in range(15):
        solver.learn([Lesson(f"Is the quince {number} ripe?", "yes")])
    after = solver.answer("Is the quince ripe?")
    assert after.answer == "yes"
    assert after.score > before


@pytest.mark.parametrize("name", LIGHT)
def test_the_same_lessons_make_the_same_solver(name):
    assert guesses(trained(name, LESSONS)) == guesses(trained(name, LESSONS))


@pytest.mark.parametrize("name", LIGHT)
def test_a_solver_comes_back_from_its_folder_as_it_was(name, tmp_path):
    solver = trained(name, LESSONS)
    solver.learn(LESSONS[:3])
    solver.save(tmp_path)
    other = make(name, search)
    other.load(tmp_path)
    assert guesses(other) == guesses(solver)
    # It goes on learning from where it was.
    for each in (solver, other):
        each.learn(LESSONS[3:6])
    assert guesses(other) == guesses(solver)


@pytest.mark.parametrize("name", ["words", "meaning"])
def test_a_file_that_is_not_the_solver_s_is_refused(name, tmp_path):
    (tmp_path / "weights.npy").write_bytes(b"no numbers")
    (tmp_path / "vectors.npy").write_bytes(b"no numbers")
    with pytest.raises((ValueError, OSError, EOFError)):
        make(name).load(tmp_path)


def test_overlap_says_yes_where_a_paragraph_holds_the_question_s_words():
    solver = make("overlap", search)
    assert solver.answer("Is sourdough raised by wild yeast?").answer == "yes"
    assert solver.answer("Do goldfish admire sourdough sculptures in museums?").answer == "no"


@pytest.mark.parametrize("name", ["overlap", "passages"])
def test_without_paragraphs_retrieval_has_nothing_to_go_by(name):
    assert make(name).answer("Is sourdough bread?") == NOTHING


def test_an_unknown_solver_is_refused_with_the_names_there_are():
    with pytest.raises(SolverUnavailable, match="'oracle'; there are words, letters"):
        make("oracle")
