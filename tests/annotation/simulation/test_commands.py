"""What `simulate` and `replay` say when they can't begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.simulation import offering
from tests import factories
from tests.services import free_port


@pytest.fixture
def nothing_runs(settings) -> None:
    settings.TASK_URL = f"http://localhost:{free_port()}"
    settings.MTURK_ENDPOINT_URL = f"http://127.0.0.1:{free_port()}"


def not_to_be_begun(home: Path):
    pytest.fail("services were started for it")


@pytest.mark.django_db
def test_an_unknown_project_is_told_with_those_there_are() -> None:
    factories.make_project("science")
    with pytest.raises(CommandError, match="science"):
        call_command("simulate", "sience")


@pytest.mark.django_db
def test_services_that_do_not_answer_are_named_with_their_variable(nothing_runs, settings) -> None:
    factories.make_project("science")
    with pytest.raises(CommandError, match=rf"{settings.TASK_URL} \(TASK_URL\).*crowdwright up"):
        call_command("simulate", "science")


@pytest.mark.django_db
def test_a_project_with_nothing_on_offer_is_to_be_published_first(monkeypatch) -> None:
    monkeypatch.setattr("annotation.simulation.management.commands.simulate.require_running", lambda: None)
    factories.make_project("science")
    with pytest.raises(CommandError, match="publish science"):
        call_command("simulate", "science")


@pytest.mark.django_db
def test_knowledge_that_is_not_there_is_named(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("annotation.simulation.management.commands.simulate.require_running", lambda: None)
    project = factories.make_project("science")
    factories.make_hit(project, factories.make_item(project))
    with pytest.raises(CommandError, match=r"nothing\.jsonl"):
        call_command("simulate", "science", "--knowledge", str(tmp_path / "nothing.jsonl"))


@pytest.mark.parametrize(
    ("dataset", "missing", "source"),
    [
        ("arc-da", "arc-da/train.jsonl", "allenai.org/data/arc-da"),
        ("r4c", "r4c/dev_csf.json", "github.com/naoya-i/r4c"),
        ("strategyqa", "strategyqa/train.json", "github.com/eladsegal/strategyqa"),
    ],
)
def test_a_replay_without_the_published_data_says_what_is_missing_and_where_it_is_before_anything_starts(
    monkeypatch, tmp_path: Path, dataset: str, missing: str, source: str
) -> None:
    monkeypatch.setattr("annotation.simulation.management.commands.replay.services.temporary", not_to_be_begun)
    with pytest.raises(CommandError, match=rf"{tmp_path}/{missing}\..*{source}.*--data.*docs/replays.md"):
        call_command("replay", dataset, "--data", str(tmp_path))


def test_a_replay_of_an_unknown_dataset_is_refused(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("annotation.simulation.management.commands.replay.services.temporary", not_to_be_begun)
    for more in ([], ["--running"]):
        with pytest.raises(CommandError, match="nowhere has no replay"):
            call_command("replay", "nowhere", "--data", str(tmp_path), *more)


def test_a_whole_replay_is_refused_where_nothing_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="leaves nothing out"):
        call_command("replay", "arc-da", "--whole", "--running", "--data", str(tmp_path))


@pytest.mark.django_db
@pytest.mark.parametrize("environment", ["mturk_sandbox", "mturk_production"])
def test_nothing_is_simulated_at_another_marketplace(monkeypatch, environment) -> None:
    monkeypatch.setattr("annotation.simulation.management.commands.simulate.require_running", lambda: None)
    project = factories.make_project("science", environment=environment, wage_floor_cents=0)
    factories.make_hit(project, factories.make_item(project))
    factories.make_item(project)
    with pytest.raises(CommandError, match=f"science is of '{environment}'"):
        call_command("simulate", "science")
    for offer in (offering.offer_what_is_open, offering.offer_again):
        with pytest.raises(offering.NotOffered, match="only projects of the marketplace 'own'"):
            offer(project, as_="simulation")
    assert project.hits.count() == 1
