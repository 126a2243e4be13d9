"""`graph.scope`: which nodes belong to which scope, whatever happens meanwhile."""

import copy
import pickle

import pytest

import minigrad as mg
from minigrad.engine.errors import GraphError
from minigrad.engine.scopes import Scope


def recorded(*names):
    """Return a graph with a scope for each name, of one node each, and a node behind them."""
    x = mg.Tensor(2.0, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        y = x
        for name in names:
            with graph.scope(name):
                y = y * x
        y = y + x
    return graph, x, y


def test_a_scope_holds_what_was_recorded_in_it():
    graph, _, _ = recorded("layer 1", "layer 2")
    assert graph.scopes == [Scope("layer 1", 0, 1), Scope("layer 2", 1, 2)]


def test_the_same_name_twice_makes_two_scopes():
    graph, _, _ = recorded("step", "step")
    assert [scope.positions for scope in graph.scopes] == [range(1), range(1, 2)]


def test_nested_scopes_come_after_those_around_them():
    x = mg.Tensor(2.0, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph, graph.scope("outer"):
        y = x * x
        with graph.scope("inner"):
            y = y * x
        y = y + x
    assert graph.scopes == [Scope("outer", 0, 3), Scope("inner", 1, 2)]


def test_scopes_change_neither_values_nor_gradients():
    graph, x, y = recorded("a", "b")
    mg.backward(graph, y)
    assert (y.item(), x.grad) == (10.0, 13.0)  # x³ + x at 2, and 3x² + 1


def test_an_open_scope_reaches_up_to_the_newest_node():
    x = mg.Tensor(2.0, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph, graph.scope("outer"):
        y = x * x
        assert graph.scopes == [Scope("outer", 0, 1)]
        y = y * x
        assert graph.scopes == [Scope("outer", 0, 2)]


def test_a_scope_without_nodes_is_none():
    graph = mg.ComputationGraph()
    with graph.scope("nothing"):
        pass
    assert graph.scopes == []


def test_a_scope_ends_at_an_error_too():
    x = mg.Tensor(2.0, requires_grad=True)
    graph = mg.ComputationGraph()

    def fail():
        with graph, graph.scope("broken"):
            _ = x * x
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with graph:
        _ = x * x
    assert graph.scopes == [Scope("broken", 0, 1)]


def test_scopes_that_are_left_crosswise_still_nest():
    x = mg.Tensor(2.0, requires_grad=True)
    graph = mg.ComputationGraph()
    first, second = graph.scope("first"), graph.scope("second")
    with graph:
        first.__enter__()
        _ = x * x
        second.__enter__()
        _ = x * x
        first.__exit__(None, None, None)
        _ = x * x
        second.__exit__(None, None, None)
    assert graph.scopes == [Scope("first", 0, 2), Scope("second", 1, 2)]


def test_a_reset_forgets_scopes_and_lets_open_ones_go_on():
    x = mg.Tensor(2.0, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph, graph.scope("all"):
        with graph.scope("gone"):
            _ = x * x
        graph.reset()
        assert graph.scopes == []
        _ = x * x
    assert graph.scopes == [Scope("all", 0, 1)]


def test_nodes_that_are_taken_out_leave_their_scope():
    graph, _, _ = recorded("layer 1", "layer 2")
    del graph.nodes[1:]
    assert graph.scopes == [Scope("layer 1", 0, 1)]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_a_copy_has_the_same_scopes(copied):
    graph, _, _ = recorded("layer 1", "layer 2")
    assert copied(graph).scopes == graph.scopes


def test_a_replay_has_the_same_scopes():
    graph, x, _ = recorded("layer 1", "layer 2")
    assert graph.replay({x: 3.0}).graph.scopes == graph.scopes


@pytest.mark.parametrize("name", ["", "  ", None, 3])
def test_a_name_that_shows_nothing_is_refused(name):
    graph = mg.ComputationGraph()
    with pytest.raises(GraphError, match="a scope has a name"), graph.scope(name):
        pass
