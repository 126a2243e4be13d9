"""What several folders of tests use."""

from types import SimpleNamespace

import pytest

import minigrad as mg


def build(*, unused):
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    y = mg.Tensor(4.0, requires_grad=True, name="y")
    graph = mg.ComputationGraph()
    with graph:
        z = x * y
        if unused:
            (x - 1).name = "q"
        w = z + x
    z.name, w.name = "z", "w"
    return SimpleNamespace(graph=graph, x=x, y=y, z=z, w=w)


@pytest.fixture
def running():
    """The running example: w = x*y + x at x = 3, y = 4, with the chapter's names."""
    return build(unused=False)


@pytest.fixture
def dead_node():
    """The running example with q = x - 1 in between, which w does not use."""
    return build(unused=True)


@pytest.fixture
def named():
    """A function that records one product of a tensor with a given name by itself."""

    def record(name):
        graph = mg.ComputationGraph()
        x = mg.Tensor(3.0, requires_grad=True, name=name)
        mg.mul(graph, x, x)
        return graph

    return record
