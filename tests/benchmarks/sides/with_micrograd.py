"""micrograd: scalars only, Python floats, a graph of closures walked by recursion."""

import sys

from micrograd.engine import Value
from moons import loss_of_demo


def scalars(x_number, y_number):
    def run():
        x, y = Value(x_number), Value(y_number)
        w = x * y + x
        w.backward()
        return [x.grad, y.grad]

    return run


def chain(values, count):
    if values.shape:
        return None
    number = float(values)

    def run():
        x = Value(number)
        y = x
        for _ in range(count // 2):
            y = y * x
            y = y + x
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(count * 2 + 1000)
        try:
            y.backward()
        finally:
            sys.setrecursionlimit(limit)
        return [x.grad]

    return run


def demo(weights, points, labels):
    parameters = [Value(weight) for weight in weights]

    def run():
        for parameter in parameters:
            parameter.grad = 0
        rows = [[Value(number) for number in point] for point in points]
        loss = loss_of_demo(parameters, rows, labels, Value.relu)
        loss.backward()
        return [parameter.grad for parameter in parameters]

    return run
