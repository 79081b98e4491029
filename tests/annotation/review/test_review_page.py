"""The review page by plain GET and POST: a person without script, or a program, decides through it."""

import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.review.actions import decide, hold, settle, undo
from annotation.review.models import Outcome, Review
from annotation.review.page import facts_of
from tests.annotation.review.conftest import GRAVITY, SAME, WIND, WORDY
from tests.factories import QUESTION, make_answered_item, make_project, make_user, make_worker

JSON = {"HTTP_ACCEPT": "application/json"}


def address(name, *args):
    return reverse(f"admin:review_outcome_{name}", args=args)


@pytest.fixture
def outcomes(project, answered):
    """Three questions, the least agreed first."""
    answered(GRAVITY, SAME, WIND, key="ARCEZ_1")
    answered(GRAVITY, SAME, WORDY, key="ARCEZ_2")
    answered(GRAVITY, SAME, key="ARCEZ_3")
    settle(project=project)
    return list(Outcome.objects.order_by("-doubt", "id"))


@pytest.fixture
def first(outcomes):
    return outcomes[0]


@pytest.fixture
def desk(client, expert):
    client.force_login(expert)
    return client


def form_for(outcome, **fields):
    return {"decision": "accept", "version": outcome.version, "mode": ""} | fields


def test_the_page_shows_source_key_answers_by_pseudonym_and_votes(desk, first):
    page = desk.get(address("change", first.pk)).content.decode()
    assert QUESTION["question"] in page
    assert re.search(r'class="key".*?gravity', page, re.DOTALL)
    for answer in first.item.answers.select_related("assignment__worker"):
        assert answer.assignment.worker.pseudonym in page
    assert "There is a clear, single answer" in page
    assert "<title>" in page and f"Review {first.item.key}" in page


def test_parts_within_parts_of_a_source_are_shown_too():
    payload = {"step": {"head": "the lighthouse", "tail": "Orla", "sentence": 0}, "source": "", "titles": ["a", "b"]}
    assert [(fact.label, fact.text) for fact in facts_of(payload)] == [
        ("Step", "Head: the lighthouse, Tail: Orla, Sentence: 0"),
        ("Titles", "a; b"),
    ]


def test_accepting_goes_on_to_the_next_question(desk, outcomes):
    first, second, _ = outcomes
    answer = desk.post(address("change", first.pk), form_for(first, seconds="41"))
    assert answer.status_code == 302
    assert answer.url.startswith(address("change", second.pk))
    assert Review.objects.get().seconds == 41
    following = desk.get(answer.url).content.decode()
    assert "Accepted" in following and "data-undo-last" in following


def test_after_the_last_question_the_queue_says_so(desk, outcomes):
    for outcome in outcomes:
        answer = desk.post(address("change", outcome.pk), form_for(outcome, confirmed="1"))
    assert answer.url.startswith(address("changelist"))
    assert "Nothing waits for a decision" in desk.get(answer.url).content.decode()


def test_the_fields_of_the_form_are_its_operations(desk, first):
    wind = [answer["text"] for answer in first.value["answers"]].index("wind")
    fields = {"question": "What pulls a ball down?", "answers.remove": [wind], "answers.add": ["gravitation", ""]}
    desk.post(address("change", first.pk), form_for(first, **fields))
    first.refresh_from_db()
    assert first.final["question"] == "What pulls a ball down?"
    texts = [answer["text"] for answer in first.final["answers"]]
    assert "wind" not in texts and texts[-1] == "gravitation"


def test_a_suggested_short_version_is_one_tick(desk, outcomes):
    outcome = next(outcome for outcome in outcomes if outcome.details["short_versions"])
    page = desk.get(address("change", outcome.pk)).content.decode()
    name, text = re.search(r'name="(answers\.short\.\d+)" value="([^"]+)"', page).groups()
    desk.post(address("change", outcome.pk), form_for(outcome, **{name: text}))
    outcome.refresh_from_db()
    assert outcome.final["answers"][-1]["text"] == text
    assert Review.objects.get().operations[0]["op"] == "add_short"


