"""Gradients against finite differences: every registered op, and random expressions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.engine.errors import GradcheckError
from minigrad.engine.recorders import operate

SHAPES = [((), ()), ((3,), (3,)), ((4, 3), (3,)), ((1,), (5, 4)), ((), (2, 3)), ((4, 1), (1, 3))]
ARITHMETIC = {"add": 2, "sub": 2, "mul": 2, "div": 2, "neg": 1}
POSITIVE = {"log": 1, "sqrt": 1, "pow": 2}
OPERANDS = (
    ARITHMETIC
    | POSITIVE
    | dict.fromkeys(["abs", "exp", "sin", "cos", "tanh", "sigmoid", "relu", "clip"], 1)
    | {"maximum": 2, "minimum": 2}
)
ATTRIBUTES = {"clip": {"low": -1.234, "high": 1.234}}
# the ops that are not elementwise: calls of each, on operands of their own shapes
CALLS = {
    "sum": [(lambda a, k=k: a.sum(**k), [(4, 3)]) for k in ({}, {"axis": 0}, {"axis": -1})]
    + [(lambda a: a.sum(axis=(0, 2), keepdims=True), [(2, 3, 4)]), (lambda a: a.sum(), [()])],
    "mean": [
        (lambda a: a.mean(), [(4, 3)]),
        (lambda a: a.mean(axis=(1, 2)), [(2, 3, 4)]),
        (lambda a: a.mean(axis=-1, keepdims=True), [(2, 3)]),
    ],
    "max": [(lambda a: a.max(), [(4, 3)]), (lambda a: a.max(axis=1), [(4, 3)])],
    "min": [(lambda a: a.min(axis=0, keepdims=True), [(4, 3)]), (lambda a: a.min(), [(5,)])],
    "matmul": [
        (lambda a, b: a @ b, shapes)
        for shapes in (
            [(2, 3), (3, 4)],
            [(2, 3), (3,)],
            [(3,), (3,)],
            [(3,), (3, 4)],
            [(5, 2, 3), (3, 4)],
            [(5, 2, 3), (5, 3, 4)],
            [(3,), (5, 3, 4)],
            [(5, 2, 3), (3,)],
            [(1, 2, 3), (5, 3, 2)],
        )
    ],
    "reshape": [(lambda a: a.reshape(3, -1), [(2, 6)]), (lambda a: a.reshape(1), [()])],
    "transpose": [
        (lambda a: a.T, [(2, 3)]),
        (lambda a: operate("transpose", (a,), {"axes": (1, 2, 0)}), [(2, 3, 4)]),
        (lambda a: operate("transpose", (a,), {"axes": (-1, 0, 1)}), [(2, 3, 4)]),
    ],
    "broadcast_to": [
        (lambda a, s=s: operate("broadcast_to", (a,), {"shape": s}), [shape])
        for shape, s in [((3,), (4, 3)), ((1, 3), (4, 3)), ((), (2, 2))]
    ],
    "getitem": [
        (lambda a, i=i: a[i], [(4, 3)])
        for i in (1, slice(1, 3), [0, 0, 2], (slice(None), 1), (..., -1), (slice(None, None, -2),))
    ]
    + [(lambda a: a[np.array([True, False, True])], [(3,)]), (lambda a: a[None, 1:2], [(3,)])],
    "softmax": [(lambda a, k=k: operate("softmax", (a,), {"axis": k}), [(4, 3)]) for k in (-1, 0)],
    "log_softmax": [
        (lambda a, k=k: operate("log_softmax", (a,), {"axis": k}), [(4, 3)]) for k in (-1, 0)
    ],
    "cross_entropy": [
        (lambda a: operate("cross_entropy", (a,), {"targets": [2, 0, 1, 1]}), [(4, 3)]),
        (lambda a: operate("cross_entropy", (a,), {"targets": 1}), [(3,)]),
    ],
    "mse": [(lambda a, b: operate("mse", (a, b), {}), [s, s]) for s in ((4, 3), (2,), ())],
    "where": [
        (lambda a, b: operate("where", (a, b), {"condition": [True, False, True]}), shapes)
        for shapes in ([(3,), (3,)], [(4, 3), ()], [(), (4, 1)], [(), ()])
    ],
    "concatenate": [
        (lambda a, b: operate("concatenate", (a, b), {"axis": 0}), [(2, 3), (1, 3)]),
        (lambda a, b, c: operate("concatenate", (a, b, c), {"axis": -1}), [(2, 1)] * 3),
    ],
    "stack": [
        (lambda a, b, k=k: operate("stack", (a, b), {"axis": k}), [(2, 3)] * 2) for k in (0, -1)
    ],
}


def away_from_zero(shape, seed):
    rng = np.random.default_rng(seed)
    return np.asarray(rng.uniform(0.5, 2.0, shape) * rng.choice([-1.0, 1.0], shape))


def test_every_registered_op_is_checked_here():
    assert sorted([*OPERANDS, *CALLS]) == mg.registry.names()


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("name", sorted(OPERANDS))
def test_the_backward_of_an_op_agrees_with_finite_differences(name, shapes):
    inputs = [
        mg.Tensor(away_from_zero(shape, seed), requires_grad=True)
        for seed, shape in enumerate(shapes[: OPERANDS[name]])
    ]
    if name in POSITIVE:
        inputs = [mg.Tensor(abs(one.values), requires_grad=True) for one in inputs]
    mg.gradcheck(name, inputs, attrs=ATTRIBUTES.get(name))


@pytest.mark.parametrize(
    ("call", "shapes"), [pytest.param(*case, id=n) for n in CALLS for case in CALLS[n]]
)
def test_the_backward_of_an_op_on_whole_arrays_agrees_with_finite_differences(call, shapes):
    inputs = [
        mg.Tensor(away_from_zero(shape, 10 + seed), requires_grad=True)
        for seed, shape in enumerate(shapes)
    ]
    mg.gradcheck(call, inputs)


def test_gradcheck_finds_a_wrong_gradient_and_gives_both_numbers():
    class Cube(mg.Differentiable):
        def forward(self, inputs):
            return inputs[0].values ** 3

        def backward(self, grad_output, inputs, output):
            return [grad_output * 2 * inputs[0].values ** 2]

    mg.registry.register("wrong cube", Cube())
    try:
        x = mg.Tensor([1.5, 1.0], requires_grad=True)
        with pytest.raises(GradcheckError, match=r"input 0 at \(0,\).*numeric .*analytic"):
            mg.gradcheck("wrong cube", [x])
        with pytest.raises(GradcheckError, match=r"numeric 6\.75.*, analytic 4\.5 \(input 1\.5\)"):
            mg.gradcheck("wrong cube", [mg.Tensor(1.5, requires_grad=True)])
    finally:
        del mg.registry._ops["wrong cube"]  # other tests look at all registered ops


def test_gradcheck_computes_in_float64_whatever_it_is_given():
    x = mg.Tensor(np.float32(1.5), requires_grad=True)
    mg.gradcheck(lambda x: x * x * x, [x])
    assert x.grad is None


def test_gradcheck_leaves_other_leaves_alone_and_follows_large_numbers():
    k = mg.Tensor(2.0, requires_grad=True)
    mg.gradcheck(lambda x: x * k, [mg.Tensor(1e12, requires_grad=True)])
    assert k.grad is None

    class Nothing(type(mg.registry.get("neg"))):
        def backward(self, grad_output, inputs, output, **attrs):
            return [grad_output * 0]

    mg.registry.register("no gradient", Nothing())
    try:
        with pytest.raises(GradcheckError, match="analytic 0"):
            mg.gradcheck("no gradient", [mg.Tensor(1e12, requires_grad=True)])
    finally:
        del mg.registry._ops["no gradient"]


def test_gradcheck_takes_and_returns_tensors():
    with pytest.raises(GradcheckError, match="must be tensors"):
        mg.gradcheck(lambda x: x, [3.0])
    with pytest.raises(GradcheckError, match="must return a Tensor, not float"):
        mg.gradcheck(lambda x: 3.0, [mg.Tensor(1.0, requires_grad=True)])


def test_gradcheck_without_anything_to_check_says_so():
    with pytest.raises(GradcheckError, match="nothing to check"):
        mg.gradcheck(lambda x: -x, [mg.Tensor(1.0)])


@st.composite
def programs(draw):
    """A list of ops, each on earlier results, as (name, first operand, second operand)."""
    count = draw(st.integers(1, 12))
    steps = []
    for number in range(count):
        name = draw(st.sampled_from(sorted(ARITHMETIC)))
        steps.append((name, *draw(st.tuples(*[st.integers(0, number + 2)] * 2))))
    return steps


def run(program, leaves):
    operators = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a / (b * b + 1),
        "neg": lambda a, b: -a,
    }
    results = list(leaves)
    for name, first, second in program:
        # halved, so that a dozen products of products stay near one
        results.append(operators[name](results[first], results[second]) * 0.5)
    return results[-1]


@given(programs(), st.lists(st.floats(-1.5, 1.5), min_size=3, max_size=3))
@settings(max_examples=60, deadline=None)
def test_random_expressions_agree_with_finite_differences(program, numbers):
    inputs = [mg.Tensor(np.float64(n), requires_grad=True) for n in numbers]
    graph = mg.ComputationGraph()
    with graph:
        output = run(program, inputs)
    mg.gradcheck(lambda *leaves: run(program, leaves) + leaves[0], inputs, rtol=1e-4, atol=1e-6)
    output.backward()
    from_ancestors = [leaf.grad for leaf in inputs]
    for leaf in inputs:
        leaf.zero_grad()
    mg.backward(graph, output, order=mg.topological_backward_order(graph))
    assert [leaf.grad for leaf in inputs] == from_ancestors


@given(programs())
@settings(max_examples=60, deadline=None)
def test_every_consumer_comes_before_its_input(program):
    graph = mg.ComputationGraph()
    with graph:
        output = run(program, [mg.Tensor(1.0, requires_grad=True) for _ in range(3)])
    for order in (
        mg.topological_backward_order(graph),
        mg.ancestor_backward_order(graph, output),
    ):
        place = {position: number for number, position in enumerate(order)}
        for position in order:
            for tensor in graph.nodes[position].inputs:
                maker = tensor.grad_fn_index
                assert maker is None or place[position] < place[maker]


@given(programs(), st.floats(-3, 3), st.floats(-3, 3))
@settings(max_examples=40, deadline=None)
def test_backward_is_linear_in_the_seed(program, first, second):
    def gradients(seed):
        leaves = [mg.Tensor(np.float64(0.7 + k), requires_grad=True) for k in range(3)]
        graph = mg.ComputationGraph()
        with graph:
            output = run(program, leaves)
        output.backward(seed)
        return np.array([0.0 if leaf.grad is None else leaf.grad for leaf in leaves])

    total = gradients(first + second)
    np.testing.assert_allclose(gradients(first) + gradients(second), total, atol=1e-9, rtol=1e-9)


KINDS = st.sampled_from([np.float16, np.float32, np.float64])
GRIDS = st.sampled_from([(), (1,), (3,), (2, 1), (2, 3), (4, 2, 3)])


@given(programs(), st.lists(st.tuples(GRIDS, KINDS, st.booleans()), min_size=3, max_size=3))
@settings(max_examples=60, deadline=None)
def test_gradients_have_the_shape_and_dtype_of_their_tensors_and_frozen_leaves_have_none(
    program, kinds
):
    leaves = [mg.Tensor(np.full(s, 0.5), requires_grad=r, dtype=d) for s, d, r in kinds]
    graph = mg.ComputationGraph()
    with graph:
        output = run(program, leaves)
    if not output.requires_grad:
        assert not any(leaf.requires_grad and _reaches(program, k) for k, leaf in enumerate(leaves))
        return
    output.backward(np.ones(output.shape))
    for tensor in [*leaves, *[node.output for node in graph.nodes]]:
        if tensor.grad is not None:
            assert (tensor.grad.shape, tensor.grad.dtype) == (tensor.shape, tensor.dtype)
    for number, tensor in enumerate(leaves):
        wanted = tensor.requires_grad and _reaches(program, number)
        assert (tensor.grad is not None) == wanted


def _reaches(program, number):
    """Tell whether the last result depends on a leaf, by following the program itself."""
    reached = {number}
    for place, (name, first, second) in enumerate(program):
        operands = {first} if name == "neg" else {first, second}
        if operands & reached:
            reached.add(place + 3)
    return len(program) + 2 in reached


@given(programs())
@settings(max_examples=40, deadline=None)
def test_what_nothing_reaches_is_what_is_no_ancestor(program):
    graph = mg.ComputationGraph()
    with graph:
        output = run(program, [mg.Tensor(0.5, requires_grad=True) for _ in range(3)])
    mg.backward(graph, output)
    visited = [node.output.grad is not None for node in graph.nodes]
    ancestors = mg.ancestor_backward_order(graph, output)
    assert [k for k, reached in enumerate(visited) if reached] == sorted(ancestors)


@pytest.mark.parametrize(
    ("call", "shapes"),
    [pytest.param(*case, id=n) for n in CALLS for case in CALLS[n]]
    + [
        pytest.param(lambda *a, n=n: operate(n, a, ATTRIBUTES.get(n, {})), [(4, 3)] * k, id=n)
        for n, k in OPERANDS.items()
    ],
)
def test_what_an_op_returns_and_others_could_edit_is_shared_with_nobody(call, shapes):
    inputs = [mg.Tensor(abs(away_from_zero(s, k)), True) for k, s in enumerate(shapes)]
    graph = mg.ComputationGraph()
    with graph:
        output = call(*inputs)
    (node,) = graph.nodes
    upstream = np.ones(output.shape)
    upstream.flags.writeable = False
    gradients = node.op.backward(upstream, node.inputs, node.output, **node.attrs)
    editable = [g for g in gradients if isinstance(g, np.ndarray) and g.flags.writeable]
    others = [upstream, output.values, *[t.values for t in inputs]]
    for number, gradient in enumerate(editable):
        for other in others + editable[:number]:
            assert not np.shares_memory(gradient, other)
