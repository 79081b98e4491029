"""What an expert decided and decided anew: a release holds the decision that stands, and another's blind one."""

import csv
import json
from pathlib import Path

import pytest

from annotation.projects.models import Item
from annotation.releases import actions
from annotation.review.models import Outcome, Review
from tests.annotation.releases.conftest import lines


def review(outcome: Outcome, like: Review, **changes) -> Review:
    kept = {name: getattr(like, name) for name in ("reviewer", "decision", "reason", "value", "operations", "is_blind")}
    return Review.objects.create(outcome=outcome, **kept | changes)


@pytest.fixture
def folder(project) -> Path:
    """One item was rejected, then accepted by the same expert; another the other way round, by another expert."""
    accepted = Outcome.objects.filter(project=project, state="accepted", reviews__is_blind=True).first()
    Review.objects.filter(outcome=accepted, is_blind=False).update(decision="reject", reason="not yet")
    review(accepted, accepted.reviews.get(is_blind=False), decision="accept", reason="")
    dropped = Outcome.objects.filter(project=project, state="rejected", reviews__decision="reject").first()
    second = Review.objects.filter(is_blind=True).first().reviewer
    Review.objects.filter(outcome=dropped).update(decision="reject")
    review(dropped, dropped.reviews.first(), reviewer=second, decision="accept")
    Item.objects.filter(pk=dropped.item_id).update(reason="withdrawn: what it was made of fell")
    return Path(actions.build(project=project, created_by="user:1").location)


def test_nobody_is_two_experts_of_one_item(folder):
    with (folder / "agreement/direct_answer.decision.csv").open() as handle:
        rated = [(row["task"], row["worker"]) for row in csv.DictReader(handle)]
    assert len(rated) == len(set(rated))


def test_each_item_has_one_decision_that_stands_and_one_blind_one_at_most(folder):
    found = [(line["item"], line["is_blind"]) for line in lines(folder / "raw/reviews.jsonl")]
    assert len(found) == len(set(found))


def test_what_an_expert_took_back_by_deciding_anew_is_no_rejection_of_theirs(folder):
    [dropped] = [line for line in lines(folder / "raw/rejected.jsonl") if line["code"] == "withdrawn"]
    assert (dropped["by"], dropped["reviewers"]) == ("rule", ["r-2"])


def test_the_counts_are_those_of_the_lines(folder):
    stats = json.loads((folder / "stats.json").read_bytes())
    assert stats["counts"]["reviews"] == len(list(lines(folder / "raw/reviews.jsonl")))
