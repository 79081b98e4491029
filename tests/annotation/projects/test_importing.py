"""Import is all or nothing, says what is wrong where, and takes the same file twice without harm."""

import json
import threading
from pathlib import Path

import pytest
from django.db import connections

from annotation.events.models import Event
from annotation.projects.actions import change_project, create_project
from annotation.projects.importing import ImportRefused, import_items
from annotation.projects.models import Item

pytestmark = pytest.mark.django_db


def question(name: str, text: str = "What gas do plants take in?", key: str = "A") -> dict:
    return {
        "id": name,
        "question": text,
        "choices": {"text": ["carbon dioxide", "oxygen", "helium"], "label": ["A", "B", "C"]},
        "answerKey": key,
    }


@pytest.fixture
def project():
    return create_project(pipeline="arc_da", name="Science", slug="science", budget_cap_cents=10_000)


def write(folder: Path, *rows: dict | str, name: str = "ARC-Easy-train.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n")
    return path


def test_questions_come_in_with_their_split_and_the_filter_says_which_phrase_excludes(project, tmp_path) -> None:
    path = write(tmp_path, question("q1"), question("q2", "Which of these is a gas?"))

    report = import_items(project=project, paths=[path])

    assert (report.added, report.excluded, report.known) == (2, 1, 0)
    kept, excluded = Item.objects.order_by("key")
    assert (kept.key, kept.split, kept.state) == ("ARCEZ_q1", "train", Item.State.OPEN)
    assert excluded.state == Item.State.EXCLUDED
    assert "which of" in excluded.reason


def test_the_same_file_twice_imports_nothing_twice(project, tmp_path) -> None:
    path = write(tmp_path, question("q1"), question("q2"))
    import_items(project=project, paths=[path])

    report = import_items(project=project, paths=[path])

    assert (report.added, report.known) == (0, 2)
    assert Item.objects.count() == 2
    assert Event.objects.filter(verb="items.imported").count() == 1


@pytest.mark.parametrize("bad_line", range(4))
def test_a_bad_line_anywhere_imports_nothing_and_is_named(project, tmp_path, bad_line: int) -> None:
    rows: list = [question(f"q{number}") for number in range(4)]
    rows[bad_line] = '{"id": "broken", '
    path = write(tmp_path, *rows)

    with pytest.raises(ImportRefused) as refusal:
        import_items(project=project, paths=[path])

    assert [(problem.file, problem.line) for problem in refusal.value.report.problems] == [(path.name, bad_line + 1)]
    assert Item.objects.count() == 0


def test_every_bad_line_is_reported_not_only_the_first(project, tmp_path) -> None:
    path = write(tmp_path, question("q1", key="Z"), question("q2"), {"id": "q3"})

    with pytest.raises(ImportRefused) as refusal:
        import_items(project=project, paths=[path])

    assert [problem.line for problem in refusal.value.report.problems] == [1, 3]


def test_an_item_that_is_there_with_other_content_is_refused(project, tmp_path) -> None:
    import_items(project=project, paths=[write(tmp_path, question("q1"))])

    with pytest.raises(ImportRefused, match="other content"):
        import_items(project=project, paths=[write(tmp_path, question("q1", "What gas do animals take in?"))])


def test_another_reading_of_the_filter_screens_what_no_hit_has_offered(project, tmp_path) -> None:
    import_items(project=project, paths=[write(tmp_path, question("q1", "What is the most common gas in air?"))])
    assert Item.objects.get().state == Item.State.OPEN

    change_project(project=project, settings={"filter_reading": "last_sentence_word"})

    item = Item.objects.get()
    assert (item.state, "most" in item.reason) == (Item.State.EXCLUDED, True)


def test_all_questions_of_the_real_files_come_in(project, shared_data) -> None:
    files = sorted((shared_data / "arc").glob("ARC-*.jsonl"))

    report = import_items(project=project, paths=files)

    assert (report.added, report.excluded) == (7_787, 3_081)


def test_a_key_that_no_item_can_have_is_a_problem_of_its_file(tmp_path) -> None:
    project = create_project(pipeline="strategyqa", name="Terms", slug="terms")
    path = write(tmp_path, {"term": "Cactus", "description": ""}, {"term": "x" * 118, "description": ""})

    with pytest.raises(ImportRefused, match="a key has at most 100 characters, found 120"):
        import_items(project=project, paths=[path])

    assert Item.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_the_same_file_twice_at_once_is_imported_once(project, tmp_path) -> None:
    path = write(tmp_path, *(question(f"q{number}") for number in range(20)))
    barrier, reports = threading.Barrier(2), []

    def run() -> None:
        barrier.wait()
        try:
            reports.append(import_items(project=project, paths=[path]))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted((report.added, report.known) for report in reports) == [(0, 20), (20, 0)]
    assert Item.objects.count() == 20
