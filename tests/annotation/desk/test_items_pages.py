import pytest
from django.utils import timezone

from annotation.checking.models import CheckResult
from annotation.projects.items import add_item, add_successor
from annotation.projects.models import Item
from annotation.review.models import Review
from tasks import registry
from tasks.base import SourceItem
from tests.factories import (
    QUESTION,
    make_answer,
    make_answered_item,
    make_item,
    make_outcome,
    make_stage,
    make_user,
)

GRAVITY = {"answers": ["gravity"], "category": "single"}


def ask(question):
    return {**QUESTION, "question": question}


@pytest.fixture
def table(browse):
    """The keys that the items' table shows under a query, with the page's links."""

    def shown(query=""):
        context = browse("owner").get(f"/projects/forces/items/?{query}").context
        return [item.key for item, *_ in context["rows"]], context["slice"]

    return shown


def test_the_table_pages_forwards_and_back_by_id(project, table):
    keys = [f"q{number:03}" for number in range(120)]
    for key in keys:
        make_item(project, key)
    first, slice_ = table()
    assert first == keys[:50] and slice_.before is None
    second, slice_ = table(f"after={slice_.after}")
    assert second == keys[50:100]
    third, last = table(f"after={slice_.after}")
    assert third == keys[100:] and last.after is None
    assert table(f"before={last.before}")[0] == second
    back, start = table(f"before={slice_.before}")
    assert back == first and start.before is None


def test_the_table_filters_by_state_stage_and_split(project, table):
    make_item(project, "a", state="accepted", split="dev")
    make_item(project, "b", split="test")
    make_item(project, "c", stage=make_stage(project, name="second"))
    assert table("state=accepted")[0] == ["a"]
    assert table("split=test")[0] == ["b"]
    assert table("stage=second")[0] == ["c"]
    assert table("stage=direct_answer&state=open")[0] == ["b"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pendulum", ["a"]),
        ("PENDULUM", ["a"]),
        ("straße", ["b"]),
        ("“quoted”", ["b"]),
        ('say "no"', ["c"]),
        ("back\\slash", ["c"]),
        ("ARC-c", ["c"]),
        ("friction", ["a", "b", "c"]),  # a text of an option
        ("question", []),  # the name of a field, in no text
        ("50%", []),
        ("_", []),
        ("  pendulum   swings ", ["a"]),
        ("no such words", []),
    ],
)
def test_the_table_finds_text_in_any_case_and_never_names_of_fields(project, table, text, found):
    make_item(project, "a", payload=ask("A Pendulum swings. Why?"))
    make_item(project, "b", payload=ask("Is the Straße “quoted”?"))
    make_item(project, "ARC-c", payload=ask('Did they say "no" to a back\\slash?'))
    keys = [key.removeprefix("ARC-") for key in table(f"text={text.replace('%', '%25').replace('+', '%2B')}")[0]]
    assert keys == found


def test_found_items_page_as_well(project, table):
    for number in range(60):
        make_item(project, f"even{number}" if number % 2 == 0 else f"odd{number}")
    for number in range(60, 160):
        make_item(project, f"even{number}")
    first, slice_ = table("text=even")
    assert len(first) == 50 and all(key.startswith("even") for key in first)
    second, _ = table(f"text=even&after={slice_.after}")
    assert not set(first) & set(second)


def test_an_items_page_shows_answers_findings_outcome_and_reviews(project, people, browse):
    item = make_answered_item(project, GRAVITY, {"answers": ["<script>alert(1)</script>"], "category": "single"})
    answer = item.answers.first()
    CheckResult.objects.create(
        assignment=answer.assignment, item=item, check_name="copies_the_question", version=1, level="warn", message="Hm"
    )
    answer.assignment.comment = "Nice \u202etask"
    answer.assignment.save()
    entry = {"text": "gravity", "from_answers": [answer.pk], "origin": "worker"}
    outcome = make_outcome(item, {"question": "What force?", "answers": [entry]}, agreement=0.25, state="accepted")
    Review.objects.create(
        outcome=outcome,
        reviewer=people.reviewer,
        decision="accept",
        operations=[{"op": "reword", "text": "What pulls?"}, {"op": "remove", "index": 1}],
        value={},
    )
    shown = browse("owner").get(f"/projects/forces/items/{item.pk}/").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown and "<script>alert" not in shown
    assert "There is a clear, single answer" in shown
    assert "copies the question" in shown
    assert "RLO" in shown and "\u202e" not in shown
    assert "agreement 0.25" in shown
    assert "reworded to “What pulls?”" in shown and "removed answer 2" in shown


