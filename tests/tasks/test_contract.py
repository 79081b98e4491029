"""What every task type and every pipeline must keep, whoever writes it. A new one is tested without writing a test."""

import itertools
import json
import random

import pytest

from tasks.base import Accepted, Judgement
from tasks.base import run_checks as run_all
from tasks.registry import UnknownKind, pipeline, pipelines, task_type, task_types

KINDS = list(task_types().values())
PIPELINES = list(pipelines().values())
all_task_types = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
all_pipelines = pytest.mark.parametrize("dataset", PIPELINES, ids=lambda dataset: dataset.name)


def run_checks(checks, item, answer):
    """The findings of checks that need nothing beyond item and answer."""
    return run_all([check for check in checks if not check.needs], item, answer)


def examples_of(kind):
    return [
        (example, kind.Item.model_validate(example.item), kind.Answer.model_validate(example.answer))
        for example in kind.examples()
    ]


def judged_items(kind):
    """Each example item with the judgements that its example answers make, bad but storable ones included."""
    by_item = {}
    for example, item, answer in examples_of(kind):
        by_item.setdefault(json.dumps(example.item, sort_keys=True), (item, []))[1].append(answer)
    return [
        (item, [Judgement(f"worker-{place % 4}", answer, place + 1) for place, answer in enumerate(answers)])
        for item, answers in by_item.values()
    ]


@all_task_types
def test_a_task_type_has_good_examples_and_shows_some_to_workers(kind):
    examples = kind.examples()
    assert any(not example.finding for example in examples)
    shown = [example for example in examples if example.shown]
    assert shown and all(example.title and example.note and not example.finding for example in shown)


@all_task_types
def test_good_answers_draw_no_block(kind):
    for example, item, answer in examples_of(kind):
        if not example.finding:
            blocks = [found for found in run_checks(kind.checks, item, answer) if found.level == "block"]
            assert not blocks, example.answer


@all_task_types
def test_each_bad_answer_draws_exactly_the_finding_that_it_names(kind):
    for example, item, answer in examples_of(kind):
        if example.finding:
            assert {found.check for found in run_checks(kind.checks, item, answer)} == {example.finding}, example.answer


@all_task_types
def test_each_check_without_needs_has_an_example_that_it_objects_to(kind):
    objected = {example.finding for example in kind.examples()}
    assert {check.name for check in kind.checks if not check.needs} <= objected


@all_task_types
def test_checks_name_fields_of_the_answer_and_bear_one_name_each(kind):
    for checks, shape in ((kind.checks, kind.Answer), (kind.review_checks, kind.Outcome)):
        assert len({check.name for check in checks}) == len(checks)
        assert {check.field for check in checks if check.field} <= set(shape.model_fields)


@all_task_types
def test_an_untouched_draft_is_an_answer_that_checks_can_read(kind):
    draft = kind.answer_from_form({})
    for _, item, _ in examples_of(kind):
        assert any(found.level == "block" for found in run_checks(kind.checks, item, draft))


@all_task_types
def test_answers_come_back_from_the_form_as_they_were(kind):
    for example, _, answer in examples_of(kind):
        if not example.finding:
            form = {name: field.values(getattr(answer, name)) for name, field in kind.fields.items()}
            assert kind.answer_from_form(form) == answer


@all_task_types
def test_workers_are_not_shown_the_whole_item_by_accident(kind):
    for _, item, _ in examples_of(kind):
        json.dumps(kind.shown_to_workers(item))
        assert kind.label(item).strip()


@all_task_types
def test_aggregation_does_not_depend_on_the_order_of_judgements(kind):
    dice = random.Random(1)
    for item, judgements in judged_items(kind):
        orders = itertools.permutations(judgements) if len(judgements) < 5 else None
        orders = orders or [dice.sample(judgements, len(judgements)) for _ in range(20)]
        found = [kind.aggregate(item, list(order), kind.Settings()) for order in orders]
        assert all(outcome == found[0] for outcome in found)


@all_task_types
def test_an_outcome_has_its_shape_can_be_written_and_reviewed(kind):
    for item, judgements in [*judged_items(kind), (judged_items(kind)[0][0], [])]:
        outcome = kind.aggregate(item, judgements, kind.Settings())
        json.dumps([outcome.value, outcome.details])
        assert outcome.agreement is None or 0 <= outcome.agreement <= 1
        assert bool(outcome.reason) == (outcome.state == "rejected")
        run_checks(kind.review_checks, item, kind.Outcome.model_validate(outcome.value))


@all_task_types
def test_what_a_task_type_prepares_can_be_stored_and_needs_no_language_model(kind):
    if not kind.prepares:
        return
    for _, item, _ in examples_of(kind):
        prepared = kind.prepare(item, None)
        assert json.loads(json.dumps(prepared)) == prepared
        for field in kind.fields:
            assert kind.suggest(item, prepared, field, "a", {}) is not None


@all_pipelines
def test_the_stages_of_a_pipeline_are_task_types_with_settings_that_have_defaults(dataset):
    assert dataset.stages and len({plan.name for plan in dataset.stages}) == len(dataset.stages)
    for plan in dataset.stages:
        assert task_type(plan.task_type).Settings() is not None
    assert dataset.Settings() is not None


@all_pipelines
def test_release_rows_are_valid_and_do_not_depend_on_the_order_of_items(dataset):
    plan = dataset.stages[0]
    kind = task_type(plan.task_type)
    accepted = [
        Accepted(
            key=f"KEY_{place}",
            split=["train", "dev", "test"][place % 3],
            item=item.model_dump(),
            outcomes={plan.name: kind.aggregate(item, judgements, kind.Settings()).value},
        )
        for place, (item, judgements) in enumerate(judged_items(kind))
    ]
    if len(dataset.stages) > 1:
        pytest.skip("rows of several stages are tested with their dataset")
    settings = dataset.Settings()
    splits = dataset.release_rows(accepted, settings)
    assert sum(len(rows) for rows in splits.values()) == len(accepted)
    for row in itertools.chain(*splits.values()):
        assert dataset.Row.model_validate(row).model_dump() == json.loads(json.dumps(row))
    assert dataset.release_rows(accepted[::-1], settings) == splits
    for figure in dataset.statistics(splits, accepted, settings):
        assert figure.table and figure.row and figure.column


def test_unknown_names_list_what_there_is():
    with pytest.raises(UnknownKind, match=r"arc_da\.direct_answer"):
        task_type("arc_da.guess")
    with pytest.raises(UnknownKind, match="arc_da"):
        pipeline("arc-dada")
    assert pipeline("arc-da") is pipeline("arc_da")


def test_a_code_of_a_reason_means_the_same_in_every_task_type():
    words = {}
    for kind in KINDS:
        for code, text in kind.reasons.items():
            words.setdefault(code, set()).add(text)
    assert {code: texts for code, texts in words.items() if len(texts) > 1} == {}


@all_task_types
def test_experts_find_reasons_to_reject_by(kind):
    # Digits name them, and a code stands before ": " in what is kept.
    assert 1 <= len(kind.reasons) <= 9
    assert all(code.isidentifier() for code in kind.reasons)
