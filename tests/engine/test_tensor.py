"""What a tensor takes, keeps and refuses."""

import copy
import operator
import pickle
import threading

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import GraphError, TensorError


@pytest.mark.parametrize("data", [3, 3.0, True, [1, 2], [[1.0], [2.0]], np.arange(3), np.int64(4)])
def test_python_numbers_and_integer_arrays_become_float32(data):
    assert mg.Tensor(data).dtype == np.float32


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_float_arrays_keep_their_dtype(dtype):
    assert mg.Tensor(np.ones(2, dtype)).dtype == dtype
    assert mg.Tensor(dtype(1.0)).dtype == dtype


def test_a_dtype_can_be_asked_for():
    assert mg.Tensor([1, 2], dtype="float64").dtype == np.float64


@pytest.mark.parametrize(
    "data", ["3", None, [[1, 2], [3]], np.array([object()]), 1j, {"a": 1}, np.array(["x"])]
)
def test_anything_but_a_regular_grid_of_real_numbers_is_refused(data):
    with pytest.raises(TensorError, match=r"tensor data must be"):
        mg.Tensor(data)


@pytest.mark.parametrize("dtype", ["int32", "complex64", "no such"])
def test_a_dtype_that_is_not_floating_is_refused(dtype):
    with pytest.raises(TensorError, match="dtype"):
        mg.Tensor(1.0, dtype=dtype)


def test_a_name_must_be_a_string():
    with pytest.raises(TensorError, match="name must be a string"):
        mg.Tensor(1.0, name=5)
    with pytest.raises(TensorError, match="name must be a string"):
        mg.Tensor(1.0).name = 5


def test_the_data_is_copied_in():
    source = np.array([1.0, 2.0])
    tensor = mg.Tensor(source)
    source[0] = 9.0
    assert tensor.data.tolist() == [1.0, 2.0]


def test_data_can_be_edited_in_place_and_the_next_op_sees_it():
    x = mg.Tensor([1.0, 2.0], requires_grad=True)
    x.data[0] = 5.0
    graph = mg.ComputationGraph()
    assert mg.add(graph, x, x).data.tolist() == [10.0, 4.0]


def test_a_single_number_can_be_edited_in_place_too():
    x = mg.Tensor(3.0)
    x.data[...] = 4.0
    assert x.item() == 4.0


def test_augmented_assignment_to_data_works():
    x = mg.Tensor([1.0, 2.0])
    x.data -= np.float32(0.5)
    assert x.data.tolist() == [0.5, 1.5]


def test_assigned_data_takes_the_tensors_dtype_and_must_have_its_shape():
    x = mg.Tensor([1.0, 2.0])
    x.data = np.array([3.0, 4.0], np.float64)
    assert x.dtype == np.float32
    with pytest.raises(TensorError, match=r"shape \(3,\).*shape \(2,\)"):
        x.data = [1.0, 2.0, 3.0]


def test_item_needs_exactly_one_number():
    assert mg.Tensor([[7.0]]).item() == 7.0
    with pytest.raises(TensorError, match=r"shape \(2,\)"):
        mg.Tensor([1.0, 2.0]).item()


def test_equality_is_identity():
    a, b = mg.Tensor(1.0), mg.Tensor(1.0)
    assert a != b
    assert len({a, b}) == 2


def test_an_operator_without_a_graph_computes_frozen_tensors():
    result = mg.Tensor(3.0) * 2 + 1
    assert (result.item(), result.requires_grad) == (7.0, False)


def test_an_operator_without_a_graph_refuses_to_lose_a_gradient():
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    with pytest.raises(GraphError, match=r"tensor 'x'.*with graph:"):
        x * 2