def test_rejecting_joins_preset_and_words(desk, first):
    desk.post(address("change", first.pk), form_for(first, decision="reject", reason="too_open", reason_text="insects"))
    first.refresh_from_db()
    assert (first.state, first.reason) == ("rejected", "too_open: insects")


@pytest.mark.parametrize(
    ("fields", "status", "kind"),
    [
        ({"decision": "reject"}, 422, "reason"),
        ({"question": "It is pulled down by", "answers.add": "my words"}, 422, "confirm"),
        ({"question": "x" * 3000, "answers.add": "my words"}, 422, "operation"),
        ({"answers.remove": ["99"], "answers.add": "my words"}, 422, "operation"),
        ({"answers.remove": ["x"]}, 422, "operation"),
        ({"operations": "{"}, 422, "operation"),
        ({"operations": '{"op": "remove"}'}, 422, "operation"),
        ({"decision": "perhaps"}, 422, "decision"),
        ({"mode": "blind"}, 403, "not_allowed"),
        ({"version": "7"}, 409, "stale"),
        ({"version": ""}, 409, "stale"),
    ],
)
def test_what_is_refused_comes_back_with_everything_typed(desk, first, fields, status, kind):
    before = Outcome.objects.values().get(pk=first.pk)
    answer = desk.post(address("change", first.pk), form_for(first, **fields))
    page = answer.content.decode()
    assert answer.status_code == status
    assert f'data-problem="{kind}"' in page
    for name in ["question", "answers.add"]:
        assert fields.get(name, "") in page
    assert not Review.objects.exists()
    after = Outcome.objects.values().get(pk=first.pk)
    assert {name: after[name] for name in ("state", "final", "version")} == {
        name: before[name] for name in ("state", "final", "version")
    }


def test_a_warning_is_confirmed_by_sending_the_form_that_came_back(desk, first):
    fields = form_for(first, question="It is pulled down by")
    page = desk.post(address("change", first.pk), fields).content.decode()
    assert '<input type="hidden" name="confirmed" value="1">' in page
    assert "Accept anyway" in page
    assert desk.post(address("change", first.pk), fields | {"confirmed": "1"}).status_code == 302


def test_a_stale_page_shows_what_the_colleague_did_and_keeps_the_edits(desk, first, colleague):
    decide(
        outcome=first,
        reviewer=colleague,
        decision="accept",
        operations=[{"op": "reword", "text": "Which force pulls?"}, {"op": "remove", "index": 0}],
        version=0,
    )
    answer = desk.post(address("change", first.pk), form_for(first, version="0", question="What pulls balls down?"))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "colleague" in page and "<ins>Which</ins>" in page.replace("Which ", "Which") and "removed “" in page
    assert "What pulls balls down?</textarea>" in page
    again = desk.post(address("change", first.pk), form_for(first, version="1", question="What pulls balls down?"))
    assert again.status_code == 302


def test_what_a_colleague_has_open_is_told_and_can_be_taken_over(desk, first, colleague):
    hold(outcome=first, by=colleague)
    page = desk.get(address("change", first.pk)).content.decode()
    assert "colleague has this question open" in page
    refused = desk.post(address("change", first.pk), form_for(first))
    assert refused.status_code == 409
    assert desk.post(address("change", first.pk), form_for(first, take_over="1")).status_code == 302


def test_opening_holds_and_skipping_lets_go(desk, outcomes, expert):
    first, second, _ = outcomes
    desk.get(address("change", first.pk))
    first.refresh_from_db()
    assert first.held_by == expert
    answer = desk.post(address("skip", first.pk))
    assert answer.url.startswith(address("change", second.pk))
    first.refresh_from_db()
    assert (first.held_by, first.state) == (None, "pending")


