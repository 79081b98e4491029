"""What separates two releases: items by id, texts by words, lists by entries, figures."""

from pathlib import Path

import pytest

from annotation.projects.models import Item
from annotation.releases import actions
from annotation.releases.comparison import diff, field_changes
from annotation.releases.storage import ReleaseUnreadable
from annotation.review.models import Outcome


def build(project):
    return actions.build(project=project, created_by="user:1")


def accepted(project) -> list[Outcome]:
    return list(Outcome.objects.filter(project=project, state="accepted").select_related("item").order_by("item__id"))


def test_a_release_does_not_differ_from_itself(release):
    found = diff(release, release.location)
    assert (found.added, found.removed, found.changed, found.moved, found.statistics) == ([], [], [], [], [])
    assert found.kind == "patch"


def test_each_kind_of_change_is_told_apart(project):
    withdrawn, moved, edited, late, *_ = accepted(project)
    Item.objects.filter(pk=late.item_id).update(state="settled")
    before = build(project)
    Item.objects.filter(pk=late.item_id).update(state="accepted")
    Item.objects.filter(pk=withdrawn.item_id).update(state="rejected")
    other = "test" if moved.item.split != "test" else "dev"
    Item.objects.filter(pk=moved.item_id).update(split=other)
    edited.final = edited.final | {"answers": [*edited.final["answers"][1:], {"text": "new", "from_answers": []}]}
    edited.save()
    found = diff(before, build(project))
    assert [entry["id"] for entry in found.added] == [late.item.key]
    assert [entry["id"] for entry in found.removed] == [withdrawn.item.key]
    assert found.moved == [{"id": moved.item.key, "from": moved.item.split, "to": other}]
    changes = {entry["id"]: entry["fields"] for entry in found.changed}
    assert changes.keys() == {moved.item.key, edited.item.key}, "the tag tells the split"
    assert changes[edited.item.key] == {
        "answers": {"removed": [edited.value["answers"][0]["text"]], "added": ["new"]},
    }
    assert found.kind == "major"


def test_figures_that_moved_are_told(release, project):
    outcome = accepted(project)[0]
    outcome.final = outcome.final | {"answers": outcome.final["answers"][:1]}
    outcome.save()
    found = diff(release, build(project))
    [answers] = [f for f in found.statistics if f["row"] == "answers" and f["column"] == outcome.item.split]
    assert (answers["before"], answers["after"]) == (8, 7)


def test_a_text_is_told_by_words():
    change = field_changes({"question": "What pulls it?"}, {"question": "Which force pulls it down?"})["question"]
    assert change["words"][:3] == [["removed", "What "], ["added", "Which force "], ["same", "pulls "]]
    assert "".join(words for step, words in change["words"] if step != "added") == "What pulls it?"
    assert "".join(words for step, words in change["words"] if step != "removed") == "Which force pulls it down?"


def test_past_a_limit_changes_are_counted_and_not_worked_out(project):
    before = build(project)
    for outcome in accepted(project)[:5]:
        outcome.final = outcome.final | {"question": f"Reworded {outcome.pk}?"}
        outcome.save()
    after = build(project)
    found = diff(before, after, most=2)
    assert (len(found.changed), found.changed_beyond, found.changes) == (2, 3, 5)
    assert found.kind == "major"
    assert diff(before, after).changed_beyond == 0


@pytest.mark.parametrize("line", [b"not JSON\n", b"[]\n", b"{}\n", b"7\n"])
def test_a_row_that_is_none_is_named_by_its_line(release, line):
    path = Path(release.location) / "data/dev.jsonl"
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(ReleaseUnreadable, match=r"data/dev.jsonl:5 of .* is no row with a question_id"):
        diff(release, release)


def test_fields_may_come_go_and_change_their_kind():
    assert field_changes({"a": 1, "b": ["x", "y"]}, {"b": ["y", "x"], "c": None, "d": {"e": 1}}) == {
        "a": {"before": 1, "after": None},
        "b": {"reordered": ["y", "x"]},
        "d": {"before": None, "after": {"e": 1}},
    }
