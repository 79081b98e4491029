"""What the checks say of an answer with its derivation."""

import json
from types import SimpleNamespace

import pytest

from tasks.r4c import checks
from tasks.r4c.importing import read
from tasks.r4c.shapes import DerivationStep, Question

ITEM = Question(
    question="Which town has the mill that Ada Bell built?",
    answer="Torwich",
    articles=[
        {"title": "Ada Bell", "sentences": ["Ada Bell was an engineer.", "She built the Red Mill.", ""]},
        {"title": "Red Mill", "sentences": ["The Red Mill stands in Torwich."]},
        {"title": "Torwich", "sentences": ["Torwich is a town."]},
    ],
    supporting_facts=[{"title": "Ada Bell", "sentence": 1}, {"title": "Red Mill", "sentence": 0}],
)
BUILT = DerivationStep(title="Ada Bell", sentence=1, head="Ada Bell", relation="built", tail="the Red Mill")
STANDS = DerivationStep(title="Red Mill", sentence=0, head="Red Mill", relation="stands in", tail="Torwich")
ALL = [
    checks.no_answer_chosen,
    checks.no_step,
    checks.leaves_a_part_empty,
    checks.cites_no_sentence,
    checks.too_many_steps,
    checks.part_is_too_long,
    checks.holds_unwelcome_characters,
    checks.repeats_a_step,
    checks.relation_lacks_a_verb,
    checks.entity_occurs_nowhere,
    checks.sentence_names_neither,
    checks.uses_one_article_only,
    checks.steps_hang_apart,
    checks.never_reaches_the_answer,
]


def findings(*steps, choice="Torwich", item=ITEM):
    answer = SimpleNamespace(choice=choice, steps=list(steps))
    return {check.__name__: said for check in ALL if (said := check(item, answer, {}))}


def changed(step, **changes):
    return step.model_copy(update=changes)


def test_a_good_derivation_draws_nothing():
    assert findings(BUILT, STANDS) == {}
    assert findings(STANDS, changed(BUILT, head="ada bell.")) == {}


def test_neither_needs_no_derivation():
    assert findings(choice="neither") == {}


def test_steps_begun_before_choosing_neither_are_asked_for_nothing_but_that_they_can_be_stored():
    begun = changed(BUILT, tail=""), DerivationStep(relation="the one")
    assert findings(*begun, choice="neither") == {}
    assert findings(BUILT, BUILT, choice="neither") == {}
    assert set(findings(changed(BUILT, head="a\0"), choice="neither")) == {"holds_unwelcome_characters"}
    assert set(findings(changed(BUILT, head="a" * 501), choice="neither")) == {"part_is_too_long"}
    assert set(findings(*[BUILT] * 31, choice="neither")) == {"too_many_steps"}


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ([], "no_step"),
        ([BUILT, changed(STANDS, relation=" ")], "leaves_a_part_empty"),
        ([BUILT, changed(STANDS, sentence=1)], "cites_no_sentence"),
        ([BUILT, changed(STANDS, title="Nowhere", sentence=-1)], "cites_no_sentence"),
        ([BUILT, STANDS, changed(STANDS, head="The Red Mill")], "repeats_a_step"),
        ([BUILT, changed(STANDS, relation="in")], "relation_lacks_a_verb"),
        ([BUILT, STANDS, changed(BUILT, head="Zebra crossing")], "entity_occurs_nowhere"),
        ([BUILT, changed(STANDS, title="Ada Bell", sentence=0)], "sentence_names_neither"),
        ([BUILT, changed(BUILT, tail="Red Mill in Torwich")], "uses_one_article_only"),
        ([BUILT, changed(STANDS, tail="the Red Mill")], "never_reaches_the_answer"),
        ([BUILT, STANDS, changed(BUILT, head="x\0")], "holds_unwelcome_characters"),
        ([BUILT, STANDS, changed(BUILT, head="mill " * 101)], "part_is_too_long"),
        ([BUILT, STANDS] * 16, "too_many_steps"),
    ],
)
def test_each_fault_is_found(steps, fault):
    assert fault in findings(*steps)


def test_an_answer_is_wanted():
    assert "no_answer_chosen" in findings(BUILT, STANDS, choice="")


def test_steps_with_nothing_in_common_hang_apart_unless_the_question_joins_them():
    item = ITEM.model_copy(update={"question": "Who built it?"})
    apart = DerivationStep(title="Torwich", sentence=0, head="Torwich", relation="is", tail="a town")
    assert "steps_hang_apart" in findings(BUILT, apart, item=item)
    compared = item.model_copy(update={"question": "Is Ada Bell older than Torwich?"})
    assert "steps_hang_apart" not in findings(BUILT, apart, item=compared, choice="yes")


@pytest.mark.shared_data
def test_published_derivations_draw_few_findings_and_block_only_where_an_article_is_cut(shared_data):
    published = json.loads((shared_data / "r4c" / "dev_csf.json").read_text(encoding="utf-8"))
    published |= json.loads((shared_data / "r4c" / "train.json").read_text(encoding="utf-8"))
    counts = dict.fromkeys((check.__name__ for check in ALL), 0)
    total = 0
    for instance in read(shared_data / "hotpotqa" / "r4c_instances_original.json.gz", {"split": "dev"}):
        item = Question(**instance.payload)
        for derivation in published[instance.key]:
            steps = [
                DerivationStep(title=title, sentence=number, head=head, relation=relation, tail=tail)
                for title, number, (head, relation, tail) in derivation
            ]
            total += 1
            for fault in findings(*steps, choice=item.answer, item=item):
                counts[fault] += 1
    assert total == 822
    assert {name for name, number in counts.items() if number} <= {
        "relation_lacks_a_verb",
        "entity_occurs_nowhere",
        "steps_hang_apart",
        "never_reaches_the_answer",
        "sentence_names_neither",
    }
    assert all(number / total < 0.05 for number in counts.values()), counts
