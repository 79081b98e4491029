"""Near-duplicates among the project's texts are found by an index, at the same cost however many there are."""

import pytest

from annotation.checking.actions import keep_written
from annotation.checking.context import MOST_TEXTS, Scope, gather
from annotation.checking.models import WrittenText
from annotation.hits.sheets import sheet_of
from tasks.registry import task_type
from tests.factories import make_assignment, make_hit, make_item, make_project

pytestmark = pytest.mark.django_db
KIND = task_type("strategyqa.question")
CHECK = next(check for check in KIND.checks if check.name == "repeats_a_question")
TEXT = "Could the first millers of Maresby have used a steam engine?"


def written_by_somebody(project, *texts):
    for text in texts:
        hit = make_hit(project, make_item(project, payload={"term": "Mill", "expected": "yes"}))
        sheet, assignment = sheet_of(hit.token), make_assignment(hit)
        keep_written(sheet=sheet, assignment=assignment, answers={1: KIND.Answer(question=text)})
    return assignment


@pytest.fixture
def project():
    return make_project(stage={"name": "question", "task_type": "strategyqa.question"})


def said_of(text, scope):
    found = CHECK.run(None, KIND.Answer(question=text), gather([CHECK], scope))
    return found[0] if found else None


def test_a_question_in_nearly_the_same_words_is_found(project):
    other = written_by_somebody(project, "Is a fir green?", TEXT)
    scope = Scope(project.pk, 1, other.pk + 1)
    assert TEXT in said_of("Might the very first millers of Maresby have used a steam engine?", scope).message
    assert said_of("Might the millers of Maresby have known a poet?", scope) is None


def test_one_s_own_page_and_other_projects_do_not_count(project):
    own = written_by_somebody(project, TEXT)
    assert said_of(TEXT, Scope(project.pk, 1, own.pk)) is None
    assert said_of(TEXT, Scope(make_project().pk, 1, own.pk + 1)) is None
    assert said_of(TEXT, Scope()) is None


def test_a_stored_answer_that_is_looked_at_again_does_not_repeat_itself(project):
    written_by_somebody(project, TEXT)
    assert said_of(TEXT, Scope(project.pk, 1)) is None
    written_by_somebody(project, TEXT)
    assert said_of(TEXT, Scope(project.pk, 1))


def test_what_is_handed_over_anew_replaces_what_was(project):
    assignment = written_by_somebody(project, "Is a fir green?")
    sheet = sheet_of(assignment.hit.token)
    keep_written(sheet=sheet, assignment=assignment, answers={1: KIND.Answer(question=TEXT)}, replaces=True)
    assert set(WrittenText.objects.values_list("text", flat=True)) == {TEXT}


def test_one_query_with_a_bound_finds_the_candidates(project, django_assert_num_queries):
    written_by_somebody(project, *[f"Is Mr {'abcdefgh'[n % 8]}{n} taller than a fir?" for n in range(30)])
    with django_assert_num_queries(1) as queries:
        said_of("Is Mr Nobody taller than a fir?", Scope(project.pk, 1, 0))
    assert f"LIMIT {MOST_TEXTS}" in queries[0]["sql"]
    names = [index.name for index in WrittenText._meta.indexes]
    assert names == ["texts_by_mark"]
