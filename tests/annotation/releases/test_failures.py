"""What goes wrong while a release is built stands in its row, and nothing is left lying about."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.events.models import Event
from annotation.releases import actions, jobs, queries
from annotation.releases.models import Release
from annotation.releases.results import ReleaseRefused
from annotation.releases.storage import FolderStorage

FAR_HOST = "another-machine:1"


def dead(project, **fields) -> Release:
    """A release whose builder died long ago, on another machine."""
    past = timezone.now() - queries.CLAIM_HOLDS - timedelta(seconds=1)
    fields = {"version": "1.0.0", "attempts": 1, "claimed_by": FAR_HOST, "claimed_at": past} | fields
    return Release.objects.create(project=project, created_by="user:1", **fields)


@pytest.fixture
def full_disk(monkeypatch) -> None:
    def publish(self, folder, name):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FolderStorage, "publish", publish)


def test_a_failure_stands_in_the_row_and_in_the_log(project, storage, full_disk):
    with pytest.raises(OSError, match="No space left"):
        actions.build(project=project, created_by="user:1")
    release = Release.objects.get()
    assert release.state == Release.State.FAILED
    assert "No space left on device" in release.error
    assert list(queries.releases_of(project)) == []
    assert Event.objects.filter(verb="release.failed", subject=f"release:{release.pk}").exists()
    assert [path for path in storage.rglob("*") if path.is_file()] == []


def test_a_version_that_failed_can_be_had_again(project, monkeypatch, full_disk):
    with pytest.raises(OSError, match="No space"):
        actions.build(project=project, version="1.0.0", created_by="user:1")
    monkeypatch.undo()
    assert actions.build(project=project, version="1.0.0", created_by="user:1").state == Release.State.READY


def test_faulty_rows_name_the_field(project, monkeypatch):
    from tasks.arc_da import release as arc

    row = arc.row
    monkeypatch.setattr(arc, "row", lambda item, stage: row(item, stage) | {"answers": "gravity"})
    with pytest.raises(ReleaseRefused, match=r"row 1 of \w+ is faulty: answers: .* \(found 'gravity'\)"):
        actions.build(project=project, created_by="user:1")


def test_an_id_twice_is_refused(project, monkeypatch):
    from tasks.arc_da import release as arc

    row = arc.row
    monkeypatch.setattr(arc, "row", lambda item, stage: row(item, stage) | {"question_id": "same"})
    with pytest.raises(ReleaseRefused, match="question_id 'same' stands twice"):
        actions.build(project=project, created_by="user:1")


def test_two_builders_of_one_order_build_it_once(project):
    release = actions.order(project=project, created_by="user:1")
    assert actions.finish(release=release).state == Release.State.READY
    written = Release.objects.get().manifest_sha256
    assert actions.finish(release=release).manifest_sha256 == written
    assert Release.objects.get().attempts == 1


def test_a_living_builders_release_is_left_to_it(project):
    release = dead(project, claimed_at=timezone.now())
    actions.finish(release=release)
    assert Release.objects.get().state == Release.State.BUILDING
    with pytest.raises(ReleaseRefused, match=r"another build took version 1\.0\.0"):
        actions.build(project=project, created_by="user:1")


def test_a_builder_that_was_thought_dead_publishes_nothing(project, storage, monkeypatch):
    """It wakes up after another took over: the claim's number has moved on."""
    settle = actions._settle_version

    def late(release, version):
        settle(release, version)
        Release.objects.filter(pk=release.pk).update(attempts=2)

    monkeypatch.setattr(actions, "_settle_version", late)
    with pytest.raises(ReleaseRefused, match="another builder took over"):
        actions.build(project=project, created_by="user:1")
    assert list(storage.glob("forces/*")) == []
    assert Release.objects.get().state == Release.State.BUILDING, "it failed what another is building"


def test_the_sweep_takes_up_what_a_dead_builder_left(project):
    release = dead(project)
    jobs.sweep()
    release.refresh_from_db()
    assert release.state == Release.State.READY


def test_a_release_that_kills_its_builders_is_given_up(project):
    release = dead(project, attempts=actions.MOST_ATTEMPTS)
    jobs.sweep()
    release.refresh_from_db()
    assert release.state == Release.State.FAILED
    assert "builders died 3 times" in release.error


def test_a_dead_builders_version_is_free_and_its_folder_is_set_aside(project, storage):
    dead(project)
    (storage / "forces/1.0.0").mkdir(parents=True)
    (storage / "forces/1.0.0/half").write_text("a half release")
    release = actions.build(project=project, created_by="user:1")
    assert release.version == "1.0.0"
    assert not (storage / "forces/1.0.0/half").exists()
    assert [path.read_text() for path in (storage / ".left-over").rglob("half")] == ["a half release"]
    assert sorted(Release.objects.values_list("state", flat=True)) == ["failed", "ready"]
