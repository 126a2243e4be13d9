"""HIPS autograd: numpy functions, traced anew in every call of a gradient function."""

import autograd.numpy as np
from autograd import grad, value_and_grad
from moons import loss_of_demo


def scalars(x_number, y_number):
    gradient = grad(lambda x, y: x * y + x, argnum=(0, 1))
    return lambda: gradient(np.float32(x_number), np.float32(y_number))


def chain(values, count):
    def total(x):
        y = x
        for _ in range(count // 2):
            y = y * x
            y = y + x
        return np.sum(y)

    gradient = grad(total)
    return lambda: [gradient(values)]


def demo(weights, points, labels):
    def loss(parameters):
        return loss_of_demo(parameters, points, labels, lambda a: np.maximum(a, 0.0))

    gradient = grad(loss)
    return lambda: gradient(weights)


def network(weights, images, labels):
    rows = np.arange(len(images))

    def loss(first, second, third):
        h = np.maximum(images @ first, 0)
        k = np.maximum(h @ second, 0)
        o = k @ third
        shifted = o - np.max(o, axis=1, keepdims=True)
        logs = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
        return -np.mean(logs[rows, labels])

    gradient = value_and_grad(loss, argnum=(0, 1, 2))

    def run():
        value, gradients = gradient(*weights)
        return [value, *gradients]

    return run
