"""numpy without an engine: forward, then backward, line by line, on arrays of any shape."""

import numpy as np


def scalars(x_number, y_number):
    def run():
        x, y = np.array(x_number, np.float32), np.array(y_number, np.float32)
        z = x * y
        w = z + x
        w_grad = np.ones_like(w)
        z_grad = w_grad
        x_grad = w_grad + z_grad * y
        y_grad = z_grad * x
        return [x_grad, y_grad]

    return run


def chain(x, count):
    seed = np.ones_like(x)

    def run():
        y, factors = x, []
        for _ in range(count // 2):
            factors.append(y)
            y = y * x
            y = y + x
        y_grad, x_grad = seed, np.zeros_like(x)
        for factor in reversed(factors):
            x_grad = x_grad + y_grad
            x_grad = x_grad + y_grad * factor
            y_grad = y_grad * x
        return [x_grad + y_grad]

    return run


def network(weights, images, labels):
    first, second, third = weights
    rows = np.arange(len(images))

    def run():
        a = images @ first
        h = np.maximum(a, 0)
        b = h @ second
        k = np.maximum(b, 0)
        o = k @ third
        shifted = o - o.max(axis=1, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        loss = -logs[rows, labels].mean()
        o_grad = np.exp(logs)
        o_grad[rows, labels] -= 1
        o_grad /= len(rows)
        third_grad = k.T @ o_grad
        b_grad = (o_grad @ third.T) * (b > 0)
        second_grad = h.T @ b_grad
        a_grad = (b_grad @ second.T) * (a > 0)
        first_grad = images.T @ a_grad
        return [loss, first_grad, second_grad, third_grad]

    return run
