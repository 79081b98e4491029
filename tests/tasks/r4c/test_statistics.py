"""R4C's rows and figures, over a small release and over the public one."""

import json

import pytest

from tasks.base import Accepted, Follower
from tasks.r4c import release, statistics
from tasks.r4c.importing import read

PUBLISHED = [["Hive", 0, ["A hive", "holds", "bees"]], ["Bee", 1, ["bees", "fly to", "the hill"]]]


def outcome(*derivations):
    names = ("head", "relation", "tail")
    return {
        "derivations": [
            {
                "from_answer": place,
                "steps": [
                    {"title": title, "sentence": number} | dict(zip(names, triplet, strict=True))
                    for title, number, triplet in derivation
                ],
            }
            for place, derivation in enumerate(derivations)
        ]
    }


def test_rows_have_the_published_form():
    accepted = [Accepted(key, "dev", {}, {"derivation": outcome(PUBLISHED)}) for key in ("h2", "h1")]
    rows = release.rows(accepted, "derivation")
    assert release.published(rows["dev"]) == {"h1": [PUBLISHED], "h2": [PUBLISHED]}
    assert list(release.published(rows["dev"])) == ["h1", "h2"]
    assert release.Row.model_validate(rows["dev"][0]).model_dump() == rows["dev"][0]


def named(figures):
    return {(figure.row, figure.column): figure.value for figure in figures}


def test_the_share_of_supporting_facts_is_counted_by_derivation():
    rows = [{"id": "h1", "derivations": [PUBLISHED, PUBLISHED[:1]]}, {"id": "h2", "derivations": [PUBLISHED]}]
    found = named(statistics.supporting_fact_figures(rows, {"h1": {("Hive", 0)}}))
    assert list(found.values()) == pytest.approx([1 / 3, 1.0, 0.5, 0.5])


def test_a_figure_tells_what_its_interval_was_drawn_from():
    said = [{"answer": {"verdict": verdict}} for verdict in ("yes", "no")]
    judged = [Follower(f"h1/{number}", {"verdict": "yes"}, said) for number in (1, 2)]
    steps = [Follower("h1/1/1", {"derivable": "yes"})]
    outcomes = {"derivation": outcome(PUBLISHED, PUBLISHED)}
    item = Accepted("h1", "dev", {}, outcomes, followers={"answerability": judged, "derivability": steps})
    found = [
        *statistics.answerability([item], "derivation", "answerability"),
        *statistics.derivability([item], "derivability"),
    ]
    units = {figure.row: figure.method.partition(",")[0] for figure in found}
    assert units["derivations judged yes"] == "percentile bootstrap over questions"
    assert units["Krippendorff's alpha, nominal"] == "percentile bootstrap over derivations"
    assert units["derivable"] == "percentile bootstrap over steps"


@pytest.fixture(scope="module")
def public_rows(shared_data):
    return {
        split: [
            {"id": key, "derivations": derivations}
            for key, derivations in json.loads((shared_data / "r4c" / name).read_text(encoding="utf-8")).items()
        ]
        for split, name in (("train", "train.json"), ("dev", "dev_csf.json"))
    }


@pytest.mark.shared_data
def test_the_papers_table_1_comes_out(public_rows):
    found = named(statistics.figures(public_rows))
    columns = ("train", "dev", "total")
    table = {
        "questions": (2_379, 2_209, 4_588),
        "derivations": (7_137, 6_627, 13_764),
        "2 steps": (4_944, 4_424, 9_368),
        "3 steps": (1_553, 1_599, 3_152),
        "4 or more steps": (640, 604, 1_244),
        "steps a derivation": (2.440, 2.448, 2.444),
        "articles a derivation": (2, 2, 2),
        "words a head": (2.66, 2.65, 2.66),
        "words a relation": (3.39, 3.52, 3.45),
        "words a tail": (3.58, 3.34, 3.47),
        "instances with identical references": (28, 13, 41),
    }
    for row, values in table.items():
        tolerance = 5e-4 if row == "steps a derivation" else 5.1e-3
        assert [found[row, column] for column in columns] == pytest.approx(values, abs=tolerance), row
    assert found["steps drawn from the first sentence", "total"] == pytest.approx(0.576, abs=5e-4)
    assert found["instances whose references cite the same sentences", "total"] == 3_315 / 4_588


@pytest.mark.shared_data
def test_the_use_of_supporting_facts_comes_out(shared_data, public_rows):
    facts = {}
    for name in ("r4c_instances_original", "r4c_instances_rebuilt"):
        for item in read(shared_data / "hotpotqa" / f"{name}.json.gz", {"split": "dev"}):
            if places := {(fact["title"], fact["sentence"]) for fact in item.payload["supporting_facts"]}:
                facts[item.key] = places
    assert len(facts) == 297
    found = statistics.supporting_fact_figures([*public_rows["train"], *public_rows["dev"]], facts)
    assert [100 * figure.value for figure in found] == pytest.approx([3.36, 81.1, 93.0, 76.3], abs=0.051)
