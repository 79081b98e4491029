"""What can be asked of a small graph: which parts hang together, where it runs in a circle."""

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(nodes: Iterable[Node], edges: Iterable[tuple[Node, Node]]) -> list[set[Node]]:
    """The connected parts of an undirected graph."""
    neighbours: dict[Node, set[Node]] = {node: set() for node in nodes}
    for one, other in edges:
        neighbours[one].add(other)
        neighbours[other].add(one)
    parts, seen = [], set()
    for node in neighbours:
        if node not in seen:
            part = reachable(node, neighbours)
            seen |= part
            parts.append(part)
    return parts


def reachable(start: Node, targets: Mapping[Node, Iterable[Node]]) -> set[Node]:
    """All nodes on some way from `start`, itself included."""
    found, waiting = {start}, [start]
    while waiting:
        for node in targets.get(waiting.pop(), ()):
            if node not in found:
                found.add(node)
                waiting.append(node)
    return found


def node_on_a_cycle(targets: Mapping[Node, Iterable[Node]]) -> Node | None:
    """A node from which a way leads back to it, or None: the directed graph has no cycle."""
    waits_for = {node: len(set(ends)) for node, ends in targets.items()}
    sources: dict[Node, list[Node]] = {}
    for node, ends in targets.items():
        for end in set(ends):
            sources.setdefault(end, []).append(node)
    # Nodes are taken away once all that they lead to are gone; ends outside of `targets` lead nowhere.
    done = [node for node, number in waits_for.items() if not number] + [end for end in sources if end not in targets]
    while done:
        for node in sources.get(done.pop(), ()):
            waits_for[node] -= 1
            if not waits_for[node]:
                done.append(node)
    left = {node for node, number in waits_for.items() if number}
    if not left:
        return None
    # What is left leads to something that is left, so following it must come back.
    node, passed = next(node for node in targets if node in left), set()
    while node not in passed:
        passed.add(node)
        node = next(end for end in targets[node] if end in left)
    return node
