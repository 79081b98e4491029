"""Hugging Face classifiers behind the same interface: tested on a tiny one that is made here."""

import importlib.util
import sys

import pytest

from tasks.solvers.base import Lesson, SolverUnavailable
from tasks.solvers.catalogue import make
from tasks.solvers.transformer import yes_and_no

LESSONS = [
    Lesson(text, answer)
    for number in range(12)
    for text, answer in ((f"Could a miller own {number} mills?", "yes"), (f"Did ever a fox read {number} books?", "no"))
]
has_packages = all(importlib.util.find_spec(name) for name in ("torch", "transformers"))
with_packages = pytest.mark.skipif(not has_packages, reason="torch and transformers are not installed (extra `models`)")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A RoBERTa of two small layers with a tokenizer trained on the spot."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig, RobertaForSequenceClassification, RobertaTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    tokenizer = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer.train_from_iterator([each.text for each in LESSONS], vocab_size=400, special_tokens=special)
    tokenizer.save_model(str(folder))
    fast = RobertaTokenizerFast.from_pretrained(str(folder), model_max_length=128)
    config = RobertaConfig(
        vocab_size=len(fast),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=130,
        id2label={0: "False", 1: "True"},
        label2id={"False": 0, "True": 1},
    )
    import torch

    torch.manual_seed(1)
    RobertaForSequenceClassification(config).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


@with_packages
def test_a_classifier_in_a_folder_answers_with_its_own_labels(tiny):
    guess = make(f"transformer:{tiny}").answer("Could a miller own 3 mills?")
    assert guess.answer in ("yes", "no")
    assert 0.5 <= guess.score <= 1


@with_packages
def test_training_changes_it_and_it_comes_back_from_a_folder(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr("tasks.solvers.transformer.RATE", 5e-3)
    monkeypatch.setattr("tasks.solvers.transformer.EPOCHS", 15)
    solver = make(f"transformer:{tiny}")
    solver.train(LESSONS)
    assert solver.answer("Could a miller own 3 mills?").answer == "yes"
    assert solver.answer("Did ever a fox read 3 books?").answer == "no"
    solver.save(tmp_path)
    again = make(f"transformer:{tiny}")
    again.load(tmp_path)
    assert again.answer("Did ever a fox read 3 books?") == solver.answer("Did ever a fox read 3 books?")


@with_packages
def test_a_model_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SolverUnavailable, match="can't be loaded"):
        make(f"transformer:{tmp_path / 'nothing'}").answer("Is it?")


def test_without_its_packages_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SolverUnavailable, match=r"requirements-models\.txt"):
        make("transformer:roberta-base").answer("Is it?")


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({0: "False", 1: "True"}, (1, 0)),
        ({0: "LABEL_0", 1: "LABEL_1"}, (1, 0)),
        ({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, (2, 0)),
    ],
)
def test_labels_are_understood_by_their_usual_names(labels, expected):
    assert yes_and_no(labels) == expected


def test_labels_that_say_nothing_of_yes_and_no_are_refused():
    with pytest.raises(SolverUnavailable, match="found positive, negative"):
        yes_and_no({0: "positive", 1: "negative"})
