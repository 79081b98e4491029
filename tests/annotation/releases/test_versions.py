"""A version says what changed: major for edits and losses, minor for additions, patch for packaging."""

from pathlib import Path

import pytest

from annotation.projects.models import Item
from annotation.releases import actions, versions
from annotation.releases.models import Release
from annotation.releases.results import ReleaseRefused
from annotation.review.models import Outcome


def build(project, **options) -> Release:
    return actions.build(project=project, created_by="user:1", **options)


def test_the_first_release_is_1_0_0(release):
    assert release.version == "1.0.0"


def test_the_same_items_again_are_a_patch(release, project):
    assert build(project).version == "1.0.1"


def test_more_items_are_a_minor_version(project):
    late = Outcome.objects.filter(project=project, state="accepted").last()
    Item.objects.filter(pk=late.item_id).update(state="settled")
    build(project)
    Item.objects.filter(pk=late.item_id).update(state="accepted")
    assert build(project).version == "1.1.0"


def test_an_edited_item_is_a_major_version(release, project, reword):
    key = reword(project, "Which force is it?")
    newer = build(project)
    assert newer.version == "2.0.0"
    log = (Path(newer.location) / "CHANGELOG.md").read_text("utf-8")
    assert f"`{key}`: question" in log
    assert "## 1.0.0" in log, "the earlier changes are lost"


def test_a_withdrawn_item_is_a_major_version(release, project):
    withdrawn = Outcome.objects.filter(project=project, state="accepted").first()
    Item.objects.filter(pk=withdrawn.item_id).update(state="rejected", reason="withdrawn")
    assert build(project).version == "2.0.0"


def test_an_item_in_another_split_is_a_major_version(release, project):
    moved = Outcome.objects.filter(project=project, state="accepted").first()
    Item.objects.filter(pk=moved.item_id).update(split="test" if moved.item.split != "test" else "dev")
    newer = build(project, notes="One question went to another split.")
    assert newer.version == "2.0.0"
    assert "One question went to another split." in (Path(newer.location) / "CHANGELOG.md").read_text("utf-8")


def test_people_may_choose_a_later_version(release, project):
    assert build(project, version="3.0.0").version == "3.0.0"


@pytest.mark.parametrize(
    ("version", "complaint"),
    [("1.0.0", "has a release 1.0.0 already"), ("0.9.0", "must come after 1.0.0"), ("new", "three numbers")],
)
def test_a_version_that_can_not_be_is_refused(release, project, version, complaint):
    with pytest.raises(ReleaseRefused, match=complaint):
        build(project, version=version)
    assert Release.objects.count() == 1


@pytest.mark.parametrize("text", ["1.0", "1.0.0-rc1", "01.0.0", "1.0.0\n", "١.0.0", ""])
def test_what_is_no_version_is_said_so(text):
    with pytest.raises(ValueError, match="three numbers"):
        versions.parse(text)
