"""What verifiers' answers say of the evidence: the verdict, where it lacks, and what goes back to the matcher."""

import pytest

from tasks.base import Judgement
from tasks.registry import task_type
from tests.tasks.strategyqa.verifying.test_checks import answers, item_of

KIND = task_type("strategyqa.verifying")
RIGHT = ("40 metres", "in the mountains", "yes", "yes")
WRONG = ("40 metres", "in the mountains", "no", "no")
LACKING = ("?how tall", "in the mountains", "?", "?")


def judged(*several):
    return [Judgement(f"worker-{key}", answers(*one), key) for key, one in enumerate(several, 1)]


def settled(*several):
    found = KIND.aggregate(item_of(), judged(*several), KIND.Settings())
    return found.state, found.value["verdict"], found.value["lacking"], found.agreement


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([RIGHT], ("settled", "supported", [], None)),
        ([LACKING], ("settled", "incomplete", [1], None)),
        ([(*RIGHT[:3], "Yes.")], ("settled", "supported", [], None)),
        ([WRONG], ("disputed", "contradicted", [], None)),
        ([RIGHT, RIGHT, LACKING], ("settled", "supported", [], pytest.approx(1 / 3))),
        ([RIGHT, LACKING], ("disputed", "incomplete", [1], 0)),
        ([RIGHT, WRONG, LACKING], ("disputed", "contradicted", [], 0)),
    ],
)
def test_the_verdict_is_the_most_frequent_and_the_gravest_of_several(given, said):
    assert settled(*given) == said


def test_the_answers_kept_are_ones_that_come_to_the_verdict():
    found = KIND.aggregate(item_of(), judged(LACKING, RIGHT, RIGHT), KIND.Settings())
    assert [step["answer"] for step in found.value["answers"]] == list(RIGHT)


def test_steps_that_lack_evidence_go_back_to_the_matcher_with_what_is_missing():
    said = KIND.feedback(item_of(), judged(RIGHT, LACKING, WRONG))
    assert [(one.kind, one.about, one.step, one.reason, one.answer) for one in said] == [
        ("no_evidence", "strategyqa.matching", 1, "how tall", 2)
    ]


def test_verifiers_see_neither_the_answer_nor_the_facts():
    item = item_of().model_copy(update={"facts": ["A secret fact."], "quoted": {}})
    shown = KIND.shown_to_workers(item)
    assert set(shown) == {"question", "steps"}
    assert "secret" not in str(shown)
    [paragraph] = shown["steps"][0]["paragraphs"]
    assert paragraph == {"id": "Fir-1", "title": "Fir", "section": "", "text": ""}
