"""A version says what changed: major for edits and losses, minor for additions, patch for packaging."""

from pathlib import Path

import pytest

from annotation.projects.models import Item
from annotation.releases import actions, queries, versions
from annotation.releases.models import Release
from annotation.releases.results import ReleaseRefused
from annotation.releases.verification import rebuild
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


class TestOrdersThatAreBuiltLate:
    """An order that lost its builder is built by the sweep when later ones are finished."""

    @pytest.fixture
    def late(self, project) -> Release:
        late, early = (actions.order(project=project, created_by="user:1") for _ in range(2))
        assert actions.finish(release=early).version == "1.0.0"
        return actions.finish(release=late)

    def test_the_newest_is_the_highest_version_not_the_highest_row(self, project, late):
        assert late.version == "1.0.1"
        assert queries.newest_release(project) == queries.find_release("forces@newest") == late
        assert [release.version for release in queries.releases_of(project)] == ["1.0.1", "1.0.0"]

    def test_the_next_build_follows_it(self, project, late):
        assert build(project).version == "1.0.2"

    def test_each_is_built_again_after_its_own_predecessor(self, project, late):
        assert [rebuild(release) for release in queries.releases_of(project)] == [[], []]


def test_a_version_that_was_overtaken_while_it_waited_is_refused(project):
    waiting = actions.order(project=project, version="1.5.0", created_by="user:1")
    build(project, version="2.0.0")
    with pytest.raises(ReleaseRefused, match=r"1\.5\.0 must come after 2\.0\.0"):
        actions.finish(release=waiting)


def test_ten_comes_after_nine(project):
    build(project, version="1.9.0")
    build(project, version="1.10.0")
    assert queries.newest_release(project).version == "1.10.0"


def test_a_release_whose_number_has_no_next_asks_for_one(project):
    build(project, version="1.0.99999")
    with pytest.raises(ReleaseRefused, match=r"no version follows 1\.0\.99999 by itself"):
        build(project)
    assert build(project, version="2.0.0").state == "ready"
