"""An op that keeps something of a call on itself is refused, however it keeps it."""

from array import array
from collections import deque
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import OpError


class InSlots:
    __slots__ = ("x",)


class Keeper(mg.Differentiable):
    """x² in its own words; what forward keeps, `keep` says."""

    def __init__(self, start, keep):
        self.kept, self.keep = start, keep

    def forward(self, inputs):
        x = np.array(inputs[0].values)
        self.keep(self, x)
        return x * x

    def backward(self, grad_output, inputs, output):
        return [grad_output * 2 * inputs[0].values]


def graph_with(op):
    ops = mg.OpRegistry()
    ops.register("keeper", op)
    return mg.ComputationGraph(ops)


def test_the_case_that_gave_324_where_108_is_right():
    class Square(mg.Differentiable):
        def forward(self, inputs):
            self.x = inputs[0].values
            return self.x**2

        def backward(self, grad_output, inputs, output):
            return [grad_output * 2 * self.x]

    graph, x = graph_with(Square()), mg.Tensor(3.0, requires_grad=True)
    with pytest.raises(OpError, match=r"forward of op 'keeper' changed x of the op itself.*inputs"):
        graph.apply("keeper", graph.apply("keeper", x))
    assert graph.nodes == []
    right = graph_with(Keeper(None, lambda op, x: None))
    right.apply("keeper", right.apply("keeper", x)).backward()
    assert x.grad == 108.0  # of x⁴ at 3: 4·27


@pytest.mark.parametrize(
    ("start", "keep"),
    [
        (None, lambda op, x: setattr(op, "kept", x)),
        (None, lambda op, x: setattr(op, "other", x)),
        (1.0, lambda op, x: setattr(op, "kept", float(x))),
        (0, lambda op, x: setattr(op, "kept", int(x))),
        (False, lambda op, x: setattr(op, "kept", True)),
        (1.0, lambda op, x: delattr(op, "kept")),
        ([], lambda op, x: op.kept.append(x)),
        ([0], lambda op, x: op.kept.__setitem__(0, x)),
        ({}, lambda op, x: op.kept.update(x=x)),
        ({"x": 0.0}, lambda op, x: op.kept.update(x=float(x))),
        (set(), lambda op, x: op.kept.add(float(x))),
        (deque(maxlen=1), lambda op, x: op.kept.append(x)),
        (bytearray(8), lambda op, x: op.kept.__setitem__(0, int(x))),
        (np.zeros(()), lambda op, x: op.kept.fill(x)),
        ({"deep": [np.zeros(2)]}, lambda op, x: op.kept["deep"][0].fill(x)),
        (SimpleNamespace(x=None), lambda op, x: setattr(op.kept, "x", x)),
        (mg.Tensor(0.0), lambda op, x: setattr(op.kept, "data", x)),
        (InSlots(), lambda op, x: setattr(op.kept, "x", x)),
        (array("d", [0.0]), lambda op, x: op.kept.__setitem__(0, float(x))),
        (lambda: None, lambda op, x: setattr(op.kept, "x", x)),
        ([[[[[[0.0]]]]]], lambda op, x: op.kept[0][0][0][0][0].__setitem__(0, float(x))),
    ],
)
def test_nothing_of_a_call_stays_on_the_op(start, keep):
    graph, x = graph_with(Keeper(start, keep)), mg.Tensor(3.0, requires_grad=True)
    with pytest.raises(OpError, match=r"changed (kept|other) of the op itself"):
        graph.apply("keeper", x)
    assert graph.nodes == []


def test_nor_in_slots_nor_on_the_class():
    class Slotted(Keeper):
        __slots__ = ("place",)

    class Shared(Keeper):
        seen = ()

    def keep_in_slot(op, x):
        op.place = x

    def keep_on_class(op, x):
        Shared.seen = (*Shared.seen, x)

    x = mg.Tensor(3.0, requires_grad=True)
    with pytest.raises(OpError, match="changed place of"):
        graph_with(Slotted(None, keep_in_slot)).apply("keeper", x)
    with pytest.raises(OpError, match=r"changed Shared\.seen of"):
        graph_with(Shared(None, keep_on_class)).apply("keeper", x)


def test_counters_and_constants_are_let_through():
    def count(op, x):
        op.kept += 1

    for start, keep in ((0, count), (np.ones(3), lambda op, x: op.kept.sum())):
        op = Keeper(start, keep)
        graph, x = graph_with(op), mg.Tensor(3.0, requires_grad=True)
        graph.apply("keeper", graph.apply("keeper", x)).backward()
        assert x.grad == 108.0
        if keep is count:
            assert op.kept == 2


def test_an_attribute_that_needs_a_gradient_is_an_operand():
    x, w = mg.Tensor(3.0, requires_grad=True), mg.Tensor(2.0, requires_grad=True)
    for attr in (w, [w], {"w": (1.0, w)}):
        with pytest.raises(OpError, match="'by' of op 'keeper' holds a tensor that requires"):
            graph_with(Keeper(None, None)).apply("keeper", x, by=attr)


def test_attributes_of_any_kind_may_be_edited_afterwards():
    class Scale(mg.Differentiable):
        def forward(self, inputs, *, by):
            return inputs[0].values * float(by["k"])

        def backward(self, grad_output, inputs, output, *, by):
            return [grad_output * float(by["k"])]

    x, k = mg.Tensor(3.0, requires_grad=True), mg.Tensor(2.0)
    by, graph = {"k": k}, graph_with(Scale())
    y = graph.apply("keeper", x, by=by)
    k.data = 5.0
    by["k"] = 7.0
    y.backward()
    assert x.grad == 2.0


def test_an_op_that_promises_new_arrays_keeps_nothing_either():
    class Promising(Keeper):
        returns_new_arrays = True

    class Mixed(Keeper, type(mg.registry.get("exp"))):
        pass

    for kind in (Promising, Mixed):
        graph = graph_with(kind(None, lambda op, x: setattr(op, "kept", x)))
        with pytest.raises(OpError, match="changed kept of the op itself"):
            graph.apply("keeper", mg.Tensor(3.0, requires_grad=True))
    assert Promising.returns_new_arrays
    assert not Mixed.returns_new_arrays
