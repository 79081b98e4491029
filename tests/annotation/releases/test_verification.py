"""What was done to a release after it was built is found, and named."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet
import pytest

from annotation.events.actions import record
from annotation.events.models import Event
from annotation.releases import actions
from annotation.releases.verification import rebuild, verify, verify_release


def test_a_release_as_built_has_no_problem(release):
    assert verify_release(release) == []


def rewrite(folder: Path, name: str, change: Callable[[bytes], bytes], *, hide: bool = False) -> None:
    """Changes a file; with `hide`, the manifest is made to agree."""
    path = folder / name
    path.write_bytes(change(path.read_bytes()))
    if hide:
        manifest = json.loads((folder / "manifest.json").read_bytes())
        content = path.read_bytes()
        manifest["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.fixture
def folder(release) -> Path:
    return Path(release.location)


def test_a_missing_file_is_named(folder):
    (folder / "datasheet.md").unlink()
    assert verify(folder) == ["datasheet.md is missing"]


def test_an_added_file_is_named(folder):
    (folder / "data/extra.csv").write_text("x")
    assert verify(folder) == ["data/extra.csv is not in the manifest"]


def test_a_changed_byte_is_named(folder):
    rewrite(folder, "README.md", lambda text: text.replace(b"12 items", b"13 items"))
    assert verify(folder) == ["README.md was changed: its SHA-256 is not the manifest's"]


def test_a_longer_file_is_named(folder):
    rewrite(folder, "LICENSE", lambda text: text + b"\n")
    [problem] = verify(folder)
    assert problem.startswith("LICENSE has")


def test_a_removed_row_is_missed_even_if_the_manifest_agrees(folder):
    rewrite(folder, "data/train.jsonl", lambda text: b"".join(text.splitlines(keepends=True)[:-1]), hide=True)
    problems = verify(folder)
    assert "data/train.jsonl has 3 rows, expected 4" in problems
    assert "data/train.parquet has more rows than data/train.jsonl" in problems


def test_a_row_of_another_shape_is_named(folder):
    rewrite(folder, "data/dev.jsonl", lambda text: text.replace(b'"tag"', b'"label"', 1), hide=True)
    problems = verify(folder)
    assert any(problem.startswith("data/dev.jsonl:1: $") for problem in problems)


def test_a_broken_line_is_named(folder):
    rewrite(folder, "raw/reviews.jsonl", lambda text: text.replace(b"{", b"[", 1), hide=True)
    assert any(problem.startswith("raw/reviews.jsonl:1: is not JSON") for problem in verify(folder))


def test_parquet_and_json_lines_must_agree(folder):
    path = folder / "data/test.parquet"
    table = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(table.set_column(1, "tag", [["EASY-TRAIN"] * len(table)]), path)
    rewrite(folder, "data/test.parquet", lambda content: content, hide=True)
    assert "data/test.parquet differs from data/test.jsonl in row 1" in verify(folder)


def test_an_id_that_stands_twice_is_named(folder):
    def twice(text: bytes) -> bytes:
        first, _, *rest = text.splitlines(keepends=True)
        return b"".join([first, first, *rest])

    rewrite(folder, "data/train.jsonl", twice, hide=True)
    assert any("stands in data/train.jsonl already" in problem for problem in verify(folder))


def test_counts_must_be_those_of_the_files(folder):
    rewrite(folder, "stats.json", lambda text: text.replace(b'"judgements": 70', b'"judgements": 700'), hide=True)
    assert "raw/judgements.jsonl has 70 lines, stats.json says 700" in verify(folder)


def test_another_manifest_is_seen_by_who_knows_the_first(release, folder):
    rewrite(folder, "manifest.json", lambda text: text.replace(b'"log_position"', b'"log_place"'))
    assert verify(folder) == []
    assert verify_release(release) == [
        "manifest.json is not the one that was built: its SHA-256 differs from the release's row"
    ]


@pytest.mark.parametrize("content", [None, b"{", b"[]", b'{"files": {}}'])
def test_a_folder_without_a_manifest_is_no_release(folder, content):
    if content is None:
        (folder / "manifest.json").unlink()
    else:
        (folder / "manifest.json").write_bytes(content)
    [problem] = verify(folder)
    assert problem.startswith("manifest.json ")


def test_no_folder_is_no_release(tmp_path):
    assert verify(tmp_path / "nothing") == [f"no release folder at {tmp_path / 'nothing'}"]


def test_a_rebuild_gives_the_same_bytes(release, project):
    assert rebuild(release) == []
    second = actions.build(project=project, notes="again", created_by="user:1")
    assert rebuild(second) == []
    assert rebuild(release) == []


def test_a_rebuild_of_other_contents_names_the_files(release, project, reword):
    reword(project, "Changed behind the log's back?")
    problems = rebuild(release)
    assert any("data/" in problem and problem.endswith("has other bytes") for problem in problems)


def test_what_happened_since_makes_a_rebuild_impossible_and_says_so(release, project):
    record("review.made", project_id=project.pk)
    [problem] = rebuild(release)
    assert problem.startswith("can't be built again: it is of position")


def change_manifest(folder: Path, **changes) -> None:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    (folder / "manifest.json").write_text(json.dumps(manifest | changes))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"files": {"README.md": {"sha256": "x"}}}, "files.README.md.bytes: Field required"),
        ({"files": {"README.md": []}}, "files.README.md"),
        ({"splits": {"train": "four"}}, "splits.train"),
        ({"splits": {"../secret": 4}}, "splits"),
        ({"splits": []}, "splits"),
        ({"id_field": 7}, "id_field"),
    ],
)
def test_a_manifest_of_another_shape_is_named_by_its_field(folder, changes, said):
    change_manifest(folder, **changes)
    [problem] = verify(folder)
    assert problem.startswith("manifest.json is not a release's: ")
    assert said in problem


@pytest.mark.parametrize(
    "content",
    [b"[]", b"{", b"null", b'{"splits": {}}', b'{"splits": {}, "counts": {"judgements": "many"}, "figures": []}'],
)
def test_statistics_of_another_shape_keep_nothing_else_from_being_looked_at(folder, content):
    (folder / "LICENSE").unlink()
    rewrite(folder, "stats.json", lambda text: content, hide=True)
    rewrite(folder, "data/dev.jsonl", lambda text: text.replace(b'"tag"', b'"label"', 1), hide=True)
    statistics, *others = verify(folder)
    assert statistics.startswith("stats.json is not a release's: ")
    assert others[0] == "LICENSE is missing"
    assert any(problem.startswith("data/dev.jsonl:1: $") for problem in others)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("schema/row.json", None, "schema/row.json is missing"),
        ("schema/row.json", b"{", "schema/row.json is not JSON: "),
        ("schema/row.json", b"[]", "schema/row.json is no JSON Schema: "),
        ("schema/judgements.json", b'{"type": 7}', "schema/judgements.json is no JSON Schema: "),
        ("schema/judgements.json", b'{"$ref": "#/$defs/Nothing"}', "raw/judgements.jsonl:1: its schema leads nowhere"),
        (
            "schema/judgements.json",
            b'{"$ref": "http://x.example/"}',
            "raw/judgements.jsonl:1: its schema leads nowhere",
        ),
        ("stats.json", None, "stats.json is missing"),
        ("data/dev.parquet", b"PAR1 and nothing more", "data/dev.parquet can't be compared with data/dev.jsonl: "),
        ("data/dev.jsonl", b"[1, 2]\n", "data/dev.jsonl:1: $: [1, 2] is not of type 'object'"),
        ("raw/reviews.jsonl", b"\xff\xfe\n", "raw/reviews.jsonl:1: is not JSON: "),
    ],
)
def test_whatever_was_done_to_a_file_the_others_are_looked_at(folder, name, content, said):
    """The second fault stands in a file that is looked at last."""
    if content is None:
        (folder / name).unlink()
    else:
        rewrite(folder, name, lambda text: content, hide=True)
    rewrite(folder, "raw/rejected.jsonl", lambda text: text.replace(b"{", b"[", 1), hide=True)
    problems = verify(folder)
    assert any(problem.startswith(said) for problem in problems)
    assert any(problem.startswith("raw/rejected.jsonl:1: is not JSON") for problem in problems)
    assert len(problems) == len(set(problems))


def test_a_rebuild_of_a_release_that_is_gone_says_so(release):
    shutil.rmtree(release.location)
    assert rebuild(release) == [f"can't be built again: no release folder at {release.location}"]


def test_a_rebuild_whose_predecessor_is_gone_says_so(release, project):
    second = actions.build(project=project, created_by="user:1")
    release.delete()
    assert rebuild(second) == ["can't be built again: 1.0.0, the release before it, is here no more"]


def test_an_event_that_came_in_late_under_an_earlier_number_is_something_that_happened_since(project):
    """On PostgreSQL numbers are given when an event is written, and seen when it is committed."""
    record("review.made", project_id=project.pk)
    number = Event.objects.latest("pk").pk
    Event.objects.filter(pk=number).delete()
    record("review.made", project_id=project.pk)
    release = actions.build(project=project, created_by="user:1")
    assert rebuild(release) == []
    Event.objects.create(pk=number, verb="review.made", project_id=project.pk, actor="user:1")
    [problem] = rebuild(release)
    assert problem.startswith("can't be built again: it is of position")
