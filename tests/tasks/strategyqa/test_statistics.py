"""Table 4 and the figures of section 4 over the public questions, and over rows of our own."""

import json

import pytest

from tasks.strategyqa import statistics


def named(figures):
    return {(figure.row, figure.column): figure.value for figure in figures}


def test_splits_without_labels_have_the_short_figures_only():
    found = named(statistics.figures({"test": [{"qid": "1", "question": "Is a fir old?"}], "dev": []}))
    assert found == {
        ("questions", "test"): 1,
        ("words a question", "test"): 4.0,
        ("most frequent trigram by blanks (a fir old?)", "test"): 1,
        ("most frequent trigram by tokens (a fir old)", "test"): 1,
    }


def test_the_share_rejected_by_solvers():
    assert statistics.rejection_figure(3_305, 2_835).value == pytest.approx(0.538, abs=5e-4)
    assert statistics.rejection_figure(0, 0).value is None


@pytest.mark.shared_data
def test_the_papers_figures_come_out(shared_data, public_rows):
    test = json.loads((shared_data / "strategyqa" / "strategyqa_test.json").read_text(encoding="utf-8"))
    found = named(statistics.figures({"train": public_rows, "test": test}))
    exact = {
        "questions": 2_290,
        "terms": 1_333,
        "most questions of a term": 5,
        "most frequent trigram by blanks (the united states)": 26,
        "most frequent trigram by tokens (the united states)": 33,
        "unique steps": 6_050,
        "questions of 1 step": 18,
        "questions of 2 steps": 626,
        "questions of 3 steps": 1_219,
        "questions of 4 steps": 342,
        "questions of 5 steps": 85,
        "sound decompositions": 2_290,
        "unique paragraphs": 9_251,
        "pages of these paragraphs": 5_320,
        "pairs of annotators at a step": 13_277,
        "last steps marked operation": 5_523 / 6_880,
        "intermediate steps marked operation": 401 / 13_308,
    }
    for row, value in exact.items():
        assert found[row, "train"] == value, row
    near = {
        'questions answered "yes"': 0.4677,
        "words a question": 9.601,
        "steps a question": 2.934,
        "paragraphs a question": 2.325,
        "Jaccard similarity of paragraphs": 0.4289,
        "Jaccard similarity of pages": 0.6891,
    }
    for row, value in near.items():
        assert found[row, "train"] == pytest.approx(value, abs=5.1e-4), row
    assert found["words a question", "test"] == pytest.approx(9.745, abs=5e-4)
    assert found["most frequent trigram by tokens (coat of arms)", "test"] == 6