def test_an_items_page_tells_steps_by_number_and_flags_in_words(project, browse):
    kind = registry.task_type("strategyqa.decomposing")
    example = next(each for each in kind.examples() if each.answer["steps"] and each.answer.get("flags"))
    stage = make_stage(project, name="steps", task_type=kind.name)
    item = make_answered_item(project, example.answer, stage=stage, payload=example.item)
    shown = browse("owner").get(f"/projects/forces/items/{item.pk}/").content.decode()
    assert "#1: What is a Margherita pizza topped with? (Pizza Margherita)" in shown
    assert "The question has no definite answer" in shown and "not_definitive" not in shown


def test_an_items_page_shows_its_other_stages(project, browse):
    later = make_stage(project, name="rating")
    item = make_item(project, "first")
    outcome = make_outcome(item, {"question": "What?", "answers": []}, state="accepted")
    source = SourceItem("first-rated", QUESTION, "train")
    child = add_item(stage=later, source=source, origin_id=outcome.pk)
    for pk in (item.pk, child.pk):
        context = browse("owner").get(f"/projects/forces/items/{pk}/").context
        assert [story.item for story in context["stories"]] == [item, child]


def test_a_reviewer_does_not_see_the_first_decision_before_deciding_blindly(project, people, browse):
    item = make_item(project)
    value = {"question": "What force?", "answers": []}
    outcome = make_outcome(item, value, state="accepted", wants_blind_review=True)
    outcome.final = {"question": "Reworded by the first", "answers": []}
    outcome.save()
    first = make_user("first", project=project, role="reviewer")
    review = {
        "decision": "accept",
        "value": outcome.final,
        "operations": [{"op": "reword", "text": "Reworded by the first"}],
    }
    Review.objects.create(outcome=outcome, reviewer=first, **review)
    Item.objects.filter(pk=item.pk).update(state="accepted")
    address = f"/projects/forces/items/{item.pk}/"
    assert "Reworded by the first" not in browse("reviewer").get(address).content.decode()
    assert "Reworded by the first" in browse("owner").get(address).content.decode()
    people.first = first
    assert "Reworded by the first" in browse("first").get(address).content.decode()
    Review.objects.create(outcome=outcome, reviewer=people.reviewer, is_blind=True, **review)
    assert "Reworded by the first" in browse("reviewer").get(address).content.decode()


def test_what_came_of_a_decision_is_not_shown_before_deciding_blindly(project, people, browse):
    later, item = make_stage(project, name="rating"), make_item(project, "first")
    value = {"question": "What force?", "answers": []}
    outcome = make_outcome(item, value, state="accepted", wants_blind_review=True, decided_at=timezone.now())
    add_item(stage=later, source=SourceItem("first-rated", QUESTION, "train"), origin_id=outcome.pk)
    add_successor(of=item, source=SourceItem("in-its-place", QUESTION, "train"))
    address = f"/projects/forces/items/{item.pk}/"
    for told in ("first-rated", "in-its-place"):
        assert told not in browse("reviewer").get(address).content.decode()
        assert told in browse("owner").get(address).content.decode()
    Review.objects.create(outcome=outcome, reviewer=people.reviewer, is_blind=True, decision="accept", value=value)
    for told in ("first-rated", "in-its-place"):
        assert told in browse("reviewer").get(address).content.decode()


def test_the_api_walks_all_items_and_answers_page_by_page(project, call):
    for number in range(7):
        item = make_item(project, f"q{number}")
        make_answer(item, GRAVITY)
    client, keys, address = call("reviewer"), [], "/api/v1/projects/forces/items?page_size=3"
    while address:
        page = client.get(address).json()
        keys += [item["key"] for item in page["results"]]
        address = page["next"]
    assert keys == [f"q{number}" for number in range(7)]
    answers = client.get("/api/v1/projects/forces/answers?page_size=100").json()["results"]
    assert len(answers) == 7
    assert set(answers[0]) == {"id", "item", "key", "stage", "worker", "data", "counts", "created_at"}
    assert answers[0]["worker"].startswith("w-")
    one = client.get(f"/api/v1/projects/forces/answers?item={answers[3]['item']}").json()["results"]
    assert [answer["id"] for answer in one] == [answers[3]["id"]]


def test_the_api_gives_outcomes(project, call):
    make_outcome(make_item(project, "q"), {"question": "What?", "answers": []}, agreement=0.5)
    outcome = call("researcher").get("/api/v1/projects/forces/outcomes?state=pending").json()["results"][0]
    assert (outcome["key"], outcome["agreement"], outcome["final"]["question"]) == ("q", 0.5, "What?")
    assert call("researcher").get("/api/v1/projects/forces/outcomes?state=lost").status_code == 400
