"""No one's marketplace id leaves with a release."""

import json
from pathlib import Path

import pytest

from annotation.hits.models import Answer
from annotation.projects.models import Item
from annotation.releases import actions
from annotation.releases.models import Release
from annotation.releases.results import ReleaseRefused
from annotation.releases.verification import verify
from annotation.review.models import Review
from annotation.workers.models import Worker, WorkerIdentity


@pytest.fixture
def worker(project) -> Worker:
    return Worker.objects.order_by("id").first()


def refusal(project, storage: Path) -> str:
    with pytest.raises(ReleaseRefused) as refused:
        actions.build(project=project, created_by="user:1")
    assert not list(storage.glob("forces/*")), "it lies there all the same"
    assert Release.objects.get().state == Release.State.FAILED
    return str(refused.value)


@pytest.mark.parametrize("around", ["{}", "my id is {}.", "x{}y", "https://example.org/?workerId={}&x=1", "_{}-"])
def test_an_id_in_a_workers_text_stops_the_build_and_is_not_repeated(project, worker, storage, around):
    secret = worker.identity.provider_id
    answer = Answer.objects.filter(item__project=project).first()
    Answer.objects.filter(pk=answer.pk).update(data=answer.data | {"answers": [around.format(secret)]})
    said = refusal(project, storage)
    assert f"holds the marketplace id of {worker.pseudonym}" in said
    assert "raw/judgements.jsonl:" in said
    assert secret not in said
    assert secret not in Release.objects.get().error


@pytest.mark.parametrize("secret", ["A1:B2:C3:D4", "日本ワーカー0001番です"])
def test_an_id_of_unusual_characters_is_found_too(project, worker, storage, secret):
    WorkerIdentity.objects.filter(worker=worker).update(provider_id=secret)
    review = Review.objects.filter(outcome__project=project).first()
    Review.objects.filter(pk=review.pk).update(reason=f"{secret} said so")
    assert "raw/reviews.jsonl:" in refusal(project, storage)


def test_a_short_id_may_be_a_word_in_a_text_but_not_stand_for_a_person(project, worker, storage):
    WorkerIdentity.objects.filter(worker=worker).update(provider_id="gravity")
    assert actions.build(project=project, created_by="user:1").state == Release.State.READY
    Release.objects.all().delete()
    item = Item.objects.filter(project=project, state="accepted").first()
    Item.objects.filter(pk=item.pk).update(key="gravity")
    with pytest.raises(ReleaseRefused, match="item is a marketplace id"):
        actions.build(project=project, created_by="user:1")


def test_a_mail_address_where_an_id_belongs_stops_the_build(project, storage):
    item = Item.objects.filter(project=project, state="accepted").first()
    Item.objects.filter(pk=item.pk).update(key="anna@example.org")
    assert "item looks like a mail address" in refusal(project, storage)


def test_a_mail_address_in_a_question_is_none_of_our_business(project):
    answer = Answer.objects.filter(item__project=project).first()
    Answer.objects.filter(pk=answer.pk).update(data=answer.data | {"answers": ["write to info@example.org"]})
    assert actions.build(project=project, created_by="user:1").state == Release.State.READY


def test_verification_finds_an_id_that_came_in_later(release, worker):
    path = Path(release.location) / "raw/judgements.jsonl"
    first, *rest = path.read_text("utf-8").splitlines(keepends=True)
    record = json.loads(first) | {"worker": worker.identity.provider_id}
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n" + "".join(rest), "utf-8")
    problems = verify(release.location)
    assert f"raw/judgements.jsonl:1: holds the marketplace id of {worker.pseudonym}" in problems
