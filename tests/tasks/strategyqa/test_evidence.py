"""Evidence records and the overlap of matchers."""

import json

import pytest

from tasks.strategyqa.evidence import StepEvidence, jaccard, page_of, paired_overlaps


@pytest.mark.parametrize(
    "record",
    [
        [["Fir-1", "Fir-2"]],
        ["operation"],
        [["Fir-1"], "no_evidence"],
        [["Fir-1"], "operation"],
        ["no_evidence"],
        ["no_evidence", "operation"],
        [["Fir-1"], "no_evidence", "operation"],
        [],
    ],
)
def test_every_form_of_record_comes_back_as_it_was(record):
    assert StepEvidence.of(record).published() == record


@pytest.mark.parametrize("record", [["nothing"], [["Fir-1"], ["Fir-2"]], [[1]]])
def test_other_forms_are_refused(record):
    with pytest.raises(ValueError, match="expected paragraph ids"):
        StepEvidence.of(record)


def test_a_page_is_what_stands_before_the_last_hyphen():
    assert page_of("Fir-tree-12") == "Fir-tree"
    assert page_of("Fir") == "Fir"


def test_jaccard_of_sets():
    assert jaccard(frozenset("ab"), frozenset("bc")) == 1 / 3
    assert jaccard(frozenset(), frozenset()) == 0.0


def test_only_pairs_where_both_found_paragraphs_are_compared():
    one = [StepEvidence(("Fir-1", "Fir-2")), StepEvidence(is_operation=True)]
    other = [StepEvidence(("Fir-2",)), StepEvidence(("Ash-1",))]
    none = [StepEvidence(()), StepEvidence(None, lacks_evidence=True)]
    assert paired_overlaps([one, other, none]) == [(0.5, 1.0)]


@pytest.mark.shared_data
def test_real_records_come_back_and_the_published_overlaps_come_out(shared_data, public_rows):
    evidence = {row["qid"]: row["evidence"] for row in public_rows}
    read = {qid: [[StepEvidence.of(step) for step in one] for one in several] for qid, several in evidence.items()}
    assert {qid: [[step.published() for step in one] for one in several] for qid, several in read.items()} == evidence
    published = json.loads((shared_data / "strategyqa" / "jaccard_vectors.json").read_text(encoding="utf-8"))
    pairs = [pair for several in read.values() for pair in paired_overlaps(several)]
    means = [sum(pair[place] for pair in pairs) / len(pairs) for place in (0, 1)]
    assert len(pairs) == published["all_2290"]["pairs"]
    assert means == pytest.approx([published["all_2290"]["paragraph"], published["all_2290"]["page"]], abs=1e-6)
    for vector in published["per_question"]:
        pairs = paired_overlaps(read[vector["qid"]])
        means = [sum(pair[place] for pair in pairs) / len(pairs) for place in (0, 1)]
        assert len(pairs) == vector["pairs"]
        assert means == pytest.approx([vector["paragraph_mean"], vector["page_mean"]], abs=1e-6)
