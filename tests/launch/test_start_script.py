"""The start script, in a copy of the project that has the script, two small sites and nothing to install."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# One process a core; which tests stay together, tests/conftest.py says.
SIDE_BY_SIDE = ["-n", "auto", "--dist", "loadscope", "--no-loadscope-reorder"]
SCRIPT = Path(__file__).parents[2] / "crowdwright"
MANAGE = """\
import json, os, sys
print(json.dumps({"arguments": sys.argv[1:], "site": os.environ.get("CROWDWRIGHT_SITE"), "prefix": sys.prefix}))
sys.exit(3 if "fail" in sys.argv else 0)
"""
COMMAND = 'class Command:\n    help = "{help}\\nMore of it."\n'


def start(project: Path, *arguments: str, **options) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if name != "CROWDWRIGHT_SITE"}
    return subprocess.run(
        [sys.executable, project / "crowdwright", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment | options.pop("env", {}),
        check=False,
        **options,
    )


def lay_out(project: Path) -> Path:
    shutil.copy(SCRIPT, project / "crowdwright")
    (project / "manage.py").write_text(MANAGE)
    (project / "requirements.txt").write_text("# nothing\n")
    for room, name, line in [("desk", "weigh", "Weigh it."), ("marketplace", "create_worker", "Make a worker.")]:
        folder = project / "annotation" / room / "management" / "commands"
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
        (folder / f"{name}.py").write_text(COMMAND.format(help=line))
    (project / "tests").mkdir()
    (project / "tests" / "requirements.txt").write_text("# nothing\n")
    return project


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    project = lay_out(tmp_path_factory.mktemp("project"))
    first = start(project, "weigh")
    assert first.returncode == 0, first.stderr
    return project


def test_the_first_use_makes_an_environment_beside_the_script(project):
    ran = json.loads(start(project, "weigh", "--much").stdout)
    assert ran["arguments"] == ["weigh", "--much"]
    assert Path(ran["prefix"]) == project / ".venv"


def test_a_second_use_installs_nothing(project):
    assert start(project, "weigh").stderr == ""


def test_changed_requirements_are_installed_at_the_next_use(project):
    (project / "requirements.txt").write_text("# nothing, but said otherwise\n")
    assert "Installing requirements.txt" in start(project, "weigh").stderr
    assert start(project, "weigh").stderr == ""


def test_the_exit_code_is_the_commands_own(project):
    assert start(project, "weigh", "fail").returncode == 3


def test_a_command_of_the_marketplace_runs_on_its_site(project):
    assert json.loads(start(project, "create_worker").stdout)["site"] == "marketplace"
    assert json.loads(start(project, "weigh").stdout)["site"] is None


def test_a_command_may_be_typed_with_hyphens(project):
    typed = json.loads(start(project, "create-worker", "--given-name", "a-b").stdout)
    assert (typed["arguments"], typed["site"]) == (["create_worker", "--given-name", "a-b"], "marketplace")
    assert json.loads(start(project, "--no-color").stdout)["arguments"] == ["--no-color"]


def test_files_are_named_from_where_the_user_stands(project, tmp_path):
    assert json.loads(start(project, "weigh", "here.jsonl", cwd=tmp_path).stdout)["arguments"] == [
        "weigh",
        "here.jsonl",
    ]


def test_help_lists_every_command_without_an_environment(tmp_path):
    shown = start(lay_out(tmp_path), "--help")
    assert shown.returncode == 0
    assert "weigh          Weigh it.\n" in shown.stdout
    assert "create-worker  Make a worker.\n" in shown.stdout
    assert not (tmp_path / ".venv").exists()


def test_an_installation_that_fails_is_explained_and_tried_again(tmp_path):
    project = lay_out(tmp_path)
    (project / "requirements.txt").write_text("./absent-package-folder\n")
    for _ in range(2):
        failed = start(project, "weigh")
        assert failed.returncode == 1
        assert "pip could not install what is needed" in failed.stderr
        assert "absent-package-folder" in failed.stderr
        assert failed.stdout == ""


def test_a_machine_without_an_index_is_told_that_it_may_be_offline(tmp_path):
    project = lay_out(tmp_path)
    (project / "requirements.txt").write_text("crowdwright-needs-a-package==1\n")
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0", "PIP_CONFIG_FILE": os.devnull}
    failed = start(project, "weigh", env=nowhere)
    assert failed.returncode == 1
    assert "is this machine offline?" in failed.stderr


@pytest.fixture
def with_pytest(project):
    """The environment of the copied project with a pytest that tells how it was called."""
    site = next((project / ".venv" / "lib").glob("python*")) / "site-packages"
    (site / "pytest.py").write_text(
        "import json, os, sys\n"
        "site = os.environ['CROWDWRIGHT_SITE']\n"
        "print(json.dumps([site, sys.argv[1:], os.environ['CROWDWRIGHT_HOME']]))\n"
        "sys.exit(int(os.environ.get('EXIT_' + site.upper(), 0)))\n"
    )
    (project / "tests" / "marketplace").mkdir(exist_ok=True)
    (project / "tests" / "tasks").mkdir(exist_ok=True)
    return project


def runs(completed: subprocess.CompletedProcess) -> list:
    return [json.loads(line)[:2] for line in completed.stdout.splitlines()]


def test_test_runs_both_sites_in_a_home_that_is_gone_afterwards(with_pytest):
    tested = start(with_pytest, "test")
    assert runs(tested) == [
        ["main", [*SIDE_BY_SIDE, "--ignore=tests/marketplace"]],
        ["marketplace", ["tests/marketplace"]],
    ]
    homes = {json.loads(line)[2] for line in tested.stdout.splitlines()}
    assert len(homes) == 1
    assert not Path(homes.pop()).exists()


def test_test_runs_only_the_site_that_the_named_tests_belong_to(with_pytest):
    assert runs(start(with_pytest, "test", "tests/tasks", "-k", "filter")) == [
        ["main", [*SIDE_BY_SIDE, "--ignore=tests/marketplace", "tests/tasks", "-k", "filter"]]
    ]
    assert runs(start(with_pytest, "test", "tests/marketplace", "-x")) == [["marketplace", ["tests/marketplace", "-x"]]]


def test_the_value_of_an_option_is_no_path_even_where_a_folder_has_its_name(with_pytest):
    (with_pytest / "tasks").mkdir(exist_ok=True)
    assert runs(start(with_pytest, "test", "-k", "tasks")) == [
        ["main", [*SIDE_BY_SIDE, "--ignore=tests/marketplace", "-k", "tasks"]],
        ["marketplace", ["tests/marketplace", "-k", "tasks"]],
    ]


def test_a_path_from_the_root_of_the_disk_runs_on_its_site_as_well(with_pytest):
    ours, beside = with_pytest / "tests" / "marketplace", with_pytest / "tests" / "marketplace_of_others"
    beside.mkdir(exist_ok=True)
    assert runs(start(with_pytest, "test", str(ours))) == [["marketplace", [str(ours)]]]
    assert [site for site, _ in runs(start(with_pytest, "test", str(with_pytest / "tests")))] == ["main", "marketplace"]
    assert [site for site, _ in runs(start(with_pytest, "test", str(beside)))] == ["main"]


def test_a_single_file_or_a_number_of_one_s_own_is_not_spread_over_the_cores(with_pytest):
    file = "tests/tasks/test_filter.py"
    (with_pytest / file).touch()
    assert runs(start(with_pytest, "test", file)) == [["main", ["--ignore=tests/marketplace", file]]]
    assert runs(start(with_pytest, "test", "tests/tasks", "-n", "0")) == [
        ["main", ["--ignore=tests/marketplace", "tests/tasks", "-n", "0"]]
    ]


@pytest.mark.parametrize(
    ("main", "marketplace", "expected"), [(0, 0, 0), (1, 0, 1), (0, 2, 2), (5, 0, 0), (0, 5, 0), (5, 5, 5)]
)
def test_one_exit_code_tells_of_both_sites(with_pytest, main, marketplace, expected):
    codes = {"EXIT_MAIN": str(main), "EXIT_MARKETPLACE": str(marketplace)}
    assert start(with_pytest, "test", env=codes).returncode == expected