def test_no_grad_computes_without_recording():
    x = mg.Tensor(3.0, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph, mg.no_grad():
        y = x * 2
        z = mg.mul(graph, x, 2)
    assert (y.item(), y.requires_grad, graph.nodes) == (6.0, False, [])
    assert (z.item(), z.requires_grad) == (6.0, False)


def test_no_grad_uses_the_ops_of_the_graph_around_it():
    class Hundred(type(mg.registry.get("mul"))):
        def forward(self, inputs, **attrs):
            return np.float32(100.0)

    ops = mg.OpRegistry()
    ops.register("mul", Hundred())
    with mg.ComputationGraph(ops), mg.no_grad():
        assert (mg.Tensor(1.0) * 2).item() == 100.0
        assert (mg.Tensor(1.0) + 2).item() == 3.0  # which only the default registry has


@pytest.mark.parametrize(
    ("compute", "value", "gradient"),
    [
        (lambda x: 3 - x, 1.0, -1.0),
        (lambda x: 1 / x, 0.5, -0.25),
        (lambda x: x / 4, 0.5, 0.25),
        (lambda x: -x, -2.0, -1.0),
        (lambda x: 5 + x, 7.0, 1.0),
        (lambda x: 5 * x, 10.0, 5.0),
    ],
)
def test_reflected_operators_and_python_numbers(compute, value, gradient):
    x = mg.Tensor(2.0, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        y = compute(x)
    y.backward()
    assert (y.item(), x.grad) == (value, gradient)
    assert len(graph.nodes) == 1


@pytest.mark.parametrize(
    "array",
    [np.array([3.0, 4.0], np.float32), np.float32(3), np.float64(3), np.array(3.0), np.int64(3)],
)
@pytest.mark.parametrize(
    ("compute", "derivative"),
    [
        (lambda a, x: a * x, lambda a, x: a),
        (lambda a, x: a + x, lambda a, x: 1),
        (lambda a, x: a - x, lambda a, x: -1),
        (lambda a, x: a / x, lambda a, x: -a / x**2),
        (lambda a, x: a**x, lambda a, x: a**x * np.log(a)),
    ],
)
def test_an_array_on_the_left_gives_one_tensor(array, compute, derivative):
    numbers = np.array([1.0, 2.0])
    x = mg.Tensor(numbers, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        y = compute(array, x)
    assert isinstance(y, mg.Tensor)
    assert len(graph.nodes) == 1
    np.testing.assert_allclose(y.data, compute(array, numbers), rtol=1e-6)
    y.backward(np.ones(2))
    np.testing.assert_allclose(x.grad, derivative(array, numbers) * np.ones(2), rtol=1e-6)


def test_a_matrix_on_the_left_gives_one_tensor():
    x = mg.Tensor([1.0, 2.0], requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        y = np.array([[3.0, 4.0]]) @ x
    assert (len(graph.nodes), y.shape) == (1, (1,))
    y.backward()
    assert x.grad.tolist() == [3.0, 4.0]


def test_a_python_number_takes_the_dtype_of_the_other_operand():
    x = mg.Tensor(np.float64(1.0), requires_grad=True)
    graph = mg.ComputationGraph()
    assert mg.mul(graph, x, 0.1).item() == 0.1


def test_plus_equals_leaves_the_other_name_alone():
    x = mg.Tensor(1.0)
    y = x
    y += 1
    assert (x.item(), y.item()) == (1.0, 2.0)


def test_threads_record_into_their_own_graphs():
    graphs = [mg.ComputationGraph() for _ in range(4)]
    barrier = threading.Barrier(len(graphs))

    def work(graph):
        x = mg.Tensor(1.0, requires_grad=True)
        with graph:
            barrier.wait()
            for _ in range(50):
                x = x + 1

    threads = [threading.Thread(target=work, args=(graph,)) for graph in graphs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(graph.nodes) for graph in graphs] == [50] * 4


def test_nested_graphs_each_record_their_own():
    outer, inner = mg.ComputationGraph(), mg.ComputationGraph()
    x = mg.Tensor(1.0, requires_grad=True)
    with outer:
        x + 1
        with inner:
            x * 2
        x - 1
    assert [n.op_name for n in outer.nodes] == ["add", "sub"]
    assert [n.op_name for n in inner.nodes] == ["mul"]


def test_blocks_of_generators_need_not_end_in_the_opposite_order_of_their_beginnings():
    first, second = mg.ComputationGraph(), mg.ComputationGraph()
    x = mg.Tensor(1.0, requires_grad=True)

    def inside(block):
        with block:
            yield

    generator, silent = inside(first), inside(mg.no_grad())
    next(generator)
    next(silent)
    with second:
        x * 2
        generator.close()
        silent.close()
        x * 3
    assert (len(first.nodes), len(second.nodes)) == (0, 2)
    with pytest.raises(GraphError):
        x * 4


def test_numpy_functions_do_not_quietly_lose_the_gradient():
    x = mg.Tensor([1.0, 2.0], requires_grad=True)
    for function in (np.mean, np.sum, lambda t: np.dot(t, [1, 2]), lambda t: np.where(t, 1, t)):
        with pytest.raises(TensorError, match=r"numpy.* on a tensor would .* lose the gradient"):
            function(x)
    with pytest.raises(TensorError, match="list of tensors"):
        mg.Tensor([x, x])
    assert np.asarray(x).tolist() == [1.0, 2.0]


def test_one_number_of_a_tensor_cannot_be_assigned():
    with pytest.raises(TensorError, match=r"cannot be assigned one by one.*\.data"):
        mg.Tensor([1.0, 2.0])[0] = 5.0


def test_a_graph_is_left_again_after_an_error():
    graph = mg.ComputationGraph()
    with pytest.raises(ZeroDivisionError), graph:
        raise ZeroDivisionError
    mg.Tensor(1.0) + 1
    assert graph.nodes == []


def test_a_tensor_copies_and_pickles():
    x = mg.Tensor([1.0, 2.0], requires_grad=True, name="x")
    for twin in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert twin.data.tolist() == [1.0, 2.0]
        assert (twin.name, twin.requires_grad) == ("x", True)


def test_repr_tells_value_name_and_origin():
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    assert repr(x) == "Tensor(3.0, name='x', requires_grad=True)"
    assert repr(mg.mul(mg.ComputationGraph(), x, x)) == "Tensor(9.0, grad_fn_index=0)"
    assert repr(mg.Tensor([1.0, 2.0])) == "Tensor([1., 2.])"


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
def test_tensors_are_not_compared_with_an_order(compare):
    with pytest.raises(mg.MinigradError, match=r"t\.item\(\) > 0"):
        compare(mg.Tensor(1.0), 0)


def test_an_operand_that_is_no_number_is_told_with_the_op():
    with pytest.raises(mg.MinigradError, match=r"operand of 'mul' cannot be used.*not 'a'"):
        mg.mul(mg.ComputationGraph(), mg.Tensor(1.0), "a")


@pytest.mark.parametrize("wrong", ["x", "yes", "", 1, 0, None, 1.0, [], np.array([True])])
def test_whether_a_gradient_is_wanted_is_said_by_true_or_false(wrong):
    x = mg.Tensor(3.0, requires_grad=True)
    for ask in (
        lambda: mg.Tensor(3.0, wrong),
        lambda: setattr(x, "requires_grad", wrong),
        lambda: x.requires_grad_(wrong),
    ):
        with pytest.raises(TensorError, match="requires_grad must be True or False, not") as told:
            ask()
        assert ("name=" in str(told.value)) == isinstance(wrong, str)
    assert x.requires_grad is True
    assert mg.Tensor(3.0, np.True_).requires_grad is True
    x.requires_grad = np.False_
    assert x.requires_grad is False


def test_masked_numbers_are_refused():
    with pytest.raises(TensorError, match=r"no place for masked numbers; fill them"):
        mg.Tensor(np.ma.array([1.0, 2.0], mask=[True, False]))
    assert mg.Tensor(np.ma.array([1.0, 2.0])).tolist() == [1.0, 2.0]