def test_what_was_skipped_is_not_told_as_done(desk, outcomes):
    first, second, _ = outcomes
    assert desk.post(address("skip", first.pk)).url == address("change", second.pk)


@pytest.mark.parametrize("place", ["change", "changelist"])
def test_a_page_says_done_only_of_a_decision_of_ones_own_that_stands(desk, outcomes, expert, colleague, place):
    first, second, third = outcomes
    page = address(place, second.pk) if place == "change" else address(place)

    def told(outcome):
        shown = desk.get(page, {"done": outcome.pk}).content.decode()
        return re.search(r'data-done="(\d*)" data-done-version="(\d*)"', shown).groups()

    assert told(first) == ("", "")
    review = decide(outcome=first, reviewer=expert, decision="accept", version=0)
    decide(outcome=third, reviewer=colleague, decision="accept", version=0, confirmed=True)
    assert told(first) == (str(first.pk), "1")
    assert told(third) == ("", "")
    undo(review=review, by=expert)
    assert told(first) == ("", "")


def test_a_row_of_the_queue_opens_in_the_queue_it_was_read_from(desk, outcomes):
    shown = desk.get(address("changelist"), {"stage": "direct_answer"}).content.decode()
    assert f'href="{address("change", outcomes[0].pk)}?stage=direct_answer"' in shown


def test_the_queue_says_who_has_a_question_open_for_as_long_as_they_have(desk, first, colleague):
    hold(outcome=first, by=colleague)
    assert "open at colleague" in desk.get(address("changelist")).content.decode()
    Outcome.objects.update(held_until=timezone.now() - timedelta(seconds=1))
    assert "open at colleague" not in desk.get(address("changelist")).content.decode()


def test_the_next_blind_decision_is_found_in_whichever_project_wants_one(client, expert, colleague, outcomes):
    blind = make_project("waves", stage={"blind_share": 1})
    for person in (expert, colleague):
        blind.memberships.create(user=person, role="reviewer")
    make_answered_item(blind, GRAVITY, SAME)
    settle(project=blind)
    wanted = Outcome.objects.get(project=blind)
    decide(outcome=wanted, reviewer=expert, decision="accept", version=0)
    client.force_login(colleague)
    assert client.get(address("next"), {"show": "blind"}).url == address("change", wanted.pk) + "?show=blind"
    client.force_login(expert)
    assert client.get(address("next"), {"show": "blind"}).url == address("changelist")


def test_the_check_endpoint_stores_nothing(desk, first):
    answer = desk.post(address("check", first.pk), form_for(first, question="No question"))
    findings = answer.json()["findings"]
    assert [finding["check"] for finding in findings if finding["level"] == "warn"] == ["lacks_question_mark"]
    assert desk.post(address("check", first.pk), {"answers.remove": ["99"]}).json()["problem"]
    first.refresh_from_db()
    assert (first.version, Review.objects.count()) == (0, 0)


def test_undo_goes_back_to_the_question(desk, first):
    desk.post(address("change", first.pk), form_for(first))
    review = Review.objects.get()
    answer = desk.post(address("undo", review.pk))
    assert answer.url.startswith(address("change", first.pk))
    first.refresh_from_db()
    assert first.state == "pending"


def test_a_decided_question_opens_with_the_decision_in_its_fields(desk, first, expert):
    operations = [
        {"op": "reword", "text": "Which force?"},
        {"op": "remove", "index": 1},
        {"op": "add", "text": "a mighty pull"},
    ]
    decide(outcome=first, reviewer=expert, decision="accept", operations=operations, version=0)
    page = desk.get(address("change", first.pk)).content.decode()
    assert ">Which force?</textarea>" in page
    assert re.search(r'name="answers.remove" value="1" checked', page)
    assert 'value="a mighty pull"' in page
    # Sent as it is, it says the same again.
    form = form_for(first, question="Which force?", **{"answers.remove": "1", "answers.add": "a mighty pull"})
    before = first.final
    desk.post(address("change", first.pk), form)
    first.refresh_from_db()
    assert (first.final, first.version) == (before, 2)


