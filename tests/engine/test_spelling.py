"""Each op has three spellings, and all of them record the same node."""

import inspect
import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.engine.errors import GraphError, OpError

ONE = ["exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "relu", "abs", "neg"]
TWO = ["add", "sub", "mul", "div", "pow", "maximum", "minimum", "mse"]
REDUCTIONS = ["sum", "mean", "max", "min"]
# for each op how to call its function and how to write it on a tensor: all operands, then the rest
EXAMPLES = (
    {name: [((), {})] for name in ONE + TWO}
    | {name: [((), {}), ((0,), {}), ((), {"axis": 1, "keepdims": True})] for name in REDUCTIONS}
    | {name: [((), {}), ((0,), {})] for name in ("softmax", "log_softmax")}
    | {
        "matmul": [((), {})],
        "clip": [((0.4, 0.9), {}), ((), {"high": 0.5})],
        "where": [(([True, False],), {})],
        "cross_entropy": [(([1, 0],), {})],
        "reshape": [((4,), {}), (((4, 1),), {}), ((-1,), {})],
        "transpose": [((), {}), (((1, 0),), {})],
        "broadcast_to": [(((3, 2, 2),), {})],
        "getitem": [((0,), {}), (([0, 0, 1],), {}), (((slice(None), 1),), {})],
        "concatenate": [((), {}), ((1,), {})],
        "stack": [((), {}), ((), {"axis": -1})],
    }
)
LISTS = {"concatenate", "stack"}
BINARY = {*TWO, "matmul"}
NO_METHOD = {*LISTS, "getitem"}  # a list has no tensor whose method it were, and x[i] is shorter


def written_as_function(name, tensors, given, named):
    function = getattr(mg, name)
    if name in LISTS:
        return lambda *graph: function(*graph, tensors, *given, **named)
    if name == "where":
        return lambda *graph: function(*graph, *given, *tensors)
    operands = tensors if name in BINARY else tensors[:1]
    return lambda *graph: function(*graph, *operands, *given, **named)


def written_on_the_tensor(name, tensors, given, named):
    x, y = tensors
    if name in LISTS:
        return written_as_function(name, tensors, given, named)
    if name == "getitem":
        return lambda: x[given[0]]
    if name == "where":
        return lambda: x.where(*given, y)
    method = getattr(x, name)
    return lambda: method(*([y] if name in BINARY else []), *given, **named)


def node_of(graph):
    (node,) = graph.nodes
    return node


def assert_same(node, other):
    assert node.op_name == other.op_name
    assert len(node.inputs) == len(other.inputs)
    assert all(a is b for a, b in zip(node.inputs, other.inputs, strict=True))
    assert repr(node.attrs) == repr(other.attrs)
    assert node.output.values.tobytes() == other.output.values.tobytes()
    assert (node.output.shape, node.output.dtype) == (other.output.shape, other.output.dtype)


@pytest.mark.parametrize("name", mg.registry.names())
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_all_spellings_of_an_op_record_the_same_node(name, data):
    given_, named = data.draw(st.sampled_from(EXAMPLES[name]))
    numbers = st.lists(st.floats(0.125, 2.0), min_size=8, max_size=8)
    first, second = np.reshape(data.draw(numbers), (2, 2, 2))
    tensors = [mg.Tensor(first, True), mg.Tensor(second, data.draw(st.booleans()))]
    call = written_as_function(name, tensors, given_, named)
    explicit, inside, method, outer = (mg.ComputationGraph() for _ in range(4))
    call(explicit)
    with outer, inside:
        call()
    with outer, method:
        written_on_the_tensor(name, tensors, given_, named)()
    assert outer.nodes == []
    assert_same(node_of(explicit), node_of(inside))
    assert_same(node_of(explicit), node_of(method))


def test_every_op_of_the_default_registry_has_a_function_that_tells_its_spellings():
    for name in mg.registry.names():
        function = getattr(mg, name)
        assert (function.__name__, inspect.isfunction(function)) == (name, True)
        assert function.__module__.startswith("minigrad.engine.ops.")
        assert all(line in inspect.getdoc(function) for line in function.spellings)
        is_told = any(f".{name}(" in one for one in function.spellings if "mg." not in one)
        assert is_told == hasattr(mg.Tensor, name) == (name not in NO_METHOD)


def test_the_signature_is_that_of_the_operands_and_attributes():
    assert list(inspect.signature(mg.sum).parameters) == ["a", "axis", "keepdims"]
    with pytest.raises(TypeError, match=r"tanh\(\) missing 1 required positional argument: 'a'"):
        mg.tanh()
    with pytest.raises(TypeError, match=r"tanh\(\) takes 1 positional argument but 2 were given"):
        mg.tanh("net", mg.Tensor(1.0))


def test_the_graph_may_be_named_as_a_keyword():
    graph, x = mg.ComputationGraph(), mg.Tensor(1.0, True)
    mg.tanh(graph=graph, a=x)
    x.sum(graph=graph)
    assert [node.op_name for node in graph.nodes] == ["tanh", "sum"]
    with pytest.raises(GraphError, match=r"must be a ComputationGraph, not int.*mg\.tanh\(graph"):
        mg.tanh(x, graph=3)


def test_outside_of_any_graph_a_gradient_is_not_lost():
    x = mg.Tensor([1.0, 2.0], requires_grad=True, name="x")
    for write in (lambda: mg.tanh(x), lambda: x.tanh(), lambda: mg.tanh(a=x)):
        with pytest.raises(GraphError, match=r"tensor 'x'.*with graph:.*mg\.tanh\(graph, …\)"):
            write()
    assert mg.tanh(mg.Tensor(0.0)).item() == 0.0


def test_in_no_grad_no_spelling_records():
    graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
    with graph, mg.no_grad():
        made = [mg.tanh(graph, x), mg.tanh(x), x.tanh()]
    assert graph.nodes == []
    assert not any(one.requires_grad for one in made)


def test_each_thread_records_into_its_own_graph():
    graph, other, x = mg.ComputationGraph(), mg.ComputationGraph(), mg.Tensor(1.0, True)

    def work():
        with other:
            mg.exp(x)
            mg.exp(graph, x)

    with graph:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        x.tanh()
    assert [node.op_name for node in graph.nodes] == ["exp", "tanh"]
    assert [node.op_name for node in other.nodes] == ["exp"]


def test_the_op_that_a_graph_of_its_own_registry_knows_is_the_one_that_runs():
    class Hundred(type(mg.registry.get("tanh"))):
        def forward(self, inputs):
            return np.float32(100.0)

    ops = mg.OpRegistry()
    ops.register("tanh", Hundred())
    graph, x = mg.ComputationGraph(ops), mg.Tensor(1.0, True)
    with graph:
        assert [mg.tanh(graph, x).item(), mg.tanh(x).item(), x.tanh().item()] == [100.0] * 3


def test_the_call_site_is_the_learners_line_in_every_spelling():
    graph, x = mg.ComputationGraph(), mg.Tensor(1.0, True)
    graph.keeps_source = True
    line = inspect.currentframe().f_lineno
    with graph:
        mg.tanh(graph, x)
        mg.tanh(x)
        x.tanh()
    assert [node.source.line - line for node in graph.nodes] == [2, 3, 4]
    assert all(node.source.filename == __file__ for node in graph.nodes)


def test_attributes_stay_as_they_were_at_the_call():
    x, axes, graph = mg.Tensor([[1.0, 2.0]], True), [1, 0], mg.ComputationGraph()
    with graph:
        mg.transpose(x, axes)
    axes[:] = [0, 1]
    assert node_of(graph).attrs["axes"] == [1, 0]


@pytest.mark.parametrize(
    ("write", "op_name", "value"),
    [
        (lambda x: x.flatten(), "reshape", [1.0, 2.0, 3.0, 4.0]),
        (lambda x: x.ravel(), "reshape", [1.0, 2.0, 3.0, 4.0]),
        (lambda x: x.reshape(4, 1)[0], "getitem", [1.0]),
        (lambda x: x.transpose(1, 0), "transpose", [[1.0, 3.0], [2.0, 4.0]]),
        (lambda x: x.transpose(), "transpose", [[1.0, 3.0], [2.0, 4.0]]),
        (lambda x: x.dot([1.0, 1.0]), "matmul", [3.0, 7.0]),
        (lambda x: x.dot(2.0), "mul", [[2.0, 4.0], [6.0, 8.0]]),
    ],
)
def test_methods_are_spelled_as_in_numpy(write, op_name, value):
    graph = mg.ComputationGraph()
    with graph:
        made = write(mg.Tensor([[1.0, 2.0], [3.0, 4.0]], True))
    assert (graph.nodes[-1].op_name, made.tolist()) == (op_name, value)


def test_dot_beyond_two_axes_says_what_to_write():
    with pytest.raises(mg.MinigradError, match=r"3 and 1 axes.*write a @ b"):
        mg.Tensor(np.ones((2, 2, 2))).dot([1.0, 2.0])


def test_plus_is_the_tensor_itself():
    x = mg.Tensor(math.pi, True)
    assert +x is x


def test_shape_and_axes_are_given_by_name_as_well():
    x = mg.Tensor(np.ones((2, 3)), requires_grad=True)
    with mg.ComputationGraph():
        assert x.reshape(shape=(3, 2)).shape == x.transpose(axes=(1, 0)).shape == (3, 2)
        assert x.reshape(length for length in (6, 1)).shape == (6, 1)
        with pytest.raises(OpError, match=r"shape=… or the numbers one by one"):
            x.reshape(3, 2, shape=(3, 2))


def test_another_op_is_named_where_that_is_meant():
    x, y = mg.Tensor(1.0, requires_grad=True), mg.Tensor(2.0, requires_grad=True)
    with mg.ComputationGraph():
        with pytest.raises(OpError, match=r"mg\.maximum\(x, y\)"):
            mg.max(x, y)
        with pytest.raises(OpError, match=r"mg\.minimum\(x, y\)"):
            x.min(y)
        with pytest.raises(OpError, match=r"write mg\.stack"):
            mg.concatenate([x, y])
