"""minigrad itself, by its public names."""

import numpy as np
from moons import loss_of_demo

import minigrad as mg


def scalars(x_number, y_number):
    def run():
        x = mg.Tensor(x_number, requires_grad=True)
        y = mg.Tensor(y_number, requires_grad=True)
        graph = mg.ComputationGraph()
        with graph:
            w = x * y + x
        w.backward()
        return [x.grad, y.grad]

    return run


def chain(values, count):
    x = mg.Tensor(values, requires_grad=True)
    seed = np.ones_like(values)

    def run():
        x.zero_grad()
        graph = mg.ComputationGraph()
        with graph:
            y = x
            for _ in range(count // 2):
                y = y * x
                y = y + x
        y.backward(seed)
        return [x.grad]

    return run


def demo(weights, points, labels):
    parameters = [mg.Tensor(weight, requires_grad=True) for weight in weights]

    def run():
        for parameter in parameters:
            parameter.zero_grad()
        graph = mg.ComputationGraph()
        with graph:
            rows = [[mg.Tensor(number) for number in point] for point in points]
            loss = loss_of_demo(parameters, rows, labels, lambda a: mg.relu(graph, a))
        loss.backward()
        return [parameter.grad for parameter in parameters]

    return run


def network(weights, images, labels):
    first, second, third = (mg.Tensor(weight, requires_grad=True) for weight in weights)
    x = mg.Tensor(images)

    def run():
        graph = mg.ComputationGraph()
        with graph:
            h = mg.relu(graph, x @ first)
            k = mg.relu(graph, h @ second)
            loss = mg.cross_entropy(graph, k @ third, labels)
        for weight in (first, second, third):
            weight.zero_grad()
        loss.backward()
        return [loss.item(), first.grad, second.grad, third.grad]

    return run
