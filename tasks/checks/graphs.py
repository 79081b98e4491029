"""What can be asked of a small graph: which parts hang together, what leads where."""

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
