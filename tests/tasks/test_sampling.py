"""Samples by name: as large as asked, and the same each time."""

from tasks.sampling import is_drawn, one_of


def test_a_sample_is_about_as_large_as_asked_and_the_same_each_time():
    drawn = [number for number in range(2_000) if is_drawn("x", str(number), 0.1)]
    assert 150 < len(drawn) < 250
    assert drawn == [number for number in range(2_000) if is_drawn("x", str(number), 0.1)]
    assert drawn != [number for number in range(2_000) if is_drawn("y", str(number), 0.1)]


def test_all_or_none_are_drawn_where_that_is_the_share():
    names = list(map(str, range(500)))
    assert all(is_drawn("x", name, 1) for name in names)
    assert not any(is_drawn("x", name, 0) for name in names)


def test_each_of_several_things_is_chosen_for_some_name_and_always_the_same_for_one():
    several = ["a", "b", "c"]
    found = [one_of(several, "x", str(number)) for number in range(60)]
    assert set(found) == set(several)
    assert found == [one_of(several, "x", str(number)) for number in range(60)]
    assert one_of([], "x", "1") is None