def test_the_second_reviewer_sees_nothing_of_the_first_decision(client, db, expert, colleague):
    project = make_project("blind", stage={"blind_share": 1})
    for person in (expert, colleague):
        project.memberships.create(user=person, role="reviewer")
    make_answered_item(project, GRAVITY, SAME)
    settle(project=project)
    outcome = Outcome.objects.get(project=project)
    decide(outcome=outcome, reviewer=expert, decision="reject", reason="the secret reason", version=0)
    client.force_login(colleague)
    for page in [
        address("change", outcome.pk),
        address("changelist") + "?project=blind",
        reverse("admin:review_review_changelist"),
    ]:
        assert "secret" not in client.get(page).content.decode()
    answer = client.get(address("change", outcome.pk), **JSON).json()
    assert (answer["mode"], answer["state"]) == ("blind", "")
    review = Review.objects.get()
    assert client.get(reverse("admin:review_review_change", args=[review.pk])).status_code == 404
    # A page that was open since before is no way to see it either: what was typed becomes the blind decision.
    stale = client.post(address("change", outcome.pk), form_for(outcome, version="0"))
    assert stale.status_code == 409
    assert "secret" not in stale.content.decode()
    assert 'name="mode" value="blind"' in stale.content.decode()
    assert client.post(address("change", outcome.pk), form_for(outcome, mode="blind")).status_code == 302
    outcome.refresh_from_db()
    assert (outcome.state, Review.objects.filter(is_blind=True).count()) == ("rejected", 1)


def test_a_program_decides_through_the_same_addresses(desk, project, outcomes):
    decided = 0
    while (found := desk.get(address("next"), {"project": project.slug}, **JSON).json()["next"]) is not None:
        sheet = desk.get(found, **JSON).json()
        operations = [{"op": "add", "text": f"gravitation near {sheet['key']}"}]
        answer = desk.post(
            found.partition("?")[0],
            {"decision": "accept", "version": sheet["version"], "operations": json.dumps(operations), "confirmed": "1"},
            **JSON,
        )
        assert answer.json()["state"] == "accepted"
        decided += 1
    assert decided == len(outcomes)
    refused = desk.post(found or address("change", outcomes[0].pk), {"decision": "accept", "version": "0"}, **JSON)
    assert (refused.status_code, refused.json()["error"]) == (409, "stale")


def test_markup_and_hidden_characters_of_workers_are_text_with_marks(desk, project, expert):
    evil = {"answers": ["<script>alert(1)</script> gravity", "gra\u202evity"], "category": "single"}
    item = make_answered_item(project, evil, GRAVITY, key="ARCEZ_<b>")
    settle(project=project)
    page = desk.get(address("change", item.outcome.pk)).content.decode()
    assert "<script>alert(1)" not in page
    assert "\u202e" not in re.sub(r'(value|data-[a-z]+)="[^"]*"', "", page)
    assert "RLO</mark>" in page


def test_no_page_shows_a_marketplace_s_worker_id(desk, project, outcomes):
    worker = make_worker("A1SECRETWORKERID")
    item = make_answered_item(project, GRAVITY, SAME)
    assignment = item.answers.first().assignment
    assignment.worker = worker
    assignment.save()
    settle(project=project)
    for page in [address("change", item.outcome.pk), address("changelist")]:
        shown = desk.get(page).content.decode()
        assert "A1SECRETWORKERID" not in shown
        assert assignment.assignment_id not in shown


