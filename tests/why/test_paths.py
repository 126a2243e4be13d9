"""`Paths`: counted, weighed and summed, without listing them all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.engine.errors import BackwardError, GraphError
from minigrad.engine.recorders import operate
from minigrad.why.paths import Paths

BINARY = ["add", "sub", "mul"]
UNARY = ["neg", "tanh", "sin", "exp"]
MOST_LISTED = 3000


def tensor(value, **given):
    return mg.Tensor(value, requires_grad=True, dtype="float64", **given)


def brief(paths, most=10):
    """Return the rules and the share of each path."""
    return [
        (path.tensors, [arrow.rule for arrow in path.arrows], path.value.item())
        for path in paths.heaviest(most)
    ]


@st.composite
def scalar_graphs(draw):
    values = draw(st.lists(st.floats(-1.5, 1.5), min_size=1, max_size=3))
    leaves = [tensor(value) for value in values]
    graph, tensors = mg.ComputationGraph(), list(leaves)
    calls = st.tuples(st.sampled_from(BINARY + UNARY), st.integers(0, 99), st.integers(0, 99))
    with graph:
        for op, first, second in draw(st.lists(calls, min_size=1, max_size=10)):
            operands = (tensors[first % len(tensors)], tensors[second % len(tensors)])
            tensors.append(operate(op, operands if op in BINARY else operands[:1]))
            if abs(tensors[-1].item()) > 100:
                tensors[-1] = mg.tanh(graph, tensors[-1])
    used = [leaf for leaf in leaves if any(leaf is t for n in graph.nodes for t in n.inputs)]
    return graph, draw(st.sampled_from(used)), draw(st.integers(1, 5))


@settings(deadline=None)
@given(scalar_graphs())
def test_the_products_of_all_paths_sum_to_the_gradient(drawn):
    graph, leaf, few = drawn
    output = graph.nodes[-1].output
    paths = Paths.of(graph, output, leaf)
    if paths.count > MOST_LISTED:
        return
    every = paths.heaviest(MOST_LISTED)
    assert len(every) == paths.count
    assert len({tuple(arrow.edge for arrow in path.arrows) for path in every}) == paths.count
    assert sum(len(path.arrows) for path in every) == paths.products_by_paths
    for path in every:
        product = np.prod([arrow.local for arrow in path.arrows])
        np.testing.assert_allclose(path.value, product, rtol=1e-9, atol=1e-300)
    mg.backward(graph, output)
    gradient = 0.0 if leaf.grad is None else leaf.grad
    size = sum(abs(path.value) for path in every)
    np.testing.assert_allclose(
        sum(path.value for path in every), gradient, rtol=1e-9, atol=1e-12 * (1 + size)
    )
    np.testing.assert_allclose(paths.gradient, gradient)
    # the heaviest are found without the others
    heaviest = [abs(path.value) for path in every[:few]]
    np.testing.assert_allclose(
        [abs(path.value) for path in paths.heaviest(few)], heaviest, rtol=1e-9, atol=1e-300
    )


def test_the_running_example(running):
    paths = Paths.of(running.graph, running.w, running.x)
    assert brief(paths) == [
        (("t0", "n0", "n1"), ["y", "1"], 4.0),
        (("t0", "n1"), ["1"], 1.0),
    ]
    assert (paths.count, paths.gradient) == (2, 5.0)
    assert (paths.products_by_paths, paths.products_by_backward) == (3, 4)


def test_what_comes_along_each_arrow_of_a_path(running):
    first, _ = Paths.of(running.graph, running.w, running.x).heaviest(2)
    assert [arrow.value for arrow in first.arrows] == [4.0, 1.0]


def test_the_gradient_is_that_of_one_pass_whatever_the_leaf_holds(running):
    running.w.backward()
    running.w.backward()
    assert Paths.of(running.graph, running.w, running.x).gradient == 5.0
    assert running.x.grad == 10.0


def test_a_square_has_two_paths_through_one_node():
    x = tensor(3.0, name="x")
    graph = mg.ComputationGraph()
    paths = Paths.of(graph, mg.mul(graph, x, x), x)
    assert brief(paths) == [(("t0", "n0"), ["x"], 3.0)] * 2
    assert [path.arrows[0].slot for path in paths.heaviest(2)] == [0, 1]
    assert paths.gradient == 6.0


def test_two_doublings_have_four_paths():
    a = tensor(1.0)
    graph = mg.ComputationGraph()
    with graph:
        b = a + a
        c = b + b
    paths = Paths.of(graph, c, a)
    assert [share for _, _, share in brief(paths)] == [1.0] * 4
    assert (paths.count, paths.gradient) == (4, 4.0)
    assert (paths.products_by_paths, paths.products_by_backward) == (8, 4)


def test_40_doublings_are_counted_and_the_heaviest_found_without_listing():
    y = a = tensor(1.0)
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(40):
            y = y + y
    paths = Paths.of(graph, y, a)
    assert paths.count == 2**40
    assert paths.gradient == 2.0**40
    assert paths.products_by_paths == 40 * 2**40
    assert paths.products_by_backward == 80
    assert len(paths.heaviest(10)) == 10


def test_among_very_many_paths_the_heaviest_come_first():
    y = x = tensor(1.0)
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(40):
            y = y * 3.0 - y * 2.0  # each time a path is 3 or -2 times as heavy
    paths = Paths.of(graph, y, x)
    shares = [path.value.item() for path in paths.heaviest(42)]
    assert paths.count == 2**40
    assert shares[0] == 3.0**40
    np.testing.assert_allclose(shares[1:41], [-2 * 3.0**39] * 40)
    np.testing.assert_allclose(shares[41], 4 * 3.0**38)


def test_a_dead_node_is_on_no_path(dead_node):
    paths = Paths.of(dead_node.graph, dead_node.w, dead_node.x)
    assert [tensors for tensors, _, _ in brief(paths)] == [("t0", "n0", "n2"), ("t0", "n2")]
    q = dead_node.graph.nodes[1].output
    none = Paths.of(dead_node.graph, dead_node.w, q)
    assert (none.count, none.gradient, none.heaviest(5)) == (0, 0.0, [])


def test_paths_from_a_node_and_from_the_output_itself(running):
    assert brief(Paths.of(running.graph, running.w, running.z)) == [(("n0", "n1"), ["1"], 1.0)]
    itself = Paths.of(running.graph, running.w, running.w)
    assert (itself.count, itself.gradient, brief(itself)) == (1, 1.0, [(("n1",), [], 1.0)])


def test_no_path_goes_through_what_is_frozen():
    x, factor = tensor(3.0), mg.Tensor(4.0)
    graph = mg.ComputationGraph()
    with graph:
        w = x * factor
    assert Paths.of(graph, w, x).count == 1
    assert Paths.of(graph, w, x).products_by_backward == 1
    with pytest.raises(BackwardError, match=r"is frozen.*requires_grad=True"):
        Paths.of(graph, w, factor)


def test_a_derivative_of_zero_and_one_that_is_not_finite_do_no_harm():
    x = tensor(0.0)
    graph = mg.ComputationGraph()
    with np.errstate(divide="ignore"), graph:
        w = x * x + x + x**0.5
        paths = Paths.of(graph, w, x)
    assert [path.value.item() for path in paths.heaviest(9)] == [np.inf, 1.0, 0.0, 0.0]


def test_shares_of_arrays_are_arrays_and_sum_to_the_gradient():
    a = tensor(np.arange(6.0).reshape(2, 3))
    b = tensor(np.ones((3, 2)))
    graph = mg.ComputationGraph()
    with graph:
        w = (a @ b).sum() + (a * 3.0).sum() + a[0].sum()
    paths = Paths.of(graph, w, a)
    shares = [path.value for path in paths.heaviest(9)]
    np.testing.assert_array_equal(shares[0], np.full((2, 3), 3.0))
    np.testing.assert_array_equal(shares[1], np.full((2, 3), 2.0))
    np.testing.assert_array_equal(shares[2], [[1, 1, 1], [0, 0, 0]])
    np.testing.assert_array_equal(sum(shares), paths.gradient)
    assert not paths.has_numbers


def test_elementwise_products_of_arrays():
    x = tensor([1.0, 2.0])
    graph = mg.ComputationGraph()
    with graph:
        w = (x * x * [3.0, 4.0]).sum()
    first = Paths.of(graph, w, x).heaviest(1)[0]
    np.testing.assert_array_equal(first.value, [3.0, 8.0])
    np.testing.assert_array_equal(first.arrows[0].local, [1.0, 2.0])


def test_a_path_20000_nodes_long():
    y = x = tensor(0.0)
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(20_000):
            y = y + 1.0
    (path,) = Paths.of(graph, y, x).heaviest(3)
    assert len(path.arrows) == 20_000


def test_values_that_were_changed_since_are_refused(running):
    running.x.data = 5.0
    with pytest.raises(BackwardError, match="'x' have changed since"):
        Paths.of(running.graph, running.w, running.x)


@pytest.mark.parametrize(
    ("output", "source", "error", "message"),
    [
        ("w", lambda r: mg.Tensor(1.0, requires_grad=True), GraphError, "no tensor of this graph"),
        ("w", lambda r: "x", BackwardError, r"source must be a Tensor"),
    ],
)
def test_a_source_that_it_refuses(running, output, source, error, message):
    with pytest.raises(error, match=message):
        Paths.of(running.graph, getattr(running, output), source(running))


def test_an_output_of_several_numbers_is_refused():
    x = tensor([1.0, 2.0])
    graph = mg.ComputationGraph()
    w = mg.mul(graph, x, x)
    with pytest.raises(BackwardError, match=r"shape \(2,\); sum it first"):
        Paths.of(graph, w, x)
