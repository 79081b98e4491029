"""Verification in the background: ordered in a moment, done by a job, told by the row."""

from pathlib import Path

import pytest
from django.utils import timezone

from annotation.releases import jobs, verifying
from annotation.releases.models import Release
from annotation.releases.verifying import end_broken_off, finish_verification, order_verification

Verification = Release.Verification


@pytest.fixture
def ordered(release) -> Release:
    order_verification(release=release)
    return release


def test_an_order_waits_for_a_job(ordered):
    assert ordered.verification == Verification.ORDERED
    assert ordered.verified_at is None


def test_a_job_tells_that_it_is_whole(ordered):
    jobs.verify(ordered.pk)
    ordered.refresh_from_db()
    assert (ordered.verification, ordered.problems) == (Verification.DONE, [])
    assert ordered.verified_at is not None


def test_a_job_tells_what_is_wrong(ordered):
    (Path(ordered.location) / "LICENSE").unlink()
    jobs.verify(ordered.pk)
    ordered.refresh_from_db()
    assert ordered.problems == ["LICENSE is missing"]


def test_the_next_one_replaces_what_the_last_one_found(ordered):
    licence = Path(ordered.location) / "LICENSE"
    content = licence.read_bytes()
    licence.unlink()
    jobs.verify(ordered.pk)
    licence.write_bytes(content)
    order_verification(release=ordered)
    jobs.verify(ordered.pk)
    ordered.refresh_from_db()
    assert ordered.problems == []


def test_what_runs_is_not_ordered_again_and_what_nobody_ordered_is_not_done(release, monkeypatch):
    done = []
    monkeypatch.setattr(verifying, "verify_release", lambda release: done.append(release) or [])
    finish_verification(release=release)
    assert done == []
    Release.objects.update(verification=Verification.RUNNING, verification_since=timezone.now())
    order_verification(release=release)
    finish_verification(release=release)
    assert done == []


def test_the_sweep_does_what_no_message_reached(ordered, monkeypatch):
    jobs.sweep()
    ordered.refresh_from_db()
    assert ordered.verification == Verification.ORDERED, "a moment's delay is no loss"
    monkeypatch.setattr(jobs, "UNCLAIMED_FOR", -jobs.UNCLAIMED_FOR)
    jobs.sweep()
    ordered.refresh_from_db()
    assert ordered.verification == Verification.DONE


def test_one_that_was_broken_off_is_no_release_that_is_whole(ordered):
    long_ago = timezone.now() - 2 * verifying.TAKES_AT_MOST
    Release.objects.update(verification=Verification.RUNNING, verification_since=long_ago)
    end_broken_off()
    ordered.refresh_from_db()
    assert ordered.verification == Verification.DONE
    assert ordered.problems[0].startswith("the verification was broken off")


def test_a_fault_of_ours_is_told_as_well(ordered, monkeypatch):
    def break_down(release):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(verifying, "verify_release", break_down)
    jobs.verify(ordered.pk)
    ordered.refresh_from_db()
    assert ordered.problems == ["it could not be verified: ZeroDivisionError: division by zero"]