@pytest.mark.parametrize("count", [5, 60])
def test_the_queue_asks_as_many_queries_for_many_questions_as_for_few(
    desk, project, answered, django_assert_max_num_queries, count
):
    for _ in range(count):
        answered(GRAVITY, SAME, WIND)
    settle(project=project)
    with django_assert_max_num_queries(25):
        desk.get(address("changelist"))
    with django_assert_max_num_queries(35):
        desk.get(address("change", Outcome.objects.first().pk))


def test_the_queue_is_read_page_by_page(desk, project, answered):
    for _ in range(60):
        answered(GRAVITY, SAME, WIND)
    settle(project=project)
    page = desk.get(address("changelist")).content.decode()
    following = re.search(r'href="(\?[^"]+after=[^"]+)">Next page', page).group(1).replace("&amp;", "&")
    second = desk.get(address("changelist") + following).content.decode()
    link = re.compile(r"outcome/(\d+)/change/")
    seen = link.findall(page.partition("<tbody>")[2].partition("</tbody>")[0])
    rest = link.findall(second.partition("<tbody>")[2].partition("</tbody>")[0])
    assert (len(seen), len(rest)) == (50, 10)
    assert not set(seen) & set(rest)
    assert desk.get(address("changelist") + "?after=x:y").status_code == 404


def test_another_project_s_questions_answer_404_at_every_address(client, first, expert):
    review = decide(outcome=first, reviewer=expert, decision="accept", version=0)
    stranger = make_user("stranger", project=make_project("elsewhere"), role="owner")
    client.force_login(stranger)
    before = Outcome.objects.values().get(pk=first.pk)
    for method, name, number in [
        ("get", "change", first.pk),
        ("post", "change", first.pk),
        ("post", "check", first.pk),
        ("post", "skip", first.pk),
        ("post", "undo", review.pk),
    ]:
        answer = getattr(client, method)(address(name, number), {"decision": "reject", "reason": "x", "version": "1"})
        assert answer.status_code == 404, (method, name)
    assert client.get(address("changelist") + "?project=forces").status_code == 404
    assert client.get(address("next") + "?project=forces").status_code == 404
    assert Outcome.objects.values().get(pk=first.pk) == before
    review.refresh_from_db()
    assert review.undone_at is None


@pytest.mark.parametrize("number", ["0", "999999999", "99999999999999999999999", "abc", "1%00"])
def test_an_address_of_nothing_is_a_404(desk, project, number):
    assert desk.get(f"/admin/review/outcome/{number}/change/").status_code == 404


def test_the_decisions_name_the_items_as_people_know_them(client, db, expert):
    project = make_project("named")
    project.memberships.create(user=expert, role="reviewer")
    make_answered_item(project, GRAVITY, SAME, key="ARCEZ_named")
    settle(project=project)
    review = decide(
        outcome=Outcome.objects.get(project=project), reviewer=expert, decision="reject", reason="unclear", version=0
    )
    client.force_login(expert)
    for page in [reverse("admin:review_review_changelist"), reverse("admin:review_review_change", args=[review.pk])]:
        assert "ARCEZ_named (rejected)" in re.sub(r"<[^>]*>", "", client.get(page).content.decode())


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("not_alone", "it needs its options or a picture"),
        ("not_alone: the map is gone", "it needs its options or a picture – the map is gone"),
        ("Nobody could tell: ever", "Nobody could tell: ever"),
    ],
)
def test_a_reason_is_read_in_words(client, db, expert, reason, words):
    project = make_project("worded")
    project.memberships.create(user=expert, role="reviewer")
    make_answered_item(project, GRAVITY, SAME)
    settle(project=project)
    outcome = Outcome.objects.get(project=project)
    decide(outcome=outcome, reviewer=expert, decision="reject", reason=reason, version=0)
    client.force_login(expert)
    decided = client.get(address("change", outcome.pk)).content.decode()
    listed = client.get(address("changelist") + "?project=worded&show=rejected").content.decode()
    assert all(f"{words}</bdi>" in page and "<bdi>not_alone" not in page for page in (decided, listed))
