"""Processes killed outright in the midst of work: what was called saved stays, and nobody is paid twice."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path

import requests

from annotation.simulation.workers import TASK_FRAME, WORK_FORM
from tests.flows.service import OF_PROJECT, Service

SOURCES = sorted((Path(__file__).parent / "arc_da").glob("ARC-*.jsonl"))


def kill(service: Service, name: str) -> int:
    """Ends a child of the supervisor, with all that it started, without a word; gives the number that it had."""
    (pid,) = [child["pid"] for child in _children(service) if child["name"] == name]
    os.killpg(pid, signal.SIGKILL)
    return pid


def _children(service: Service) -> list[dict]:
    return json.loads((Path(service.environment["CROWDWRIGHT_HOME"]) / "run" / "children.json").read_text())


def test_what_the_page_called_saved_survives_a_killed_web_server(service: Service) -> None:
    assert service.project("killed-web", SOURCES[0]) == 1
    (hit,) = service.rows(f"select h.remote_id from hits_hit h {OF_PROJECT}", "killed-web")
    worker = service.worker("typing", wanted={hit["remote_id"]}.__contains__)
    address = worker._accept().find(TASK_FRAME).get("src")
    form = worker.browser.get(address).form(WORK_FORM)
    (context,) = form.values["context"]
    field = next(name for name in sorted(form.names) if name.endswith(".answers"))
    draft = f"{address.partition('?')[0]}draft"
    headers = {"X-Context": context, "Accept": "application/json"}

    def ask(method: str, **more) -> dict | None:
        """None where nothing came back, as happens while the server is away."""
        try:
            answer = requests.request(method, draft, headers=headers, timeout=10, **more)
        except requests.RequestException:
            return None
        return answer.json() if answer.status_code == 200 else None

    def save(number: int) -> dict | None:
        """As the page does; only what this gives was called saved."""
        body = {"base_revision": revision, "values": {field: [f"word {number}"]}, "tab": "tab", "turn": number}
        return ask("POST", json=body)

    revision = number = 0
    deadline = time.monotonic() + 90
    for saved in range(30):
        if saved == 15:
            threading.Timer(0.005, kill, (service, "web")).start()
        number += 1
        while (told := save(number)) is None:
            assert time.monotonic() < deadline, "the web server did not come back"
            time.sleep(0.1)
            number += 1
        revision = told["revision"]
        standing = ask("GET", params={"after": 0})
        assert standing is None or standing["values"] == {field: [f"word {number}"]}
    assert number > 30, "the server was away for a while"
    assert ask("GET", params={"after": 0})["values"] == {field: [f"word {number}"]}


def test_killed_workers_leave_no_work_unpaid_and_none_paid_twice(service: Service) -> None:
    assert service.project("killed-workers", *SOURCES) == 2
    told: dict = {}

    def crowd() -> None:
        told.update(service.command("simulate", "killed-workers", "--workers", "10", "--seed", "5"))

    working = threading.Thread(target=crowd)
    working.start()
    handed = f"select count(*) from hits_assignment a join hits_hit h on h.id = a.hit_id {OF_PROJECT}"
    service.wait_until(lambda: service.count(handed, "killed-workers") >= 2, "somebody works")
    pid = kill(service, "workers")
    working.join(180)
    assert not working.is_alive()

    assert told["assignments"] == 10
    assert sum(who["earned_cents"] for who in told["characters"].values()) == 10 * 100
    assert service.count(f"{handed} and a.state = 'approved'", "killed-workers") == 10
    hits = service.rows(f"select h.remote_id from hits_hit h {OF_PROJECT}", "killed-workers")
    assert len({row["remote_id"] for row in hits}) == len(hits) == 2
    assert pid not in {child["pid"] for child in _children(service)}, "they were started again"
