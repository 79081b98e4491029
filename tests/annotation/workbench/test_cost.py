"""What an open costs: one query once a process has seen the HIT, however many items there are."""

from annotation.workbench import pages
from tests.annotation.workbench.conftest import answers_to
from tests.factories import make_item


def test_a_page_that_was_opened_before_is_one_query(page, django_assert_num_queries):
    page.open()
    with django_assert_num_queries(1):
        assert page.open().status_code == 200


def test_a_page_that_no_process_has_seen_is_two(page, django_assert_num_queries):
    page.open()
    pages._items.cache_clear()
    from annotation.hits.sheets import sheet_of

    sheet_of.cache_clear()
    with django_assert_num_queries(2):
        assert page.open().status_code == 200


def test_a_draft_is_one(page, django_assert_num_queries):
    page.open()
    with django_assert_num_queries(1):
        page.save({})


def test_handing_over_does_not_ask_more_of_a_bigger_project(page, hit, django_assert_max_num_queries):
    for _ in range(20):
        make_item(hit.project)
    page.open()
    form = answers_to(hit)
    with django_assert_max_num_queries(6):
        assert page.submit(form).status_code == 200


def test_settings_that_change_show_at_once(page, hit):
    assert b"crowd@example.org" in page.open().content
    hit.project.contact = "somebody.else@example.org"
    hit.project.save()
    assert b"somebody.else@example.org" in page.open().content
