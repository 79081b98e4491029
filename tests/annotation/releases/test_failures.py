"""What goes wrong while a release is built stands in its row, and nothing is left lying about."""

import contextlib
import json
import shutil
import subprocess
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.events.models import Event
from annotation.releases import actions, jobs, queries
from annotation.releases import storage as storage_module
from annotation.releases.models import Release
from annotation.releases.results import ReleaseRefused
from annotation.releases.storage import FolderStorage
from tasks import registry
from tests.annotation.releases.filling import fill
from tests.factories import make_project

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


class TestNothingToRelease:
    """It is refused when it is asked for, and leaves no failed row behind."""

    @pytest.mark.parametrize("ask", [actions.order, actions.build])
    def test_where_nothing_is_accepted(self, db, ask):
        with pytest.raises(ReleaseRefused, match="nothing to release: no item of empty is accepted"):
            ask(project=make_project("empty"), created_by="user:1")
        assert not Release.objects.exists()

    def test_where_the_pipeline_holds_all_of_it_back(self, project, monkeypatch):
        def held_back(pipeline, accepted, settings):
            return f"{len(accepted)} wait for verdicts"

        monkeypatch.setattr(type(registry.pipeline("arc_da")), "held_back", held_back)
        with pytest.raises(ReleaseRefused, match="nothing to release: 12 wait for verdicts"):
            actions.order(project=project, created_by="user:1")
        assert not Release.objects.exists()

    def test_what_is_held_back_in_part_is_released_in_part(self, project, monkeypatch):
        def held_back(pipeline, accepted, settings):
            return "some wait" if any(one.split != "test" for one in accepted) else ""

        monkeypatch.setattr(type(registry.pipeline("arc_da")), "held_back", held_back)
        assert actions.order(project=project, created_by="user:1").state == Release.State.BUILDING


def test_a_failure_is_a_matter_of_the_past_once_a_later_order_was_built(project, monkeypatch, full_disk):
    with pytest.raises(OSError, match="No space"):
        actions.build(project=project, version="1.0.0", created_by="user:1")
    failed = Release.objects.get()
    assert list(queries.failed_and_not_rebuilt(project)) == list(queries.builds_of(project)) == [failed]
    monkeypatch.undo()
    actions.build(project=project, version="1.0.0", created_by="user:1")
    assert list(queries.failed_and_not_rebuilt(project)) == list(queries.builds_of(project)) == []


def test_a_failure_after_the_newest_release_stays_to_be_seen(release, project, full_disk):
    with pytest.raises(OSError, match="No space"):
        actions.build(project=project, created_by="user:1")
    assert [failed.state for failed in queries.failed_and_not_rebuilt(project)] == [Release.State.FAILED]


@pytest.mark.django_db(transaction=True)
def test_a_builder_that_takes_its_time_keeps_its_claim(monkeypatch):
    """Longer than a claim holds: another builder would take it over, and this one be refused at its end."""
    monkeypatch.setattr(actions, "RENEWED_EVERY", timedelta(milliseconds=1))
    past = timezone.now() - queries.CLAIM_HOLDS - timedelta(seconds=1)

    def work_long(step: str, percent: int) -> None:
        claimed = Release.objects.filter(claimed_by=queries.builder_here())
        claimed.update(claimed_at=past)
        while not claimed.filter(claimed_at__gt=past).exists():
            time.sleep(0.01)
        assert not queries.has_dead_builder(claimed.get())

    release = actions.build(project=fill(), created_by="user:1", progress=work_long)
    assert release.state == Release.State.READY


def test_a_builder_that_begins_while_another_tidies_keeps_its_folder(tmp_path):
    storage = FolderStorage(tmp_path)
    with contextlib.ExitStack() as second:
        begun = []

        def living() -> set[str]:
            begun.append(second.enter_context(storage.workspace("release-2", lambda: {"release-1", "release-2"})))
            return {"release-1"}  # read before the second builder made its claim

        with storage.workspace("release-1", living):
            assert begun[0].is_dir()


def test_the_folder_of_a_dead_builder_is_cleared_away(tmp_path):
    left = tmp_path / storage_module.WORKSPACES / "release-1.abc"
    left.mkdir(parents=True)
    with FolderStorage(tmp_path).workspace("release-2", lambda: {"release-2"}):
        assert not left.exists()


def test_a_slow_git_is_no_reason_to_fail(project, settings, monkeypatch):
    def too_slow(*arguments, **options):
        raise subprocess.TimeoutExpired("git", options["timeout"])

    settings.CODE_VERSION = ""
    monkeypatch.setattr(subprocess, "run", too_slow)
    release = actions.build(project=project, created_by="user:1")
    assert json.loads((Path(release.location) / "manifest.json").read_bytes())["code"]["crowdwright"] == "unknown"


def test_a_release_before_this_one_that_is_gone_is_told_in_words(release, project):
    shutil.rmtree(release.location)
    with pytest.raises(
        ReleaseRefused, match="the release before this one can't be compared with it: no release folder"
    ):
        actions.build(project=project, created_by="user:1")
