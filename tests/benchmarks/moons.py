"""micrograd's own demo, for any engine: a network of scalars that tells two moons apart."""

from __future__ import annotations

import itertools

import numpy as np

LAYERS = (2, 16, 16, 1)


def two_moons(count: int, rng: np.random.Generator) -> tuple[list[list[float]], list[int]]:
    """Return points of two half circles that reach into each other, and their labels, 1 and -1."""
    angles = rng.uniform(0, np.pi, count)
    labels = np.where(np.arange(count) % 2 == 0, 1, -1)
    x = np.where(labels > 0, np.cos(angles), 1 - np.cos(angles))
    y = np.where(labels > 0, np.sin(angles), 0.5 - np.sin(angles))
    points = np.column_stack([x, y]) + rng.normal(0, 0.1, (count, 2))
    return points.tolist(), labels.tolist()


def weights_of_demo(rng: np.random.Generator) -> list[float]:
    """Return all weights in one list: of each neuron, one for each input and then its bias."""
    neurons = list(itertools.pairwise(LAYERS))
    return [
        weight
        for inputs, outputs in neurons
        for _ in range(outputs)
        for weight in [*rng.uniform(-1, 1, inputs).tolist(), 0.0]
    ]


def loss_of_demo(parameters, rows, labels, relu):
    """Return the margin loss over all rows with a penalty on large weights, number by number."""
    total = 0.0
    for row, label in zip(rows, labels, strict=True):
        total = total + relu(1.0 + -label * _score(parameters, row, relu))
    penalty = 0.0
    for parameter in parameters:
        penalty = penalty + parameter * parameter
    return total * (1.0 / len(rows)) + penalty * 1e-4


def _score(parameters, row, relu):
    weights = iter(parameters)
    activations = row
    for outputs in LAYERS[1:]:
        layer = []
        for _ in range(outputs):
            pairs = [(next(weights), one) for one in activations]
            total = next(weights)
            for weight, activation in pairs:
                total = total + weight * activation
            layer.append(total if outputs == 1 else relu(total))
        activations = layer
    return activations[0]
