"""`release build`, `verify`, `diff` and `list`, as people and scripts call them."""

import json
from io import StringIO
from pathlib import Path

import pytest
from botocore.exceptions import NoCredentialsError
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.releases.models import Release
from tests.factories import make_project


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("release", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_a_release_is_built_listed_verified_and_compared(project, reword):
    assert "Release 1.0.0 of forces: 12 rows (train 4, dev 4, test 4), 70 judgements." in run("build", "forces")
    key = reword(project, "Which force acts on ball number 0 near gravity?")
    built = json.loads(run("build", "forces", "--notes", "One rewording.", "--json"))
    assert (built["version"], built["state"], built["counts"]["rows"]) == ("2.0.0", "ready", 12)
    assert [line.split()[0] for line in run("list", "forces").splitlines()] == ["2.0.0", "1.0.0"]
    assert "everything is as the manifest says" in run("verify", "forces@2.0.0")
    told = run("diff", "forces@1.0.0", built["location"])
    assert "1.0.0 → 2.0.0: a major change" in told
    change = "Which force acts on ball number 0 [-when it is dropped -]near [-gravity “0”-]{+gravity+}?"
    assert f"{key}: question {change}" in told
    found = json.loads(run("diff", "forces@1.0.0", "forces@newest", "--json"))
    assert [entry["id"] for entry in found["changed"]] == [key]
    assert found["kind"] == "major"


def test_a_version_may_be_given(project):
    assert json.loads(run("build", "forces", "--release-version", "2.5.0", "--json"))["version"] == "2.5.0"


def test_verify_fails_where_it_finds_something(release):
    (Path(release.location) / "LICENSE").unlink()
    out = StringIO()
    with pytest.raises(CommandError, match=r"1 problem found in forces@1\.0\.0"):
        call_command("release", "verify", "forces@1.0.0", "--json", stdout=out)
    assert json.loads(out.getvalue()) == {"location": release.location, "problems": ["LICENSE is missing"]}


def test_verify_takes_a_folder_that_no_row_knows(release):
    location = release.location
    Release.objects.all().delete()
    assert json.loads(run("verify", location, "--json"))["problems"] == []


def test_verify_builds_again_on_request(release):
    assert json.loads(run("verify", "forces@1.0.0", "--rebuild", "--json"))["problems"] == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["build", "nowhere"], "no project 'nowhere'; there are empty"),
        (["build", "empty"], "nothing to release"),
        (["list", "nowhere"], "no project 'nowhere'"),
        (["verify", "empty@1.0.0"], "no finished release empty@1.0.0"),
        (["verify", "/no/such/folder"], "1 problem found"),
        (["verify", "/no/such/folder", "--rebuild"], "--rebuild needs a release of a project here"),
        (["diff", "empty@1.0.0", "empty@2.0.0"], "no finished release"),
        (["diff", "/no/such/folder", "/no/other"], "no release folder at /no/such/folder"),
    ],
)
def test_what_can_not_be_done_is_said(db, arguments, complaint):
    make_project("empty")
    with pytest.raises(CommandError, match=complaint):
        run(*arguments)


def test_storage_that_can_not_be_reached_is_no_traceback(db, monkeypatch):
    def unreachable(*args, **kwargs):
        raise NoCredentialsError

    monkeypatch.setattr("annotation.releases.verification.open_folder", unreachable)
    with pytest.raises(CommandError, match="can't be reached: Unable to locate credentials"):
        run("verify", "s3://bucket/demo/1.0.0")
