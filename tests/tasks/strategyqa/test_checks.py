"""What the checks say of questions, facts and evidence."""

from types import SimpleNamespace

import pytest

from tasks.strategyqa import checks

TERM = SimpleNamespace(term="Fir (tree)")
QUESTION = [
    checks.question_is_empty,
    checks.lacks_question_mark,
    checks.ends_in_several_question_marks,
    checks.question_is_too_long,
    checks.question_is_long,
    checks.asks_for_more_than_yes_or_no,
    checks.leaves_out_the_term,
    checks.fewer_facts_than_needed,
    checks.more_facts_than_taken,
    checks.repeats_a_fact,
    checks.holds_unwelcome_characters,
]
FACTS = ["A fir is tall.", "A house is not."]


def found(functions, item, **answer):
    return {check.__name__ for check in functions if check(item, SimpleNamespace(**answer), {})}


def asked(question, facts=FACTS):
    return found(QUESTION, TERM, question=question, facts=facts)


def test_a_good_question_draws_nothing():
    assert asked("Would a fir look over a house?") == set()
    assert asked("In winter, can firs stay green?") == set()


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("", "question_is_empty"),
        ("Is a fir tall", "lacks_question_mark"),
        ("Is a fir tall??", "ends_in_several_question_marks"),
        ("Is a fir " + "very " * 100 + "tall?", "question_is_too_long"),
        ("Is a fir " + "very " * 30 + "tall?", "question_is_long"),
        ("What is a fir?", "asks_for_more_than_yes_or_no"),
        ("A fir grows tall?", "asks_for_more_than_yes_or_no"),
        ("Is a house tall?", "leaves_out_the_term"),
        ("Is a fir \ud800?", "holds_unwelcome_characters"),
    ],
)
def test_each_fault_of_a_question_is_found(question, fault):
    assert fault in asked(question)


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        (["One."], "fewer_facts_than_needed"),
        (["One.", " "], "fewer_facts_than_needed"),
        ([f"Fact {n}." for n in range(6)], "more_facts_than_taken"),
        (["One.", "one"], "repeats_a_fact"),
    ],
)
def test_each_fault_of_the_facts_is_found(facts, fault):
    assert fault in asked("Is a fir tall?", facts)


def test_an_earlier_question_in_other_words_is_no_repetition():
    answer = SimpleNamespace(question="Is a fir taller than a house?")
    near, far = ["Is the house taller than a fir?"], ["Is a fir green?"]
    assert checks.repeats_a_question(TERM, answer, {"written": lambda text: near})
    assert not checks.repeats_a_question(TERM, answer, {"written": lambda text: far})


def test_verbs_are_counted_by_a_language_model():
    def model(text):
        return [
            SimpleNamespace(pos_="VERB" if word.endswith("s") else "NOUN", dep_="", tag_="") for word in text.split()
        ]

    context = {"language": model}
    assert checks.has_several_main_verbs(TERM, SimpleNamespace(question="grows and falls?"), context) is None
    assert checks.has_several_main_verbs(TERM, SimpleNamespace(question="grows falls x"), context)


@pytest.mark.shared_data
def test_every_real_question_ends_in_a_question_mark_and_few_draw_a_warning(public_rows, rejected_rows):
    counts = dict.fromkeys((check.__name__ for check in QUESTION), 0)
    for row in [*public_rows, *rejected_rows]:
        for fault in found(QUESTION, SimpleNamespace(term=row["term"]), question=row["question"], facts=FACTS):
            counts[fault] += 1
    assert len(public_rows) == 2_290 and len(rejected_rows) == 2_821
    assert {name for name, number in counts.items() if number} == {
        "ends_in_several_question_marks",
        "asks_for_more_than_yes_or_no",
        "leaves_out_the_term",
    }
    assert all(number < 100 for number in counts.values())
