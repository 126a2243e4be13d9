"""Every task that is answered in code: blank, wrong in each recognised way, right."""

import math

import numpy as np
import pytest

import minigrad as mg
from minigrad.lessons import each_backward, network, ops_and_registry, order, recording
from minigrad.lessons.feedback import Outcome
from minigrad.lessons.task import Task

TASKS = {
    "cube": ops_and_registry.cube,
    "rule": recording.rule,
    "ancestors": order.ancestors,
    "another_order": order.another_order,
    "slope": each_backward.slope,
    "sigmoid": each_backward.sigmoid,
    "descend": network.descend,
}


def op(forward, backward):
    """Make an op of one operand from two functions of plain values."""

    class Made(mg.Differentiable):
        def forward(self, inputs):
            return forward(inputs[0].values)

        def backward(self, grad_output, inputs, output):
            return backward(grad_output, inputs[0].values, output.values)

    return Made()


def cube(backward):
    return op(lambda x: x**3, backward)


def sigmoid(backward):
    return op(lambda x: 1 / (1 + np.exp(-x)), backward)


def solved(task):
    """Run the code of a task's solution and return what it makes."""
    code = task.solution().partition("\n\n")[2]
    if code.startswith("["):
        return eval(code)
    names = {"mg": mg, "np": np}
    exec(code, names)
    made = [one for name, one in names.items() if name not in ("mg", "np", "__builtins__")][-1]
    return made() if isinstance(made, type) else made


BLANK = {
    "cube": [
        None,
        op(lambda x: ..., lambda up, x, z: ...),
        cube(lambda up, x, z: ...),
        cube(lambda up, x, z: [...]),
        cube(lambda up, x, z: None),
    ],
    "rule": [..., lambda inputs: ..., lambda inputs: None],
    "ancestors": [lambda graph, output: ..., lambda graph, output: None],
    "another_order": [None, ...],
    "slope": [lambda f, x, h=1: ..., None],
    "sigmoid": [op(lambda x: ..., lambda up, x, z: ...)],
    "descend": [lambda weights, rate: ..., lambda weights, rate: None],
}


def uphill(weights, rate):
    for weight in weights:
        weight.data += rate * weight.grad


def without_rate(weights, rate):
    for weight in weights:
        weight.data -= weight.grad


def uphill_without_rate(weights, rate):
    for weight in weights:
        weight.data += weight.grad


def only_the_first(weights, rate):
    weights[0].data -= rate * weights[0].grad
    weights[0].zero_grad()


def without_zero_grad(weights, rate):
    for weight in weights:
        weight.data -= rate * weight.grad


def only_zero_grad(weights, rate):
    for weight in weights:
        weight.zero_grad()


def somewhere(weights, rate):
    for weight in weights:
        weight.data -= 7.0


def walk_without_memory(graph, output):
    found, todo = [], [output]
    while todo:
        position = todo.pop().grad_fn_index
        if position is not None:
            found.append(position)
            todo += graph.nodes[position].inputs
    return found


def depth_first_from_the_first_input(graph, output):
    found = []

    def visit(tensor):
        position = tensor.grad_fn_index
        if position is not None and position not in found:
            found.append(position)
            for one in graph.nodes[position].inputs:
                visit(one)

    visit(output)
    return found


