"""Small graphs: what hangs together, what leads where."""

from tasks.checks.graphs import components, reachable


def test_parts_that_no_edge_joins_are_apart():
    assert components("abcd", [("a", "b"), ("b", "c")]) == [{"a", "b", "c"}, {"d"}]
    assert components([], []) == []


def test_what_can_be_reached_includes_the_start_and_stops_at_circles():
    assert reachable(1, {1: [2], 2: [3, 1], 4: [1]}) == {1, 2, 3}


def test_a_long_chain_needs_no_deep_stack():
    chain = {number: [number + 1] for number in range(50_000)}
    assert len(reachable(0, chain)) == 50_001
