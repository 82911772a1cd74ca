from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.workflows import graph


@st.composite
def graphs(draw: st.DrawFn, *, acyclic: bool = True) -> dict[int, list[int]]:
    size = draw(st.integers(1, 20))
    parents: dict[int, list[int]] = {}
    for node in range(size):
        possible = list(range(node)) if acyclic else [n for n in range(size) if n != node]
        parents[node] = draw(st.lists(st.sampled_from(possible), unique=True)) if possible else []
    shuffled = draw(st.permutations(list(parents)))
    return {node: parents[node] for node in shuffled}


@settings(max_examples=50)
@given(graphs())
def test_every_node_comes_after_its_parents(parents: dict[int, list[int]]) -> None:
    ordered = graph.order(parents)
    assert sorted(ordered) == sorted(parents)
    place = {node: n for n, node in enumerate(ordered)}
    assert all(place[parent] < place[node] for node in parents for parent in parents[node])


@settings(max_examples=50)
@given(graphs())
def test_a_graph_without_cycles_has_none(parents: dict[int, list[int]]) -> None:
    assert graph.find_cycle(parents) is None


@settings(max_examples=50)
@given(graphs(acyclic=False))
def test_a_cycle_is_a_path_of_nodes_that_wait_for_the_next(parents: dict[int, list[int]]) -> None:
    path = graph.find_cycle(parents)
    if path is None:
        assert len(graph.order(parents)) == len(parents)
    else:
        assert path[0] == path[-1]
        assert len(set(path)) == len(path) - 1
        assert all(after in parents[node] for node, after in itertools.pairwise(path))


def test_a_deep_chain_is_no_problem() -> None:
    depth = 50_000
    parents = {n: [n - 1] if n else [depth - 1] for n in range(depth)}
    path = graph.find_cycle(parents)
    assert path is not None
    assert len(path) == depth + 1
    shown = graph.show_cycle([str(node) for node in path])
    assert len(shown) < 1000
    assert f"({depth + 1 - 50} more)" in shown


@settings(max_examples=50)
@given(graphs())
def test_below_is_what_can_be_reached(parents: dict[int, list[int]]) -> None:
    root = next(iter(parents))
    found = graph.below(graph.invert(parents), [root])
    expected, grown = {root}, True
    while grown:
        more = {node for node in parents if set(parents[node]) & expected} | expected
        grown, expected = more != expected, more
    assert found == expected


def test_the_critical_path_goes_back_through_the_parents_that_ended_last() -> None:
    parents: dict[str, list[str]] = {
        "build": [],
        "lint": ["build"],
        "test": ["build"],
        "deploy": ["lint", "test"],
        "notes": ["build"],
    }
    ended_at = {"build": 1.0, "lint": 2.0, "test": 5.0, "deploy": 6.0, "notes": 3.0}
    assert graph.critical_path(parents, ended_at) == ["build", "test", "deploy"]


@pytest.mark.parametrize(
    ("ended_at", "path"), [({}, []), ({"build": 1.0}, ["build"])], ids=["nothing", "one"]
)
def test_the_critical_path_so_far_leaves_out_what_has_not_ended(
    ended_at: dict[str, float], path: list[str]
) -> None:
    parents: dict[str, list[str]] = {"build": [], "test": ["build"]}
    assert graph.critical_path(parents, ended_at) == path