WRONG = {
    "cube": [
        (type(cube(None)), "not the class"),
        (3, "built on `mg.Differentiable`"),
        (op(lambda x: 3 * x, None), "three times x"),
        (op(lambda x: x * x, None), "x squared"),
        (op(lambda x: x + 100, None), "`forward` makes 102.0 out of 2.0"),
        (op(lambda x: np.abs(x) ** 3, lambda up, x, z: [up * 3 * x * x]), "out of -1.5"),
        (cube(lambda up, x, z: up * 3 * x * x), "returns a list"),
        (cube(lambda up, x, z: [up, up]), "returned 2 numbers"),
        (cube(lambda up, x, z: [3 * x * x]), "upstream gradient is missing"),
        (cube(lambda up, x, z: [up]), "only passes the upstream gradient on"),
        (cube(lambda up, x, z: [up * 3 * x]), "is not 3x"),
        (cube(lambda up, x, z: [up * x * x]), "the 3 comes down in front"),
        (cube(lambda up, x, z: [up * z]), "multiplies by the output"),
        (cube(lambda up, x, z: [up + 3 * x * x]), "multiplied, not added"),
        (cube(lambda up, x, z: [up * 99]), "It must be the upstream gradient times"),
        (cube(lambda up, x, z: [up * 3 * x * x if x > 0 else 9]), "for x = -1.5"),
        (cube(lambda up, x, z: [1 / 0]), "ZeroDivisionError"),
    ],
    "rule": [
        (lambda inputs: all(t.requires_grad for t in inputs), "as soon as one input is frozen"),
        (lambda inputs: not any(t.requires_grad for t in inputs), "rule for skipping"),
        (lambda inputs: True, "With every input frozen"),
        (lambda inputs: inputs[0].requires_grad, "first input only"),
        (lambda inputs: inputs[-1].requires_grad, "last input only"),
        (lambda inputs: False, "For inputs with requires_grad = [True] you return False"),
        (lambda inputs: any(t.needs_grad for t in inputs), "AttributeError"),
    ],
    "ancestors": [
        (lambda graph, output: mg.topological_backward_order(graph), "#1 is in your list, but"),
        (lambda g, o: mg.ancestor_backward_order(g, o)[::-1], "in forward order"),
        (lambda g, o: mg.ancestor_backward_order(g, o)[1:], "visited first of all"),
        (lambda g, o: mg.ancestor_backward_order(g, o)[:1], "inputs of the inputs"),
        (walk_without_memory, "more than once"),
        (depth_first_from_the_first_input, "stands before #1, which uses its output"),
        (lambda graph, output: ["add"], "ValueError"),
    ],
    "another_order": [
        ([2, 1, 0], "the list reversed"),
        ([0, 1, 2], "forward order"),
        ([2, 0], "exactly once"),
        ([2, 0, 0], "exactly once"),
        ([1, 2, 0], "before the one that uses its output"),
        ([0, 2, 1], "before the one that uses its output"),
        (7, "TypeError"),
    ],
    "slope": [
        (lambda f, x, h=1e-4: (f(x + h) - f(x)) / h, "starts from the middle"),
        (lambda f, x, h=1e-4: (f(x) - f(x - h)) / h, "stops in the middle"),
        (lambda f, x, h=1e-4: (f(x + h) - f(x - h)) / h, "it is 2h, not h"),
        (lambda f, x, h=1e-4: f(x + h) - f(x - h), "Divide by the way"),
        (lambda f, x, h=1e-4: (f(x + h) - f(x - h)) / 2 * h, "with parentheses"),
        (lambda f, x, h=1e-4: (f(x - h) - f(x + h)) / (2 * h), "The sign is wrong"),
        (lambda f, x, h=1e-4: 2 * x, "For t³ at -2 it gives -4"),
        (lambda f, x, h=1e-4: 99, "For t² at 3 with h = 0.25 it gives 99"),
    ],
    "sigmoid": [
        (op(lambda x: 1 / (1 + np.exp(x)), None), "Mind the sign"),
        (op(lambda x: 1 + np.exp(-x), None), "1 over that"),
        (op(np.tanh, None), "That is tanh"),
        (sigmoid(lambda up, x, s: [s * (1 - s)]), "upstream gradient is missing"),
        (sigmoid(lambda up, x, s: [up]), "only passes the upstream gradient on"),
        (sigmoid(lambda up, x, s: [up * x * (1 - x)]), "you gave it the input"),
        (sigmoid(lambda up, x, s: [up * (1 - s * s)]), "the rule of tanh"),
        (sigmoid(lambda up, x, s: [up * s]), "factor 1 - s is missing"),
        (sigmoid(lambda up, x, s: [up * (1 - s)]), "factor s is missing"),
    ],
    "descend": [
        (uphill, "That goes uphill: the loss"),
        (without_rate, "multiply it by `rate`"),
        (uphill_without_rate, "uphill, and the whole gradient"),
        (only_the_first, "Only the first weight"),
        (without_zero_grad, "`zero_grad()`"),
        (only_zero_grad, "The weights are what they were"),
        (somewhere, "must move by -rate"),
        (lambda weights, rate: weights.step(), "AttributeError"),
    ],
}


@pytest.mark.parametrize(("name", "attempt"), [(n, a) for n in BLANK for a in BLANK[n]])
def test_blank_code_is_not_tried(name, attempt):
    feedback = TASKS[name].check(attempt)
    assert feedback.outcome is Outcome.NOT_TRIED
    assert not feedback


@pytest.mark.parametrize(
    ("name", "attempt", "hint"),
    [pytest.param(n, a, h, id=f"{n}-{h}") for n in WRONG for a, h in WRONG[n]],
)
def test_wrong_code_gets_the_hint_at_its_mistake(name, attempt, hint):
    feedback = TASKS[name].check(attempt)
    assert feedback.outcome is Outcome.WRONG
    assert hint in feedback.text


@pytest.mark.parametrize("name", TASKS)
def test_the_code_of_the_solution_is_right(name):
    feedback = TASKS[name].check(solved(TASKS[name]))
    assert feedback.outcome is Outcome.RIGHT
    assert feedback


@pytest.mark.parametrize("name", TASKS)
def test_every_task_has_a_hint_and_is_tested_in_all_three_ways(name):
    assert TASKS[name].hint().endswith((".", "?"))
    assert BLANK[name]
    assert WRONG[name]


def test_all_tasks_of_the_lessons_are_here():
    modules = (ops_and_registry, recording, order, each_backward, network)
    found = [one for module in modules for one in vars(module).values() if isinstance(one, Task)]
    assert set(map(id, found)) == set(map(id, TASKS.values()))


def test_other_ways_to_be_right_are_right_too():
    def breadth_first(graph, output):
        found, todo = set(), [output]
        for tensor in todo:
            if tensor.grad_fn_index is not None and tensor.grad_fn_index not in found:
                found.add(tensor.grad_fn_index)
                todo += graph.nodes[tensor.grad_fn_index].inputs
        return sorted(found, reverse=True)

    assert order.ancestors.check(breadth_first)
    assert order.another_order.check((2, 0, 1))
    assert ops_and_registry.cube.check(cube(lambda up, x, z: [mg.Tensor(up * 3 * x * x)]))
    assert ops_and_registry.cube.check(cube(lambda up, x, z: (up * (x * x + 2 * x * x),)))
    assert each_backward.sigmoid.check(sigmoid(lambda up, x, s: [up * (s - s * s)]))
    assert each_backward.slope.check(lambda f, t, h=1e-6: (f(t + h) - f(t - h)) / h / 2)


def test_the_moons_are_two_half_circles_of_equally_many_points():
    points, kinds = network.two_moons(200)
    assert (kinds == 0).sum() == (kinds == 1).sum() == 100
    centres = np.array([[0.0, 0.0], [1.0, 0.5]])[kinds]
    distance = np.linalg.norm(points - centres, axis=1)
    assert math.isclose(distance.mean(), 1.0, abs_tol=0.05)
    assert distance.std() < 0.15
