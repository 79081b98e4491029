"""docker-compose.yml: it is well-formed, complete, and what it configures passes `check --deploy`."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ONCE = {"migrate", "migrate-marketplace"}
ENV_FILE = {
    "TASK_HOST": "crowd.example.org",
    "MARKET_HOST": "market.example.org",
    "POSTGRES_PASSWORD": "a-password",
    "SECRET_KEY": "3xnq-Ub0" * 8,
    "PSEUDONYM_KEY": "7fKp_c2M" * 8,
    "MARKETPLACE_SECRET_KEY": "w9Zt.eR5" * 8,
    "MTURK_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "MTURK_SECRET_ACCESS_KEY": "secret",
}
VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?::(?P<kind>[-?])(?P<word>[^}]*))?\}")


@pytest.fixture(scope="module")
def services() -> dict:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]


def environment_of(service: dict) -> dict[str, str]:
    """As Compose would set it, with ENV_FILE as the `.env`."""

    def value(match: re.Match) -> str:
        name = match["name"]
        assert name in ENV_FILE or match["kind"] == "-", f"{name} is used, neither given nor defaulted"
        return ENV_FILE.get(name, match["word"] or "")

    return {name: VARIABLE.sub(value, text) for name, text in service["environment"].items()}


def ours(services: dict) -> dict:
    return {name: service for name, service in services.items() if service["image"] == "crowdwright"}


def test_it_describes_every_part_of_the_service(services):
    assert services.keys() >= {"web", "worker", "live-worker", "clock", "marketplace", "postgres", "redis"} | ONCE


def test_whatever_runs_on_has_a_health_check_and_is_started_again(services):
    for name, service in services.items():
        if name not in ONCE:
            # Nobody asks the notices anything: that they run is all there is to see.
            assert "test" in service["healthcheck"] or name == "marketplace-notices", name
            assert service["restart"] == "unless-stopped", name


def test_nothing_starts_before_the_migrations_are_through(services):
    for name, service in ours(services).items():
        if name not in ONCE:
            before = service["depends_on"]
            if name == "marketplace-notices":
                before = services["marketplace"]["depends_on"]
            migration = "migrate-marketplace" if name.startswith("marketplace") else "migrate"
            assert before[migration] == {"condition": "service_completed_successfully"}, name


def test_the_workers_take_every_queue_that_jobs_are_sent_to(services, settings):
    taken = set()
    for service in services.values():
        command = service.get("command", [])
        if "worker" in command:
            taken |= set(command[command.index("--queues") + 1].split(","))
    sent_to = {settings.CELERY_TASK_DEFAULT_QUEUE} | {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()}
    assert sent_to <= taken


def test_there_is_exactly_one_clock(services):
    assert [name for name, service in services.items() if "beat" in service.get("command", [])] == ["clock"]


def test_ports_are_open_to_this_machine_only(services):
    for name, service in services.items():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name


def test_every_service_of_the_main_site_that_runs_our_code_has_its_files(services):
    """Corpora, solvers and releases lie in the home; migrations and the clock open none of them."""
    for name, service in ours(services).items():
        if environment_of(service)["CROWDWRIGHT_SITE"] == "main" and name not in ONCE | {"clock"}:
            assert "data:/data" in service["volumes"], name


def test_named_volumes_and_configs_are_declared():
    whole = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    for service in whole["services"].values():
        assert {volume.split(":")[0] for volume in service.get("volumes", [])} <= whole["volumes"].keys()
        assert {config["source"] for config in service.get("configs", [])} <= whole["configs"].keys()


def test_only_variables_that_mean_something_are_set(services):
    known = set(re.findall(r'"([A-Z][A-Z0-9_]+)"', (ROOT / "annotation" / "settings.py").read_text()))
    known |= set(re.findall(r'"([A-Z][A-Z0-9_]+)"', (ROOT / "annotation" / "launch" / "web_server.py").read_text()))
    for name, service in ours(services).items():
        assert service["environment"].keys() <= known, name


def test_the_image_holds_all_that_the_commands_need(services):
    recipe = services["web"]["build"]["dockerfile_inline"]
    for needed in ["requirements.txt", "manage.py", "annotation", "tasks", "templates", "static"]:
        assert f"COPY {needed} " in recipe
        assert (ROOT / needed).exists()


@pytest.mark.parametrize("name", ["web", "worker", "marketplace"])
def test_the_configuration_passes_check_deploy_without_an_error(services, name, tmp_path):
    checked = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "check", "--deploy"],
        env={"PATH": os.environ["PATH"], "CROWDWRIGHT_HOME": str(tmp_path), **environment_of(services[name])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    # One machine's folder for releases is a thing to know of; nothing else that concerns safety is found.
    assert set(re.findall(r"\(((?:crowdwright|security)\.[EW]\d+)\)", checked.stderr)) <= {"crowdwright.W123"}
