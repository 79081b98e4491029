"""Small graphs: what hangs together, what runs in a circle."""

import random

from tasks.checks.graphs import components, node_on_a_cycle, reachable


def test_parts_that_no_edge_joins_are_apart():
    assert components("abcd", [("a", "b"), ("b", "c")]) == [{"a", "b", "c"}, {"d"}]
    assert components([], []) == []


def test_what_can_be_reached_includes_the_start_and_stops_at_circles():
    assert reachable(1, {1: [2], 2: [3, 1], 4: [1]}) == {1, 2, 3}


def test_a_cycle_is_found_wherever_it_lies():
    assert node_on_a_cycle({1: [2], 2: [3], 3: []}) is None
    assert node_on_a_cycle({1: [1]}) == 1
    assert node_on_a_cycle({0: [1], 1: [2], 2: [3], 3: [1], 4: []}) in {1, 2, 3}


def test_a_node_is_named_exactly_where_a_way_leads_back_to_it():
    dice = random.Random(4)
    for _ in range(300):
        targets = {node: dice.sample(range(6), dice.randint(0, 2)) for node in range(6)}
        on_cycles = {node for node in targets if any(node in reachable(end, targets) for end in targets[node])}
        found = node_on_a_cycle(targets)
        assert (found is None) == (not on_cycles)
        assert found is None or found in on_cycles


def test_a_long_chain_needs_no_deep_stack():
    chain = {number: [number + 1] for number in range(50_000)}
    assert node_on_a_cycle(chain) is None
    assert len(reachable(0, chain)) == 50_001
