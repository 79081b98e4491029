"""The demo's crowd: it knows a question for each term and answer, decomposes, matches, and objects to what is wrong."""

from __future__ import annotations

import json
from random import Random

import pytest

from tasks import registry
from tasks.base import Context, run_checks
from tasks.simulation import CARELESS, CHARACTERS, Person, Seen, Sheet
from tasks.strategyqa import simulation
from tasks.strategyqa.importing import read

KNOWN = simulation.knowledge()
ROWS = [json.loads(line) for line in (simulation.DEMO_FILES / "questions.jsonl").read_text("utf-8").splitlines()]
TERMS = list(read(simulation.DEMO_FILES / "terms.jsonl", {}))
PARAGRAPHS = [json.loads(line) for line in (simulation.DEMO_FILES / "paragraphs.jsonl").read_text("utf-8").splitlines()]


def entered(text: str, *fields: str, character: str = "careful", seat: int = 0, seed: int = 1) -> dict:
    return simulation.answer_for(Seen(text, (), fields), Person(character, seat), Random(seed), KNOWN)


def page_of_question(row: dict) -> str:
    return f"{row['question']} Answer: {'yes' if row['answer'] else 'no'}"


def test_the_demo_has_a_question_for_each_term_and_answer():
    assert {(row["term"], row["answer"]) for row in ROWS} == {
        (t.payload["term"], a) for t in TERMS for a in (True, False)
    }


def test_the_demo_s_evidence_stands_in_its_paragraphs():
    counted: dict[str, int] = {}
    for row in PARAGRAPHS:
        counted[row["title"]] = counted.get(row["title"], 0) + 1
    ids = {f"{title}-{number}" for title, most in counted.items() for number in range(1, most + 1)}
    cited = {
        name
        for row in ROWS
        for one in row["evidence"]
        for step in one
        for part in step
        if isinstance(part, list)
        for name in part
    }
    assert cited <= ids
    assert len(PARAGRAPHS) > 200


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_writer_writes_a_question_with_the_answer_that_is_asked_for(answer):
    for term in TERMS:
        text = f"{term.payload['term']} {term.payload['description']} The answer to your question should be {answer}"
        form = entered(text, "question", "facts")
        row = next(row for row in ROWS if row["question"] == form["question"][0])
        assert (row["term"], row["answer"]) == (term.payload["term"], answer == "yes")


def test_good_work_passes_the_checks():
    kind = registry.task_type("strategyqa.decomposing")
    for row in ROWS:
        form = entered(page_of_question(row), "steps", "flags", "reason")
        question = kind.Item.model_validate({name: row[name] for name in ("term", "question", "answer", "facts")})
        found = run_checks(kind.checks, question, kind.answer_from_form(form), Context())
        assert [finding for finding in found if finding.level == "block"] == []


def test_a_decomposer_objects_to_a_wrong_answer_and_to_an_unknown_question():
    row = ROWS[0]
    wrong = page_of_question(row | {"answer": not row["answer"]})
    assert entered(wrong, "steps", "flags", "reason")["flags"] == ["answer_incorrect"]
    assert entered("Is it good? Answer: yes", "steps", "flags", "reason")["flags"] == ["not_definitive"]


def test_each_seat_matches_evidence_of_its_own():
    row = next(row for row in ROWS if len({json.dumps(one) for one in row["evidence"]}) == 3)
    forms = {entered(page_of_question(row), "matched", seat=seat)["matched"][0] for seat in range(3)}
    assert len(forms) == 3


def test_who_is_careless_writes_a_question_with_the_other_answer_now_and_then():
    text = f"{TERMS[0].payload['term']} The answer to your question should be yes"
    answers = {row["question"]: row["answer"] for row in ROWS}
    said = [answers[entered(text, "facts", character=CARELESS, seed=n)["question"][0]] for n in range(40)]
    assert 0 < said.count(False) < 20


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("fields", [("question", "facts"), ("steps",), ("matched",), ("answers",)])
def test_everybody_enters_something_on_every_page(character, fields):
    assert all(
        isinstance(given, list) for given in entered(page_of_question(ROWS[0]), *fields, character=character).values()
    )


def test_an_expert_keeps_what_is_known_and_rejects_the_rest():
    assert simulation.verdict_on(Sheet("", {"question": ROWS[0]["question"]}), KNOWN).decision == "accept"
    assert simulation.verdict_on(Sheet("", {"question": "Is it good?"}), KNOWN).decision == "reject"
