"""Work that is given back, taken again, or left half done: what the next worker meets, and what counts."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest

from annotation.simulation.workers import TASK_FRAME, WORK_FORM, Turn, Worker
from tests.flows.service import OF_PROJECT, Service

SOURCE = Path(__file__).parent / "arc_da" / "ARC-Challenge-test.jsonl"


class AlwaysReturns(Random):
    """Draws that make a quitter give back the next HIT."""

    def randrange(self, *limits: int) -> int:
        return 0


@pytest.fixture
def given_back(service: Service, request: pytest.FixtureRequest) -> tuple[str, Worker]:
    """A project with one HIT, which a worker took, half filled in and gave back."""
    slug = request.node.name.replace("_", "-")[:40].strip("-")
    assert service.project(slug, SOURCE) == 1
    quitter = service.worker(f"quitter-{len(slug)}-{slug[-8:]}", "quitter")
    quitter.rng = AlwaysReturns(1)
    quitter.wanted = _only(service, slug)
    assert quitter.turn() is Turn.RETURNED
    return slug, quitter


def _only(service: Service, slug: str):
    """Whether a HIT of the marketplace is of this project."""
    rows = service.rows(f"select h.remote_id from hits_hit h {OF_PROJECT}", slug)
    return {row["remote_id"] for row in rows}.__contains__


def _accepted(worker: Worker) -> tuple[dict[str, str], object]:
    """Accepts a wanted HIT: the frame's parameters, and the task's page."""
    page = worker._accept()
    address = page.find(TASK_FRAME).get("src")
    parameters = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    return parameters, worker.browser.get(address)


def _assignments(service: Service, slug: str) -> list[dict]:
    return service.rows(
        f"select a.assignment_id, a.state, a.draft, a.worker_id, h.max_assignments from hits_assignment a "
        f"join hits_hit h on h.id = a.hit_id {OF_PROJECT} order by a.id",
        slug,
    )


def _counting(service: Service, slug: str) -> list[int]:
    """The workers of all answers that count, one entry an answer."""
    rows = service.rows(
        f"select a.worker_id from hits_answer n join hits_assignment a on a.id = n.assignment_id "
        f"join hits_hit h on h.id = a.hit_id {OF_PROJECT} and n.counts",
        slug,
    )
    return [row["worker_id"] for row in rows]


def test_the_next_worker_under_the_same_id_does_not_see_the_first_ones_words(service, given_back) -> None:
    slug, _ = given_back
    (before,) = _assignments(service, slug)
    assert json.loads(before["draft"]), "the first worker's words are kept"
    second = service.worker(f"second-{slug[-12:]}", seat=1, wanted=_only(service, slug))

    parameters, page = _accepted(second)

    assert parameters["assignmentId"] == before["assignment_id"]
    form = page.form(WORK_FORM)
    typed = [values for name, values in form.values.items() if name.endswith(".answers")]
    assert len(typed) == 3 and not any("".join(values) for values in typed)


def test_who_takes_it_again_finds_their_words(service, given_back) -> None:
    _, quitter = given_back
    _, page = _accepted(quitter)
    form = page.form(WORK_FORM)
    assert any("".join(values) for name, values in form.values.items() if name.endswith(".answers"))


def test_only_the_worker_who_handed_in_counts_and_is_paid(service, given_back) -> None:
    slug, quitter = given_back
    second = service.worker(f"third-{slug[-12:]}", seat=1, wanted=_only(service, slug))
    assert second.turn() is Turn.DONE

    service.wait_until(lambda: second.earned_cents() == 100, "the worker is paid")

    first, other = _assignments(service, slug)
    assert first["assignment_id"] == other["assignment_id"]
    assert (first["state"], other["state"]) == ("superseded", "approved")
    assert set(_counting(service, slug)) == {other["worker_id"]}
    assert quitter.earned_cents() == 0


def test_a_hit_that_ended_too_early_is_offered_again_to_others_only(service) -> None:
    slug = "topped-up"
    service.project(slug, SOURCE)
    early = [service.worker(f"early{seat}", seat=seat, wanted=_only(service, slug)) for seat in range(2)]
    assert [worker.turn() for worker in early] == [Turn.DONE, Turn.DONE]
    service.run(
        "from annotation.hits.expiring import expire_stage; from annotation.projects.models import Stage; "
        f"expire_stage(stage=Stage.objects.get(project__slug={slug!r}))"
    )
    is_open = "select count(*) from projects_item i join projects_project p on p.id = i.project_id where p.slug = ? "
    unfinished = is_open + "and i.state = 'open'"
    service.wait_until(lambda: service.count(unfinished, slug) == 3, "the unfinished items are open again")

    assert service.top_up(slug) == 1
    hits = service.rows(f"select h.max_assignments from hits_hit h {OF_PROJECT} order by h.id", slug)
    assert [hit["max_assignments"] for hit in hits] == [5, 3]

    early[0].wanted = _only(service, slug)
    assert early[0].turn() is Turn.REFUSED, "who answered an item does not answer it again"
    late = [service.worker(f"late{seat}", seat=seat, wanted=_only(service, slug)) for seat in range(2, 5)]
    assert [worker.turn() for worker in late] == [Turn.DONE] * 3
    service.wait_until(lambda: len(_counting(service, slug)) == 15, "five answers an item are in")
    settled = is_open + "and i.state = 'settled'"
    service.wait_until(lambda: service.count(settled, slug) == 3, "they are added up")
