"""What a later stage says of an earlier one's work is kept, and done as the pipeline rules: once, whatever dies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotation.hits.models import HIT, Assignment
from annotation.hits.publishing import quote
from annotation.hits.working import Refused, open_assignment, typed
from annotation.projects.actions import create_project
from annotation.projects.models import Item, Project
from annotation.providers.models import Intent
from annotation.review import feedback
from annotation.review.actions import NotAllowed, decide, heed, promote, replace_fallen, settle, undo
from annotation.review.models import Feedback, Outcome
from tests.annotation.review.small_pipeline import install
from tests.factories import make_answer, make_assignment, make_hit, make_item, make_user, make_worker

pytestmark = pytest.mark.django_db
GOOD = {"flag": "", "reason": ""}
WRONG = {"flag": "wrong", "reason": "Nobody would do that."}


@pytest.fixture
def make(monkeypatch) -> Callable[..., Project]:
    install(monkeypatch)
    return lambda **settings: create_project(
        pipeline="small", name="Small", slug="small", settings=settings, budget_cap_cents=100_000
    )


def item_of(project: Project, stage: str, key: str = "spoon/1") -> Item:
    return Item.objects.select_related("stage", "project").get(project=project, stage__name=stage, key=key)


def answered(item: Item, *answers: dict, worker=None) -> Item:
    for data in answers:
        hit = make_hit(item.project, item, state=HIT.State.CLOSED)
        make_answer(item, data, assignment=make_assignment(hit, worker))
    Item.objects.filter(pk=item.pk).update(state=Item.State.ANSWERED)
    return item


def travelled(project: Project) -> None:
    settle(project=project)
    heed(project=project)
    promote(project=project)
    replace_fallen(project=project)


def written(project: Project, *, author=None) -> Item:
    """An idea that was accepted and went on to be drawn."""
    item = make_item(
        project, "spoon/1", stage=project.stages.get(name="writing"), payload={"thing": "spoon", "idea": ""}
    )
    answered(item, {"idea": "dig a hole"}, worker=author)
    travelled(project)
    return item


def objected_to(project: Project, *answers: dict, **people) -> Item:
    """The same, and those who draw it said these things."""
    item = written(project, **people)
    answered(item_of(project, "drawing"), *(answers or (WRONG,)))
    travelled(project)
    item.refresh_from_db()
    return item


def told(project: Project) -> list[tuple]:
    return list(Feedback.objects.filter(project=project).order_by("id").values_list("kind", "state", "effect"))


def test_a_dropped_item_falls_with_all_that_came_of_it_and_keeps_the_reason(make):
    project = make()
    item = objected_to(project)
    assert item.state == Item.State.REJECTED
    assert item.reason == "wrong: Nobody would do that."
    assert item.outcome.state == Outcome.State.REJECTED
    drawn = item_of(project, "drawing")
    assert (drawn.state, drawn.reason) == (Item.State.REJECTED, "withdrawn: wrong")
    assert not project.items.filter(stage__name="judging").exists()
    row = Feedback.objects.get()
    assert (row.about, row.item, row.state, row.effect) == (item, drawn, Feedback.State.DONE, "drop")
    assert row.answers == list(drawn.answers.values_list("pk", flat=True))


def test_who_did_the_withdrawn_work_is_paid(make):
    project = make()
    objected_to(project)
    answer = item_of(project, "drawing").answers.get()
    assert answer.counts
    assert answer.assignment.state == Assignment.State.SUBMITTED


def test_a_fallen_item_frees_its_place_up_to_the_pipelines_bound(make):
    project = make(most=2)
    item = objected_to(project)
    successor = item_of(project, "writing", "spoon/2")
    assert (successor.replaces, successor.state, successor.payload) == (item, Item.State.OPEN, item.payload)
    answered(successor, {"idea": ""})
    travelled(project)
    successor.refresh_from_db()
    assert successor.state == Item.State.REJECTED
    assert successor.is_fall_handled, "no third one is due, and nobody asks again"
    assert project.items.filter(stage__name="writing").count() == 2


def test_running_again_does_nothing_again(make):
    project = make()
    objected_to(project)
    before = list(Item.objects.order_by("pk").values("pk", "state", "reason", "key"))
    for _ in range(2):
        assert heed(project=project) == 0
        travelled(project)
    assert list(Item.objects.order_by("pk").values("pk", "state", "reason", "key")) == before


def test_a_process_that_dies_while_heeding_leaves_it_to_be_done(make, monkeypatch):
    project = make()
    item = written(project)
    answered(item_of(project, "drawing"), WRONG)
    settle(project=project)

    def dies(**_):
        raise RuntimeError("killed")

    with monkeypatch.context() as patched, pytest.raises(RuntimeError):
        patched.setattr(feedback, "withdraw", dies)
        heed(project=project)
    item.refresh_from_db()
    assert item.state == Item.State.ACCEPTED, "half of it is none of it"
    assert heed(project=project) == 1
    item.refresh_from_db()
    assert item.state == Item.State.REJECTED


def test_too_few_voices_change_nothing_and_are_kept(make):
    project = make()
    item = objected_to(project, GOOD, WRONG, GOOD)
    assert item.state == Item.State.ACCEPTED
    row = Feedback.objects.get()
    assert (row.state, row.effect, row.note) == ("kept", "keep", "1 of 3 said so, which is too few")
    assert item_of(project, "judging").state == Item.State.OPEN


def test_kinds_without_a_rule_are_kept(make):
    project = make()
    item = objected_to(project, {"flag": "ugly", "reason": ""})
    assert item.state == Item.State.ACCEPTED
    assert told(project) == [("ugly", "kept", "keep")]


def test_the_author_gets_it_back_alone_with_what_they_wrote(make):
    project = make(wrong="author")
    author, other = make_worker(), make_worker()
    item = objected_to(project, author=author)
    again = item_of(project, "writing", "spoon/1~2")
    assert item.reason == "sent_back: wrong"
    assert (again.replaces, again.state) == (item, Item.State.OPEN)
    assert Feedback.objects.get().successor == again
    assert not project.items.filter(key="spoon/2").exists(), "the place is not free"
    hit = make_hit(project, again)
    for stranger in (other.identity.provider_id, "ANOBODYKNOWN1"):
        with pytest.raises(Refused, match="reserved"):
            open_assignment(hit=hit, assignment_id="ONE", provider_worker_id=stranger)
    opened = open_assignment(hit=hit, assignment_id="TWO", provider_worker_id=author.identity.provider_id)
    assert typed(opened.draft) == {f"{again.pk}.idea": ["dig a hole"]}


def test_what_is_reserved_lies_in_a_hit_of_its_own(make):
    project = make(wrong="author")
    objected_to(project)
    stage = project.stages.get(name="writing")
    stage.items_per_hit = 5
    for number in (2, 3):
        make_item(project, f"fork/{number}", stage=stage, payload={"thing": "fork", "idea": ""})
    again = item_of(project, "writing", "spoon/1~2")
    assert sorted(len(hit.item_ids) for hit in quote(stage).planned) == [1, 2]
    assert (again.pk,) in [hit.item_ids for hit in quote(stage).planned]


def test_a_second_objection_drops_it(make):
    project = make(wrong="author")
    objected_to(project)
    again = item_of(project, "writing", "spoon/1~2")
    answered(again, {"idea": "dig another hole"})
    travelled(project)
    answered(item_of(project, "drawing", "spoon/1~2"), WRONG)
    travelled(project)
    again.refresh_from_db()
    assert again.reason.startswith("wrong:")
    assert told(project) == [("wrong", "done", "author"), ("wrong", "done", "drop")]
    assert Feedback.objects.last().note == "sent back 1 time before"


def test_an_author_who_does_not_come_back_loses_the_place(make):
    project = make(wrong="author")
    objected_to(project)
    again = item_of(project, "writing", "spoon/1~2")
    make_hit(project, again, state=HIT.State.CLOSED)
    travelled(project)
    again.refresh_from_db()
    assert again.reason == "not_taken_up: its author did not come back"
    assert item_of(project, "writing", "spoon/3").replaces == again


def test_collecting_again_asks_others(make):
    project = make(wrong="again")
    author = make_worker()
    objected_to(project, author=author)
    again = item_of(project, "writing", "spoon/1~2")
    hit = make_hit(project, again)
    with pytest.raises(Refused, match="own_work"):
        open_assignment(hit=hit, assignment_id="ONE", provider_worker_id=author.identity.provider_id)
    assert open_assignment(hit=hit, assignment_id="TWO", provider_worker_id="ASOMEBODYNEW").draft == {}


def test_an_expert_gets_it_with_the_words_and_what_follows_is_made_anew(make):
    project = make(wrong="expert")
    item = objected_to(project)
    outcome = item.outcome
    assert (item.state, outcome.state) == (Item.State.SETTLED, Outcome.State.PENDING)
    assert item_of(project, "drawing").state == Item.State.REJECTED
    expert = make_user(project=project, role="reviewer")
    decide(outcome=outcome, reviewer=expert, decision="accept", version=outcome.version)
    travelled(project)
    anew = item_of(project, "drawing", "spoon/1~2")
    assert (anew.state, anew.replaces) == (Item.State.OPEN, item_of(project, "drawing"))
    answered(anew, WRONG)
    travelled(project)
    item.refresh_from_db()
    assert item.state == Item.State.REJECTED, "an expert is asked once"


def test_an_expert_cannot_revive_what_was_withdrawn(make):
    project = make()
    objected_to(project)
    outcome = item_of(project, "drawing").outcome
    with pytest.raises(NotAllowed, match="withdrawn"):
        decide(outcome=outcome, reviewer=make_user(project=project), decision="accept", version=outcome.version)


def test_a_hit_whose_every_item_went_is_taken_off_the_market_and_others_stay(make):
    project = make()
    item = written(project)
    drawn = item_of(project, "drawing")
    drawing = drawn.stage
    other = make_item(project, "fork/1", stage=drawing, payload={"thing": "fork", "idea": "eat"})
    alone = make_hit(project, drawn)
    make_hit(project, drawn, other)
    feedback.fall(item=item, reason="wrong: no")

    assert list(Intent.objects.filter(kind="expire_hit").values_list("request__hit_id", flat=True)) == [alone.remote_id]


def test_feedback_about_a_stage_further_up_finds_it(make):
    project = make()
    item = written(project)
    answered(item_of(project, "drawing"), GOOD)
    travelled(project)
    answered(item_of(project, "judging"), WRONG, WRONG, GOOD)
    travelled(project)
    item.refresh_from_db()
    assert item.state == Item.State.REJECTED
    assert Feedback.objects.get().about == item
    assert item_of(project, "drawing").reason == "withdrawn: wrong"


def test_feedback_on_what_fell_already_is_moot(make):
    project = make()
    item = written(project)
    answered(item_of(project, "drawing"), WRONG)
    settle(project=project)
    feedback.fall(item=item, reason="other: an owner dropped it")
    heed(project=project)
    assert told(project) == [("wrong", "moot", "")]


@pytest.fixture
def fallen(make) -> Item:
    """An item that a rule rejected; another one is to be offered in its place."""
    project = make()
    item = make_item(
        project, "spoon/1", stage=project.stages.get(name="writing"), payload={"thing": "spoon", "idea": ""}
    )
    answered(item, {"idea": ""})
    travelled(project)
    assert item_of(project, "writing", "spoon/2").replaces == item
    return item_of(project, "writing")


def places(item: Item) -> list[str]:
    return list(Item.objects.filter(stage=item.stage).order_by("pk").values_list("key", flat=True))


def test_who_lets_a_fallen_item_stand_takes_back_the_one_in_its_place(fallen):
    expert = make_user(project=fallen.project)
    review = decide(outcome=fallen.outcome, reviewer=expert, decision="accept", version=0)
    assert (places(fallen), item_of(fallen.project, "writing").state) == (["spoon/1"], Item.State.ACCEPTED)
    undo(review=review, by=expert)
    travelled(fallen.project)
    assert places(fallen) == ["spoon/1", "spoon/2"], "fallen again, its place is free again"


def test_a_rejection_taken_back_takes_back_the_one_in_its_place(fallen):
    expert = make_user(project=fallen.project)
    decide(outcome=fallen.outcome, reviewer=expert, decision="accept", version=0)
    review = decide(outcome=fallen.outcome, reviewer=expert, decision="reject", reason="empty", version=1)
    replace_fallen(project=fallen.project)
    assert places(fallen) == ["spoon/1", "spoon/2"]
    undo(review=review, by=expert)
    assert places(fallen) == ["spoon/1"]


@pytest.mark.parametrize("state", ["offered", "open", "accepted"])
def test_once_workers_were_offered_another_in_its_place_a_fallen_item_stays_down(fallen, state):
    expert, project = make_user(project=fallen.project), fallen.project
    successor = item_of(project, "writing", "spoon/2")
    make_hit(project, successor)
    Item.objects.filter(pk=successor.pk).update(state=state)
    with pytest.raises(NotAllowed, match="in the place of this"):
        decide(outcome=fallen.outcome, reviewer=expert, decision="accept", version=0)
    fallen.refresh_from_db()
    assert (fallen.state, fallen.outcome.reviews.count()) == (Item.State.REJECTED, 0)
    again = decide(outcome=fallen.outcome, reviewer=expert, decision="reject", reason="empty indeed", version=0)
    undo(review=again, by=expert)
    assert places(fallen) == ["spoon/1", "spoon/2"]
