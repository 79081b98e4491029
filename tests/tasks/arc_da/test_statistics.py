"""The paper's Table 1 in all its readings, over rows of our own and over the public release."""

import json

import pytest

from tasks.arc_da import statistics
from tasks.arc_da.importing import read
from tasks.base import Accepted

ITEM = {"question": "Snow is", "choices": [{"label": "A", "text": "white."}], "answer_key": "A"}


def figures(rows, items=None, votes=()):
    judgements = [{"worker": f"w{n}", "answer": {"category": vote}} for n, vote in enumerate(votes)]
    accepted = [
        Accepted(row["question_id"], "train", (items or {}).get(row["question_id"], ITEM), {}, {"da": judgements})
        for row in rows
    ]
    return {(figure.table, figure.row): figure for figure in statistics.figures({"train": rows}, accepted, "da")}


def row(identifier, *answers, question="What is it?"):
    return {"question_id": identifier, "tag": "EASY-TRAIN", "question": question, "answers": list(answers)}


def test_answers_and_words_are_counted_in_every_reading():
    found = figures([row("1", "white.", "The White", "it is a cold colour"), row("2", "ice")])
    values = {name: figure.value for (table, name), figure in found.items() if table == statistics.TABLE}
    assert values == {
        "questions": 2,
        "answers": 4,
        "answers per question": 2.0,
        "answers per question, without the original key": 1.5,
        "answers per question, different ones only": 1.5,
        "words per answer": 9 / 4,
        "words per answer, normalised": 7 / 4,
        "words per answer, without stop words": 5 / 4,
    }
    assert all(figure.column == "train" for figure in found.values())


def test_what_the_experts_changed_is_shown_as_shares():
    found = figures([row("1", "white", question="Snow is"), row("2", "ice")])
    shares = {name: figure.value for (table, name), figure in found.items() if table == statistics.SHARES}
    assert shares == {
        "questions reworded": 0.5,
        "questions that end with a question mark": 0.5,
        "questions that keep the original key": 0.5,
    }


def test_category_votes_are_shares_of_all_votes():
    found = figures([row("1", "white")], votes=["single", "single", "many", "nonsense"])
    votes = [figure.value for (table, _), figure in found.items() if table == statistics.VOTES]
    assert votes == [0.5, 0, 0, 0.25, 0, 0.25]


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("split", "expected"),
    [
        ("train", [1_250, 4_256, 3.405, 2.410, 3.114, 3.553, 3.240]),
        ("test", [1_397, 4_999, 3.578, 2.586, 3.261, 3.822, 3.457]),
    ],
)
def test_the_figures_of_the_public_release_come_out(shared_data, split, expected):
    lines = (shared_data / "arc-da" / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
    items = {
        item.key: item.payload for path in (shared_data / "arc").glob(f"ARC-*-{split}.jsonl") for item in read(path, {})
    }
    found = [figure for (table, _), figure in figures(list(map(json.loads, lines)), items).items()]
    table = [figure for figure in found if figure.table == statistics.TABLE][: len(expected)]
    assert [figure.value for figure in table] == pytest.approx(expected, abs=5e-4)
    assert all(figure.low < figure.value < figure.high for figure in table[2:])
