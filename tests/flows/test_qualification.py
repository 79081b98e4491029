"""From a qualification test to a release: only who passed derives and judges, and all of it is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.simulation.browser import Browser, text_of
from tasks.r4c import simulation
from tests.flows.service import OF_PROJECT, Service

SOURCES = [simulation.DEMO_FILES / "hotpot-train.jsonl"]
SETTINGS = {"answerability_share": 1.0, "derivability_share": 0.0}


@pytest.fixture(scope="module")
def simulated(service: Service) -> dict:
    """A crowd of several characters takes the test; two graders read it; who passed does all stages."""
    create = ["create", "r4c", "tested", "--budget", "1000", "--choices", json.dumps(SETTINGS)]
    make = ["qualification", "make", "tested", "Derivations", "--stage", "derivation", "--cents-per-item", "15"]
    words = [
        create,
        ["import", "tested", *map(str, SOURCES)],
        [*make, "--approval-rate", "95"],
        ["qualification", "items", "tested", "--set-aside", "1"],
        ["qualification", "ask", "tested", "answerability"],
        ["qualification", "publish", "tested", "--workers", "12", "--yes", "--below-floor"],
    ]
    _call(service, *words)
    service._wait_until_offered("tested")
    return service.command("simulate", "tested", "--workers", "10", "--seed", "6")


@pytest.fixture(scope="module")
def report(service: Service, simulated: dict) -> dict:
    (found,) = service.command("qualification", "report", "tested")
    return found


@pytest.fixture(scope="module")
def folder(service: Service, simulated: dict) -> Path:
    release = service.command("release", "build", "tested")["location"]
    assert service.command("release", "verify", release)["problems"] == []
    return Path(release)


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def took(service: Service, simulated: dict) -> int:
    """How many handed the test in. Who returned it half-way finds it open there, and no second one, until its time
    is over.
    """
    opened, handed_in = (
        service.count(
            "select count(distinct a.worker_id) from hits_assignment a join hits_hit h on h.id = a.hit_id "
            f"{OF_PROJECT} and h.trial_of_id is not null and {condition}",
            "tested",
        )
        for condition in ("a.state is not null", "a.receipt != ''")
    )
    assert opened == 10
    return handed_in


def test_each_worker_takes_the_test_once_and_two_graders_read_it(simulated: dict, report, took: int) -> None:
    assert report["admitted"] == report["took"] == took >= 8
    # Whom the graders ask to try again takes another set.
    trials = report["trials"]
    assert took <= trials <= took + report["again"] + report["passed"] + report["failed"]
    assert [one["grades"] for one in report["graders"]] == [trials, trials]
    assert report["waiting"] == report["talk"] == 0
    assert report["agreement"]["trials"] == trials
    assert report["agreement"]["talks"] == simulated["grades"]["talks"]


def test_who_can_passes_and_who_spams_does_not(report, took: int) -> None:
    assert 6 <= report["passed"] <= 9
    assert report["passed"] + report["failed"] + report["again"] == took
    assert report["passed_share"]["value"] == report["passed"] / took
    assert report["holders"] == report["passed"]


def test_the_marketplace_lets_nobody_else_at_the_real_hits(service: Service, simulated: dict) -> None:
    authors = service.count(
        "select count(*) from hits_assignment a join hits_hit h on h.id = a.hit_id "
        f"join trials_trial t on t.worker_id = a.worker_id {OF_PROJECT} and h.trial_of_id is null "
        "and t.state != 'passed'",
        "tested",
    )
    assert authors == 0


def test_a_worker_who_failed_is_refused_at_the_real_hits_with_the_reason(
    service: Service, simulated: dict, tmp_path: Path
) -> None:
    another = rows(SOURCES[0])[0] | {"_id": "one-more"}
    source = tmp_path / "hotpot-train.jsonl"
    source.write_text(json.dumps(another), encoding="utf-8")
    publish = ["publish", "tested", "--stage", "derivation", "--yes", "--below-floor"]
    _call(service, ["import", "tested", str(source)], publish)
    service._wait_until_offered("tested")
    spammer = _sign_in(service, "crowd-6-6-spammer")

    listed = spammer.get(f"{service.marketplace}/hits/")

    [group] = [one for one in listed.all("//article[@data-group]") if "at least 1 (yours: 0)" in text_of(one)]
    assert "Derivations" in text_of(group)
    assert not group.xpath('.//form[contains(@action, "/accept")]')


def _call(service: Service, *words: list[str]) -> None:
    """Several commands in one process: a third of the time."""
    service.run(f"from django.core.management import call_command\nfor words in {words!r}: call_command(*words)")


def _sign_in(service: Service, name: str) -> Browser:
    """A browser of one of the crowd, whose password this installation knows."""
    told = service.run(f"from annotation.simulation.people import worker_password; print(worker_password({name!r}))")
    browser = Browser()
    page = browser.get(f"{service.marketplace}/sign-in/")
    browser.submit(page.form('.//input[@name="password"]'), username=name, password=told.strip())
    return browser


def test_trials_are_paid_and_add_up_to_nothing(service: Service, simulated: dict, folder: Path) -> None:
    trials = service.rows(
        f"select a.state, h.reward_cents from hits_assignment a join hits_hit h on h.id = a.hit_id {OF_PROJECT} "
        "and h.trial_of_id is not null and a.receipt != ''",
        "tested",
    )
    assert {(one["state"], one["reward_cents"]) for one in trials} == {("approved", 15)}
    (tested,) = service.rows(
        "select i.key from projects_item i join projects_project p on p.id = i.project_id "
        "where p.slug = ? and i.state = 'trial'",
        "tested",
    )
    for name in ("outcomes", "judgements", "rejected", "excluded"):
        assert tested["key"] not in (folder / "raw" / f"{name}.jsonl").read_text(encoding="utf-8")


def test_the_release_tells_the_counts_and_nobody_s_name(folder: Path, report, took: int) -> None:
    stats = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
    (told,) = stats["qualifications"]
    assert (told["took"], told["passed"]) == (took, report["passed"])
    assert "graders" not in told
    assert f"{report['passed']} of {took}" in (folder / "README.md").read_text(encoding="utf-8")
    released = [row for row in rows(folder / "data" / "train.jsonl")]
    assert released and all(len(row["derivations"]) == 3 for row in released)
