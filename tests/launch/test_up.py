"""`up` as a person runs it: from an empty folder to pages that answer, out again, and on where it was."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.launch import processes
from annotation.simulation.browser import Browser, Page
from tests.services import free_port

ROOT = Path(__file__).parents[2]
MINE = ["DATABASE_URL", "MARKETPLACE_DATABASE_URL", "REDIS_URL", "TASK_URL", "MTURK_ENDPOINT_URL", "CROWDWRIGHT_SITE"]


class Up:
    """The command, in a home of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.ports = [free_port(), free_port()]
        self.running: subprocess.Popen | None = None
        self.environment = {name: value for name, value in os.environ.items() if name not in MINE}
        self.environment |= {"CROWDWRIGHT_HOME": str(home), "SQLITE_SYNCHRONOUS": "OFF"}

    def start(self, *arguments: str) -> subprocess.Popen:
        command = [sys.executable, str(ROOT / "manage.py"), "up", *arguments]
        self.running = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        return self.running

    def on_ports(self, *arguments: str) -> subprocess.Popen:
        web, marketplace = map(str, self.ports)
        return self.start("--port", web, "--marketplace-port", marketplace, *arguments)

    def told(self, process: subprocess.Popen) -> dict:
        """What it prints with --json once all is ready."""
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line == "}\n":
                return json.loads("".join(lines))
        pytest.fail(f"up ended without being ready: {process.stderr.read()}")

    def stop(self, process: subprocess.Popen, number: int = signal.SIGINT) -> int:
        process.send_signal(number)
        code = process.wait(timeout=60)
        process.stdout.close()
        process.stderr.close()
        return code

    def processes(self) -> list[dict]:
        return json.loads((self.home / "run" / "children.json").read_text())


@pytest.fixture(scope="module")
def up(tmp_path_factory) -> Iterator[Up]:
    """One home for all tests of this file."""
    up = Up(tmp_path_factory.mktemp("up"))
    yield up
    if up.running and up.running.poll() is None:
        up.stop(up.running)
    processes.stop_left_over(up.home / "run" / "children.json")


@pytest.fixture(scope="module")
def service(up) -> Iterator[dict]:
    """What the first start told, from an empty folder and with the demo. It runs until the tests after its own."""
    running = up.on_ports("--json")
    yield up.told(running) | {"process": running}


def get(url: str) -> tuple[int, str]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status, answer.read().decode()


def members_of(children: list[dict]) -> list[int]:
    """All processes of the children's sessions that still run."""
    sessions = {child["pid"] for child in children}
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and int(fields[3]) in sessions:
            found.append(int(folder.name))
    return found


def sign_in(url: str, username: str, password: str) -> Page | None:
    """The page behind the form at this address, where it lets this person in."""
    browser = Browser()
    form = browser.get(url).form('.//input[@name="password"]')
    page = browser.submit(form, username=username, password=password)
    browser.close()
    return page if page.form('.//input[@name="password"]') is None else None


def answers(url: str) -> bool:
    try:
        return get(url)[0] == 200
    except OSError:
        return False


# --- The first start. These tests share it, in this order. ---


def test_an_empty_folder_becomes_sites_that_answer_at_the_addresses_it_prints(up, service):
    assert service["researcher"] == f"http://localhost:{up.ports[0]}/"
    assert service["worker"] == f"http://127.0.0.1:{up.ports[1]}/"
    assert get(service["researcher"] + "healthz") == (200, "ok\n")
    assert get(service["worker"])[0] == 200
    assert {child["name"] for child in up.processes()} == {"broker", "marketplace", "notices", "web", "workers"}


def test_the_demo_accounts_open_both_sites_and_only_with_their_password(service):
    accounts = service["accounts"]
    assert sign_in(service["expert"] + "login/", accounts["expert"], accounts["password"])
    assert not sign_in(service["expert"] + "login/", accounts["expert"], "another")
    assert not sign_in(service["worker"] + "sign-in/", accounts["workers"][0], "another")


def test_a_demo_worker_finds_the_demo_project_on_offer(service):
    accounts = service["accounts"]
    page = sign_in(service["worker"] + "sign-in/", accounts["workers"][0], accounts["password"])
    assert page.all(".//article[@data-group]")


def test_secrets_are_readable_by_their_owner_only(up, service):
    for name in ["demo-password", "marketplace-requester.json", "main-key", "marketplace-key"]:
        assert oct((up.home / "secrets" / name).stat().st_mode)[-3:] == "600", name


def test_a_second_start_in_the_same_home_is_refused_and_harms_nothing(up, service):
    second = up.start("--no-demo")
    said = second.communicate(timeout=60)[1]
    up.running = service["process"]
    assert second.returncode == 1
    assert f"runs already in {up.home} (process {up.running.pid})" in said
    assert answers(service["researcher"] + "healthz")


def test_a_command_in_another_terminal_reaches_these_services_without_being_told_where(up, service):
    asks = (
        "from django.conf import settings\n"
        "from annotation.providers.mturk import connect\n"
        "from annotation.simulation.run import require_running\n"
        "require_running()\n"
        "print(connect('own').balance_cents(), settings.TASK_URL)"
    )
    asked = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", asks],
        env=up.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout.split()[-1] == f"http://localhost:{up.ports[0]}"


def test_a_web_server_that_was_killed_is_up_again_soon(up, service):
    before = {child["name"]: child["pid"] for child in up.processes()}
    os.kill(before["web"], signal.SIGKILL)
    deadline = time.monotonic() + 60
    while {child["name"]: child["pid"] for child in up.processes()}["web"] == before["web"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    while not answers(service["researcher"] + "healthz"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    after = {child["name"]: child["pid"] for child in up.processes()}
    assert after["marketplace"] == before["marketplace"]


def test_ctrl_c_leaves_no_process_behind(up, service):
    children = up.processes()
    assert len(members_of(children)) > len(children)
    assert up.stop(service["process"], signal.SIGINT) == 0
    assert members_of(children) == []


# --- Later starts ---


def test_the_next_start_is_on_the_same_ports_and_clears_away_what_its_own_death_has_left(up):
    running = up.start("--json")
    told = up.told(running)
    assert told["researcher"] == f"http://localhost:{up.ports[0]}/"
    left = up.processes()
    running.kill()
    running.communicate()
    assert members_of(left)

    following = up.start("--json", "--exit-when-ready")
    said = following.communicate(timeout=120)
    assert following.returncode == 0, said
    assert "Stopped what an earlier run had left" in said[1]
    assert members_of(left) == []
    # The demo is made once.
    assert "Demo project" not in said[1]


@pytest.mark.parametrize("port", ["0", "65536", "-1", "web"])
def test_what_is_no_port_is_refused_before_anything_is_begun(port):
    with pytest.raises(CommandError, match="a port is a number from 1 to 65535"):
        call_command("up", f"--port={port}")


def test_a_taken_port_is_named_with_the_way_out(up):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = up.start("--port", str(port))
        said = refused.communicate(timeout=60)[1]
    assert refused.returncode == 1
    assert f"port {port}, wanted for the task pages, is taken" in said
    assert f"./crowdwright up --port {port + 100}" in said


def test_a_marketplace_that_was_deleted_is_made_anew_with_keys_and_workers(up):
    for path in up.home.glob("marketplace.sqlite3*"):
        path.unlink()
    running = up.start("--json")
    try:
        told = up.told(running)
        accounts = told["accounts"]
        assert sign_in(told["worker"] + "sign-in/", accounts["workers"][0], accounts["password"])
    finally:
        up.stop(running)
