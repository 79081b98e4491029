"""Published records."""

import pytest

from tasks.strategyqa import release
from tasks.strategyqa.evidence import StepEvidence


def test_ids_look_like_the_published_ones_and_stay():
    assert release.qid_of("item 1") == release.qid_of("item 1") != release.qid_of("item 2")
    assert len(release.qid_of("x")) == 20 and int(release.qid_of("x"), 16) >= 0


@pytest.mark.shared_data
def test_every_public_record_comes_out_of_its_parts(public_rows):
    for public in public_rows:
        evidence = [[StepEvidence.of(step) for step in one] for one in public["evidence"]]
        made = release.row(qid=public["qid"], question=public, decomposition=public["decomposition"], evidence=evidence)
        assert made == public
        assert list(made) == list(public)
        assert release.Row.model_validate(made).model_dump() == public


@pytest.mark.shared_data
def test_rejected_and_test_records_have_their_forms(public_rows, rejected_rows):
    for row in rejected_rows:
        assert release.FilteredRow.model_validate(row).model_dump() == row
    assert release.unlabelled(public_rows[0]).keys() == release.UnlabelledRow.model_fields.keys()
