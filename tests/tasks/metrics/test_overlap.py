"""F1 and ROUGE-L against the published figures and Google's package."""

import functools
import json
import random

import pytest
from rouge_score import rouge_scorer

from tasks.arc_da.importing import read
from tasks.metrics.overlap import best, exact, f1, rouge_l

unstemmed_rouge_l = functools.partial(rouge_l, stemming=False)


def test_order_does_not_matter_to_f1_and_does_to_rouge_l():
    assert f1("from solid to liquid", "from liquid to solid") == 1.0
    assert rouge_l("from solid to liquid", "from liquid to solid") == 0.5


def test_a_question_counts_its_best_gold_answer():
    assert best(f1, "the force of gravity", ["weight", "Gravity.", "gravity force"]) == pytest.approx(0.8)
    assert best(f1, "gravity", []) == 0.0


def test_answers_without_a_token_score_nothing():
    assert f1("", "ice") == f1("the", "the") == rouge_l("?", "ice") == rouge_l("", "") == 0.0
    assert exact("The.", "a") == 1.0


def test_rouge_l_equals_googles_package_on_texts_of_every_shape():
    dice = random.Random(3)
    words = "gravity gravitational flies flying 100°C H2O the El Niño's energies relation don't x — ß running".split()
    for stemming in (True, False):
        reference = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=stemming)
        for _ in range(1_500):
            one = " ".join(dice.choices(words, k=dice.randint(0, 7)))
            other = dice.choice([" ", ", ", "-"]).join(dice.choices(words, k=dice.randint(0, 7)))
            expected = reference.score(target=other, prediction=one)["rougeL"].fmeasure
            assert rouge_l(one, other, stemming=stemming) == pytest.approx(expected, abs=1e-12), (one, other)


@pytest.mark.shared_data
def test_the_published_vectors_come_out(shared_data):
    vectors = json.loads((shared_data / "arc-da" / "metric_vectors.json").read_text(encoding="utf-8"))
    assert len(vectors) == 57
    columns = {"f1": f1, "rougeL_stem": rouge_l, "rougeL_nostem": unstemmed_rouge_l, "exact": exact}
    for vector in vectors:
        for column, score in columns.items():
            found = best(score, vector["prediction"], vector["golds"])
            assert found == pytest.approx(vector[column], abs=1e-6), (column, vector)


def first_against_the_others(row, keys):
    return row["answers"][0], row["answers"][1:]


def key_against_the_others(row, keys):
    key = keys[row["question_id"]]
    return key, [answer for answer in row["answers"] if answer != key]


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("pairs", "split", "n", "figures"),
    [
        (first_against_the_others, "train", 1_107, [50.62, 53.07, 48.15, 20.60]),
        (first_against_the_others, "test", 1_251, [48.71, 53.09, 47.21, 20.14]),
        (key_against_the_others, "train", 1_107, [55.62, 58.27, 53.99, 29.54]),
        (key_against_the_others, "test", 1_251, [56.89, 60.23, 55.71, 32.53]),
    ],
)
def test_the_published_means_come_out(shared_data, pairs, split, n, figures):
    items = [item for path in (shared_data / "arc").glob(f"ARC-*-{split}.jsonl") for item in read(path, {})]
    keys = {
        item.key: next(c["text"] for c in item.payload["choices"] if c["label"] == item.payload["answer_key"])
        for item in items
    }
    lines = (shared_data / "arc-da" / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for line in lines if len((row := json.loads(line))["answers"]) > 1]
    compared = [pairs(row, keys) for row in rows]
    assert len(compared) == n
    means = [
        100 * sum(best(score, prediction, golds) for prediction, golds in compared) / n
        for score in (f1, rouge_l, unstemmed_rouge_l, exact)
    ]
    assert means == pytest.approx(figures, abs=0.005)
