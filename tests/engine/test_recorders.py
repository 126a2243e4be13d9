"""Who records what an operator does: the innermost ``with``, or else one for all threads."""

import threading

import pytest

import minigrad as mg
from minigrad.engine.errors import GraphError
from minigrad.engine.forward import Outside
from minigrad.engine.recorders import operate, set_default_recorder


class Counter:
    """Counts what it is asked for, and computes it as plain numbers."""

    ops = mg.registry

    def __init__(self):
        self.asked = []

    def run(self, op_name, operands, attrs):
        self.asked.append(op_name)
        with mg.no_grad():
            return operate(op_name, operands, attrs)


@pytest.fixture
def counter():
    made = Counter()
    set_default_recorder(made)
    yield made
    set_default_recorder(Outside())


def in_another_thread(function):
    """Return what a function returns or raises in a thread of its own."""
    found = []

    def run():
        try:
            found.append(function())
        except mg.MinigradError as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found[0]


def test_outside_of_any_graph_a_gradient_is_refused_in_every_thread():
    x = mg.Tensor(3.0, requires_grad=True)
    with pytest.raises(GraphError, match="no graph is active"):
        x * x
    with mg.ComputationGraph() as graph:
        x * x
        error = in_another_thread(lambda: x * x)  # a graph is active in the thread that opened it
    assert isinstance(error, GraphError)
    assert len(graph.nodes) == 1


def test_the_default_recorder_is_asked_in_all_threads_where_no_with_is_open(counter):
    x = mg.Tensor(3.0, requires_grad=True)
    assert (x * x).item() == 9.0
    assert in_another_thread(lambda: x + x).item() == 6.0
    assert counter.asked == ["mul", "add"]
    with mg.ComputationGraph() as graph:
        x - x
    assert counter.asked == ["mul", "add"]
    assert [node.op_name for node in graph.nodes] == ["sub"]


def test_the_default_recorder_can_be_set_from_another_thread(counter):
    x, other = mg.Tensor(3.0), Counter()
    in_another_thread(lambda: set_default_recorder(other))
    assert (x * x).item() == 9.0
    set_default_recorder(counter)
    assert (x + x).item() == 6.0
    assert (other.asked, counter.asked) == (["mul"], ["add"])
