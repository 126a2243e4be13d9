"""Constants that are written inside the box of the node that uses them."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.diagram import film_of, still
from minigrad.trace import Snapshot, Trace


class Scaled(mg.Differentiable):
    """``a·x + b``, of three operands, with a sign of its own."""

    symbol = "~"

    def forward(self, inputs):
        a, x, b = (one.values for one in inputs)
        return a * x + b

    def backward(self, grad_output, inputs, output):
        return [None, grad_output * inputs[0].values, None]


def rows(look):
    return [" ".join(line.split()) for line in look.lines]


def drawn(record):
    """Return what is drawn of the ops that a function records of x = 2."""
    x = mg.Tensor(2.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        record(x)
    return Snapshot.of(graph).part(range(1), constants=False)


@pytest.mark.parametrize(
    ("record", "header"),
    [
        (lambda x: x * 0.5, ["#0 mul × 0.5"]),
        (lambda x: 0.5 * x, ["#0 mul × 0.5"]),  # which is the same
        (lambda x: x * -0.5, ["#0 mul × (-0.5)"]),
        (lambda x: 3 + x, ["#0 add + 3.0"]),
        (lambda x: x - 3, ["#0 sub - 3.0"]),
        (lambda x: 3 - x, ["#0 sub 3.0 -"]),  # and this is not
        (lambda x: 1 / x, ["#0 div 1.0 ÷"]),
        (lambda x: x**2, ["#0 pow ** 2.0"]),
        (lambda x: (-2.0) ** x, ["#0 pow (-2.0) **"]),
        (lambda x: mg.maximum(x, 0.0), ["#0 maximum", "(x, 0.0)"]),
        (lambda x: mg.where(True, 0.0, x), ["#0 where", "(0.0, x)"]),
        (lambda x: mg.stack([1.0, x, 3.0]), ["#0 stack", "(1.0, x, 3.0)"]),
        (lambda x: x * x, ["#0 mul ×"]),
        (lambda x: -x, ["#0 neg -"]),
    ],
)
def test_a_box_says_what_its_op_does_to_the_operand_that_comes_along_the_arrow(record, header):
    part = drawn(record)
    assert list(part.vertices) == ["t0" if "t0" in part.vertices else "t1", "n0"]
    film = still(part)
    assert rows(film.frame(0)["n0"])[:-2] == header
    assert {edge.source for edge in part.edges} == {key for key in part.vertices if key != "n0"}


def test_an_op_with_a_sign_and_no_sides_is_written_as_a_call():
    ops = mg.OpRegistry()
    ops.register("scaled", Scaled())
    graph = mg.ComputationGraph(ops)
    graph.apply("scaled", 2.0, mg.Tensor(3.0, requires_grad=True, name="x"), 1.0)
    film = still(Snapshot.of(graph).part(range(1), constants=False))
    assert rows(film.frame(0)["n0"])[:2] == ["#0 scaled ~", "(2.0, x, 1.0)"]


def test_many_constants_are_counted():
    part = drawn(lambda x: mg.stack([x, *map(float, range(9))]))
    assert rows(still(part).frame(0)["n0"])[1] == "(x, 0.0, 1.0, 2.0, and 6 more)"


def test_a_step_back_looks_the_same_but_for_what_is_not_drawn():
    x = mg.Tensor(2.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        w = 3 - x * 0.5  # e0 from x, e1 from 0.5; e2 from 3, e3 from the product
    for trace in (Trace.of(graph, w), Trace.of(graph, w).by_edge()):
        inside = film_of(trace, trace.snapshot.part(range(2), constants=False))
        boxes = film_of(trace)
        assert list(inside.edges) == ["e0", "e3"]
        for step in range(len(trace.steps)):
            found, whole = inside.frame(step), boxes.frame(step)
            assert found["e0"] == whole["e0"]
            assert found["e3"] == whole["e3"]
            for key in ("t0", "n0", "n1"):
                assert found[key].state == whole[key].state
                assert rows(found[key])[1:] == rows(whole[key])[1:]
    assert rows(inside.frame(4)["t0"])[2] == "grad none + (-0.5) = -0.5"


def test_operands_of_a_difference_keep_their_order():
    x, y = mg.Tensor(2.0, requires_grad=True), mg.Tensor(1.0, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        (x * 2.0) - (y * 3.0)
    for constants in (False, True):
        drawing = mg.draw(graph, constants=constants)
        assert "ordering=in" in str(drawing.to_graphviz())
        places = {key: float(box["pos"].split(",")[1]) for key, box in drawing.layout.boxes.items()}
        assert places["n0"] > places["n1"]  # a - b is read from top to bottom


def test_an_array_of_constants_keeps_its_box():
    part = drawn(lambda x: x + np.array([1.0, 2.0]))
    assert rows(still(part).frame(0)["t1"]) == ["t1 frozen", "value [1.0 2.0]"]
