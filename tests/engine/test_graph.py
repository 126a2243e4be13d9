"""What a graph records, refuses, copies and lets go."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import GraphError, OpError, UnregisteredOpError


def leaf(value, name=None):
    return mg.Tensor(value, requires_grad=True, name=name)


def test_an_unregistered_op_cannot_be_recorded():
    graph = mg.ComputationGraph()
    with pytest.raises(UnregisteredOpError, match="'relu6'"):
        graph.record("relu6", [leaf(1.0)], mg.Tensor(1.0))
    assert graph.nodes == []


def test_the_same_operand_twice_is_recorded_twice():
    x = leaf(3.0)
    graph = mg.ComputationGraph()
    mg.mul(graph, x, x)
    assert graph.nodes[0].inputs == [x, x]


def test_a_tensor_of_another_graph_is_refused():
    z = mg.neg(mg.ComputationGraph(), leaf(1.0))
    other = mg.ComputationGraph()
    with pytest.raises(GraphError, match=r"operand 0 of 'neg'.*another graph"):
        mg.neg(other, z)
    assert other.nodes == []


def test_a_tensor_from_before_a_reset_is_refused():
    graph = mg.ComputationGraph()
    z = mg.neg(graph, leaf(1.0))
    graph.reset()
    assert graph.nodes == []
    with pytest.raises(GraphError, match="before it was reset"):
        mg.neg(graph, z)


def test_a_tensor_from_before_a_reset_is_no_edge_even_if_its_place_is_taken_again():
    graph = mg.ComputationGraph()
    stale = mg.neg(graph, leaf(1.0))
    graph.reset()
    mg.neg(graph, leaf(2.0))
    with pytest.raises(GraphError, match="before it was reset"):
        mg.neg(graph, stale)


def test_an_output_must_be_new():
    graph = mg.ComputationGraph()
    x = leaf(1.0)
    z = mg.neg(graph, x)
    for output in (x, z):
        with pytest.raises(GraphError, match="must be a new tensor"):
            graph.record("neg", [x], output)


def test_an_output_that_is_used_already_makes_no_edge_into_the_past():
    graph = mg.ComputationGraph()
    x, late = leaf(1.0), leaf(6.0, "late")
    u = mg.mul(graph, late, 5.0)
    graph.record("mul", [x, mg.Tensor(2.0)], late)
    with pytest.raises(GraphError, match="node #0 uses tensor 'late', which was recorded after it"):
        u.backward()
    assert x.grad is None


def test_record_takes_tensors_only():
    with pytest.raises(GraphError, match=r"not 1\.0; wrap numbers"):
        mg.ComputationGraph().record("neg", [1.0], mg.Tensor(1.0))


def test_a_forward_that_returns_no_floats_is_named():
    class Sign(mg.Differentiable):
        def forward(self, inputs):
            return np.sign(inputs[0].values).astype(int)

        def backward(self, grad_output, inputs, output):
            return [grad_output * 0]

    ops = mg.OpRegistry()
    ops.register("sign", Sign())
    with pytest.raises(OpError, match=r"forward of op 'sign' returned an array of dtype int64"):
        mg.ComputationGraph(ops).apply("sign", leaf([1.0, -2.0]))


@pytest.mark.parametrize("returned", ["values", "tensor", "product"])
def test_an_op_of_ones_own_may_compute_with_arrays_or_with_tensors(returned):
    class Square(mg.Differentiable):
        def forward(self, inputs):
            (x,) = inputs
            return {"values": x.values**2, "tensor": mg.Tensor(x.data**2), "product": x * x}[
                returned
            ]

        def backward(self, grad_output, inputs, output):
            return [2 * inputs[0] * grad_output]

    ops = mg.OpRegistry()
    ops.register("square", Square())
    x = leaf([3.0, -1.0])
    graph = mg.ComputationGraph(ops)
    with graph:  # what an op computes inside is no business of the graph's
        y = graph.apply("square", x)
    assert [node.op_name for node in graph.nodes] == ["square"]
    y.backward(np.ones(2))
    assert x.grad.tolist() == [6.0, -2.0]


def test_the_output_of_an_op_that_returns_its_input_is_safe_from_later_edits():
    class Same(mg.Differentiable):
        def forward(self, inputs):
            return inputs[0].data

        def backward(self, grad_output, inputs, output):
            return [grad_output]

    ops = mg.OpRegistry()
    ops.register("same", Same())
    x = mg.Tensor([1.0, 2.0])
    y = mg.ComputationGraph(ops).apply("same", x)
    x.data[0] = 9.0
    assert y.data.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_the_values_of_a_graph_and_of_its_copy_cannot_be_edited_behind_its_back(duplicate):
    graph = mg.ComputationGraph()
    x = leaf([1.0, 2.0], "x")
    mg.mul(graph, mg.mul(graph, x, x), x)
    for one in (graph, duplicate(graph)):
        for node in one.nodes:
            for tensor in node.tensors():
                with pytest.raises(ValueError, match="read-only"):
                    tensor.values[0] = 9.0


def test_nodes_do_not_share_their_attributes():
    graph, x = mg.ComputationGraph(), leaf(1.0)
    with graph:
        -x * x
    graph.nodes[0].attrs["note"] = "mine"
    assert graph.nodes[1].attrs == {}


def test_a_shallow_copy_of_a_graph_is_a_deep_one():
    x = leaf(3.0)
    graph = mg.ComputationGraph()
    w = mg.mul(graph, x, x)
    twin = copy.copy(graph)
    assert twin.nodes[0] is not graph.nodes[0]
    del twin
    w.backward()
    assert x.grad == 6.0


@pytest.mark.parametrize(
    "rules", ["2*{0}", ("{3}",), ("{",), ("{name}",), (5,), None, ["1"]], ids=str
)
def test_derivatives_that_cannot_be_written_out_are_refused(rules):
    class Odd(type(mg.registry.get("neg"))):
        derivatives = rules

    with pytest.raises(OpError, match=r"derivative.* of op 'odd'"):
        mg.OpRegistry().register("odd", Odd())


def test_the_number_of_operands_is_checked():
    graph, x = mg.ComputationGraph(), leaf(1.0)
    with pytest.raises(OpError, match="op 'neg' takes 1 operand, and 2 were given"):
        graph.apply("neg", x, x)
    with pytest.raises(OpError, match="op 'add' takes 2 operands, and 1 was given"):
        graph.apply("add", x)
    assert graph.nodes == []


def test_shapes_that_do_not_broadcast_are_told_with_the_op():
    with pytest.raises(OpError, match=r"forward of op 'add' on shapes \(2,\), \(3,\) failed"):
        mg.add(mg.ComputationGraph(), leaf(np.ones(2)), leaf(np.ones(3)))


def test_only_ops_can_be_registered():
    with pytest.raises(OpError, match="instance of the op, not its class"):
        mg.OpRegistry().register("neg", type(mg.registry.get("neg")))
    with pytest.raises(OpError, match="must be an instance"):
        mg.OpRegistry().register("neg", abs)
    with pytest.raises(OpError, match="non-empty string"):
        mg.OpRegistry().register("", mg.registry.get("neg"))


def test_a_node_keeps_the_op_that_it_was_recorded_with():
    ops = mg.OpRegistry()
    ops.register("twice", mg.registry.get("add"))
    x = leaf(3.0)
    graph = mg.ComputationGraph(ops)
    y = graph.apply("twice", x, x)
    ops.register("twice", mg.registry.get("mul"))
    y.backward()
    assert x.grad == 2.0


def test_a_cell_that_is_run_again_adds_up_in_leaves_and_says_so():
    x, y = leaf(3.0, "x"), leaf(4.0)
    graph = mg.ComputationGraph()

    def cell():
        with graph:
            w = x * y + x
        w.backward()

    cell()
    assert repr(graph) == "ComputationGraph(2 nodes: #0 mul, #1 add)"
    cell()
    cell()
    assert (x.grad, y.grad) == (15.0, 9.0)
    assert repr(graph) == (
        "ComputationGraph(6 nodes: #0 mul, #1 add, #2 mul, #3 add, #4 mul, #5 add; the last "
        "backward added to gradients that were there already: tensor 'x', an unnamed leaf)"
    )
    assert graph.earlier_gradients == {x: 10.0, y: 6.0}
    assert copy.deepcopy(graph).earlier_gradients.keys() != graph.earlier_gradients.keys()
    graph.reset()
    x.zero_grad()
    y.zero_grad()
    cell()
    assert (x.grad, y.grad, graph.earlier_gradients) == (5.0, 3.0, {})


def test_a_dropped_graph_is_freed_without_the_garbage_collector():
    gc.disable()
    try:
        x = leaf(3.0)
        graph = mg.ComputationGraph()
        with graph:
            w = x * x + x
        w.backward()
        gone = weakref.ref(graph)
        node_gone = weakref.ref(graph.nodes[0].output)
        del graph, w
        assert gone() is None
        assert node_gone() is None
    finally:
        gc.enable()


def test_a_very_deep_graph_is_recorded_differentiated_copied_and_dropped():
    x = leaf(1.0)
    graph = mg.ComputationGraph()
    y = x
    for _ in range(20_000):
        y = mg.add(graph, y, 1.0)
    y.backward()
    assert x.grad == 1.0
    assert len(copy.deepcopy(graph).nodes) == 20_000
    assert len(pickle.loads(pickle.dumps(graph)).nodes) == 20_000
    gone = weakref.ref(y)
    del graph, y
    assert gone() is None


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_the_backward_of_a_copy_fills_the_copys_leaves(duplicate):
    x, y = leaf(3.0), leaf(4.0)
    graph = mg.ComputationGraph()
    with graph:
        w = x * y + x
    assert w.grad_fn_index == 1
    twin = duplicate(graph)
    twin.nodes[-1].output.backward()
    copied_x, copied_y = twin.nodes[0].inputs
    assert (copied_x.grad, copied_y.grad) == (5.0, 3.0)
    assert (x.grad, y.grad) == (None, None)


def test_a_copy_still_knows_that_values_were_changed_before_it_was_made():
    x = leaf(3.0, "x")
    graph = mg.ComputationGraph()
    mg.mul(graph, x, x)
    x.data = 5.0
    with pytest.raises(mg.MinigradError, match="'x' have changed"):
        mg.backward(copy.deepcopy(graph))


def test_an_output_outliving_its_graph_says_so():
    x = leaf(3.0)
    w = mg.mul(mg.ComputationGraph(), x, x)
    with pytest.raises(GraphError, match="no longer exists"):
        w.backward()


def test_a_subscriber_is_told_of_records_resets_and_backward_and_forgotten_with_its_object():
    class Counter:
        count = 0

        def changed(self):
            self.count += 1

    counter = Counter()
    graph = mg.ComputationGraph()
    graph.subscribe(counter.changed)
    x = leaf(1.0)
    mg.neg(graph, x).backward()
    graph.reset()
    assert counter.count == 3
    del counter
    mg.neg(graph, x)
    assert graph._subscribers == []


def test_repr_lists_the_ops():
    graph = mg.ComputationGraph()
    assert repr(graph) == "ComputationGraph(no nodes yet)"
    mg.neg(graph, mg.add(graph, leaf(1.0), 1.0))
    assert repr(graph) == "ComputationGraph(2 nodes: #0 add, #1 neg)"


def test_repr_of_a_node_is_one_readable_line():
    graph = mg.ComputationGraph()
    mg.mul(graph, leaf(3.0, "x"), leaf(4.0, "y"))
    mg.add(graph, leaf([1.0, 2.0]), 1.0)
    assert [repr(node) for node in graph.nodes] == [
        "GraphNode('mul', inputs=[x=3.0, y=4.0], output=12.0, grad=0.0)",
        "GraphNode('add', inputs=[of shape (2,), 1.0], output=of shape (2,), grad=of shape (2,))",
    ]


@pytest.mark.parametrize("wrong", ["net", None, {}, mg.registry.get("add")])
def test_a_graph_takes_a_registry_and_has_no_name(wrong):
    with pytest.raises(GraphError, match=r'takes the registry of its ops.*graph\.scope\("layer 1'):
        mg.ComputationGraph(wrong)


@pytest.mark.parametrize(
    ("op_name", "inputs", "output", "attrs"),
    [
        ("add", [[1.0, 2.0], 1.0], 3.0, {}),
        ("mul", [1.0, 2.0], [2.0, 2.0], {}),
        ("sum", [[1.0, 2.0]], [3.0, 3.0], {}),
        ("sum", [[[1.0, 2.0]]], 3.0, {"axis": 0}),
        ("matmul", [np.ones((2, 3)), np.ones((3, 4))], np.ones((4, 2)), {}),
        ("where", [1.0, 2.0], 1.0, {"condition": [True, False]}),
    ],
)
def test_an_output_of_a_shape_that_the_op_does_not_give_is_not_recorded(
    op_name, inputs, output, attrs
):
    graph = mg.ComputationGraph()
    with pytest.raises(GraphError, match=rf"the output of '{op_name}' has shape .*the op gives"):
        graph.record(op_name, [leaf(one) for one in inputs], mg.Tensor(output), **attrs)
    with pytest.raises(OpError, match="forward of op 'add' on shapes"):
        graph.record("add", [leaf([1.0, 2.0]), leaf(np.ones(3))], mg.Tensor([1.0, 2.0]))
    assert graph.nodes == []


def test_of_an_op_of_others_it_is_known_that_its_operands_broadcast():
    class Sum(mg.Differentiable):
        elementwise = True

        def forward(self, inputs):
            raise AssertionError("it ran once already")

        def backward(self, grad_output, inputs, output):
            return [grad_output, grad_output]

    ops = mg.OpRegistry()
    ops.register("sum of two", Sum())
    graph, operands = mg.ComputationGraph(ops), [leaf([1.0, 2.0]), leaf([[1.0], [2.0]])]
    with pytest.raises(GraphError, match=r"has shape \(2,\).*the op gives \(2, 2\)"):
        graph.record("sum of two", operands, mg.Tensor([1.0, 2.0]))
    graph.record("sum of two", operands, mg.Tensor(np.ones((2, 2))))
    assert len(graph.nodes) == 1


def test_recorded_attributes_stay_as_they_were():
    graph, a, axis = mg.ComputationGraph(), leaf([[1.0, 2.0], [3.0, 4.0]]), np.array([1, 0])
    graph.record("transpose", [a], mg.Tensor([[1.0, 3.0], [2.0, 4.0]]), axes=axis)
    axis[:] = [0, 1]
    mg.backward(graph, seed=[[1.0, 2.0], [3.0, 4.0]])
    assert a.grad.tolist() == [[1.0, 3.0], [2.0, 4.0]]
