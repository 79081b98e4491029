"""What matchers' evidence adds up to: all of it is kept, their agreement measured, their doubts passed on."""

import json

import pytest

from tasks.base import Judgement, Said
from tasks.registry import task_type
from tasks.strategyqa.evidence import StepEvidence

KIND = task_type("strategyqa.matching")
STEPS = ["How tall is a fir?", "How tall is a house?", "Is #1 more than #2?"]


def item(steps=STEPS):
    return KIND.Item(term="Fir", question="Q?", answer=True, steps=[{"text": text} for text in steps])


def judgement(key, *lines, **answer):
    given = {"matched": ["\n".join(lines)], **answer}
    return Judgement(f"w{key}", KIND.answer_from_form(given), key)


def added_up(*judgements, steps=STEPS):
    return KIND.aggregate(item(steps), list(judgements), KIND.Settings())


def test_every_set_is_kept_with_the_answer_that_it_comes_from():
    found = added_up(judgement(9, "1: Fir-1", "3: operation"), judgement(4, "1: Fir-1 | Fir-2"))
    assert found.state == "settled"
    assert [one["from_answers"] for one in found.value["evidence"]] == [[4], [9]]
    assert [step["paragraphs"] for step in found.value["evidence"][0]["matched"]] == [["Fir-1", "Fir-2"], None, None]
    assert found.value["evidence"][1]["matched"][2]["is_operation"]


def test_agreement_is_the_mean_overlap_where_both_found_something():
    found = added_up(
        judgement(1, "1: Fir-1 | Fir-2", "2: House-1"),
        judgement(2, "1: Fir-2", "2: House-2"),
        judgement(3, "2: no_evidence"),
    )
    assert found.agreement == pytest.approx((0.5 + 0.0) / 2)
    assert found.details["page_overlap"] == 1.0
    assert found.details["compared_pairs"] == 2
    assert found.details["steps_without_evidence"] == [3]


def test_one_matcher_alone_agrees_with_nobody():
    assert added_up(judgement(1, "1: Fir-1")).agreement is None


def test_no_matcher_is_no_evidence():
    found = added_up()
    assert (found.state, found.value) == ("rejected", {"evidence": []})


def test_a_doubt_about_the_answer_brings_an_expert_and_goes_back_to_the_question():
    doubting = judgement(7, "1: Fir-1", flags=["answer_incorrect"], reason=["It is smaller."])
    assert added_up(judgement(1, "1: Fir-1"), doubting).state == "disputed"
    assert KIND.feedback(item(), [judgement(1, "1: Fir-1"), doubting]) == [
        Said("answer_incorrect", about="strategyqa.question", reason="It is smaller.", answer=7)
    ]


def test_steps_without_any_evidence_are_told_to_the_decomposition():
    found = judgement(5, "1: no_evidence", "2: Fir-1 | no_evidence", "3: no_evidence | operation")
    assert KIND.feedback(item(), [found]) == [
        Said("no_evidence", about="strategyqa.decomposing", step=1, answer=5),
    ]


@pytest.mark.shared_data
def test_real_evidence_comes_out_as_it_went_in_with_the_published_agreement(shared_data, public_rows):
    published = json.loads((shared_data / "strategyqa" / "jaccard_vectors.json").read_text(encoding="utf-8"))
    wanted = {vector["qid"]: vector for vector in published["per_question"]}
    for row in public_rows:
        sets = [[StepEvidence.of(step) for step in one] for one in row["evidence"]]
        answers = [KIND.Answer(matched=[as_matched(step) for step in one]) for one in sets]
        forms = [{"matched": KIND.fields["matched"].values(answer.matched)} for answer in answers]
        judgements = [Judgement(f"w{key}", KIND.answer_from_form(form), key) for key, form in enumerate(forms)]
        found = added_up(*judgements, steps=row["decomposition"])
        evidence = [
            [
                StepEvidence(step["paragraphs"], step["is_operation"], step["lacks_evidence"]).published()
                for step in one["matched"]
            ]
            for one in found.value["evidence"]
        ]
        assert evidence == row["evidence"]
        if vector := wanted.get(row["qid"]):
            assert found.details["compared_pairs"] == vector["pairs"]
            assert found.agreement == pytest.approx(vector["paragraph_mean"], abs=1e-6)
            assert found.details["page_overlap"] == pytest.approx(vector["page_mean"], abs=1e-6)


def as_matched(step):
    paragraphs = None if step.paragraphs is None else list(step.paragraphs)
    return {"paragraphs": paragraphs, "is_operation": step.is_operation, "lacks_evidence": step.lacks_evidence}
