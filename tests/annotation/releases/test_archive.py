"""A release as one zip file."""

import io
import shutil
import zipfile
from pathlib import Path

import pytest

from annotation.releases import archive
from annotation.releases.models import Release
from annotation.releases.storage import ReleaseUnreadable
from annotation.releases.verification import verify


def packed(release: Release) -> bytes:
    return b"".join(archive.stream_zip(release))


def test_the_zip_holds_the_release_whole(release, tmp_path):
    with zipfile.ZipFile(io.BytesIO(packed(release))) as archive_file:
        assert archive_file.testzip() is None
        archive_file.extractall(tmp_path)
    assert verify(tmp_path / "forces-1.0.0") == []


def test_the_same_release_gives_the_same_zip_whatever_its_files_age(release):
    before = packed(release)
    for path in Path(release.location).rglob("*"):
        path.touch()
    assert packed(release) == before


def test_it_comes_in_parts(release):
    assert len(list(archive.stream_zip(release))) > 5


def test_what_is_not_ready_can_not_be_had(project):
    building = Release.objects.create(project=project, version="1.0.0", created_by="user:1")
    with pytest.raises(ValueError, match=r"1\.0\.0 is building"):
        archive.stream_zip(building)


@pytest.mark.parametrize("gone", [".", "manifest.json"])
def test_a_release_that_is_not_in_its_place_is_told_before_anything_is_sent(release, gone):
    path = Path(release.location) / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(ReleaseUnreadable, match=release.location):
        archive.stream_zip(release)
