"""Graphs of steps as plain mappings, with no database and no recursion: they may be deep.

`parents` maps every name to the names it waits for; what a mapping lists for one name has no
duplicates and names only keys of the mapping, unless a function says otherwise.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)

_SHOWN_OF_CYCLE = 50


def invert(parents: Mapping[Node, Collection[Node]]) -> dict[Node, list[Node]]:
    """For every node its children, in the order of the mapping."""
    children: dict[Node, list[Node]] = {node: [] for node in parents}
    for node, above in parents.items():
        for parent in above:
            children[parent].append(node)
    return children


def order(parents: Mapping[Node, Collection[Node]]) -> list[Node]:
    """The nodes, each after all its parents. Nodes on or below a cycle are missing."""
    children = invert(parents)
    waiting = {node: len(above) for node, above in parents.items()}
    ready = deque(node for node, count in waiting.items() if count == 0)
    ordered = []
    while ready:
        node = ready.popleft()
        ordered.append(node)
        for child in children[node]:
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    return ordered


def find_cycle(parents: Mapping[Node, Collection[Node]]) -> list[Node] | None:
    """A cycle as a path that ends where it begins, each node waiting for the next; None if none."""
    ordered = order(parents)
    if len(ordered) == len(parents):
        return None
    stuck = parents.keys() - set(ordered)
    # Every stuck node has a stuck parent, so that walking up must come back to where it was.
    node = next(name for name in parents if name in stuck)
    seen: dict[Node, int] = {}
    path: list[Node] = []
    while node not in seen:
        seen[node] = len(path)
        path.append(node)
        node = next(parent for parent in parents[node] if parent in stuck)
    return [*path[seen[node] :], node]


def show_cycle(path: list[str]) -> str:
    """A cycle as text; the middle of a long one is left out."""
    if len(path) > _SHOWN_OF_CYCLE:
        left_out = len(path) - _SHOWN_OF_CYCLE
        half = _SHOWN_OF_CYCLE // 2
        path = [*path[:half], f"({left_out} more)", *path[-half:]]
    return " -> ".join(path)


def below(children: Mapping[Node, Iterable[Node]], roots: Iterable[Node]) -> set[Node]:
    """The roots and everything that can be reached from them. A missing key has no children."""
    found = set(roots)
    waiting = deque(found)
    while waiting:
        for child in children.get(waiting.popleft(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def critical_path(
    parents: Mapping[Node, Collection[Node]], ended_at: Mapping[Node, float]
) -> list[Node]:
    """The chain that made the whole take as long as it did, in the order it ran.

    From the step that ended last, each time to the parent that ended last. Nodes without a time
    in `ended_at` have not ended and are left out.
    """
    if not ended_at:
        return []
    node: Node | None = max(ended_at, key=ended_at.__getitem__)
    path: list[Node] = []
    while node is not None:
        path.append(node)
        above = [parent for parent in parents[node] if parent in ended_at]
        node = max(above, key=ended_at.__getitem__) if above else None
    return path[::-1]
