"""Candidate answers and their order."""

from tasks.fields import ItemChoice
from tasks.r4c.candidates import candidates

TITLES = ["Hive", "Honey", "Ant &amp; Bee", "Wasp", "Bear"]


def test_the_answer_stands_beside_three_titles_that_are_the_same_each_time():
    found = candidates("h1", "pollen", TITLES)
    assert found[0] == "pollen"
    assert len(found) == 4 and len(set(found)) == 4
    assert found == candidates("h1", "pollen", TITLES[::-1])
    assert any(candidates(f"h{number}", "pollen", TITLES) != found for number in range(9))
    assert not any("&amp;" in text for text in candidates("h1", "pollen", TITLES * 3))


def test_a_title_that_is_the_answer_is_no_wrong_candidate():
    for number in range(20):
        found = candidates(f"h{number}", "ant & bee", TITLES)
        assert [text.lower() for text in found].count("ant & bee") == 1


def test_with_few_titles_there_are_fewer_candidates():
    assert candidates("h1", "Hive", ["Hive", "hive", "Honey"]) == ["Hive", "Honey"]


def test_yes_has_its_opposite_beside_it_where_the_project_wants_it():
    assert candidates("h1", "yes", TITLES)[:2] == ["yes", "no"]
    assert len(candidates("h1", "yes", TITLES)) == 4
    assert "no" not in candidates("h1", "yes", TITLES, offer_opposite=False)


def test_the_order_is_a_workers_own_and_stays():
    field = ItemChoice(options_from="candidates")
    texts = candidates("h1", "pollen", TITLES)
    orders = {tuple(field.order_of(texts, f"w{number}")) for number in range(30)}
    assert len(orders) > 5
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)
    assert field.order_of(texts, "w1") == field.order_of(texts, "w1")
