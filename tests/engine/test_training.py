"""A network of two layers, written with the public names, learns two moons."""

import gc
import tracemalloc

import numpy as np

import minigrad as mg


def two_moons(count, rng):
    """Return points on two half circles that reach into each other, and their class."""
    angle = rng.uniform(0, np.pi, count)
    kind = rng.integers(0, 2, count)
    upper = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    lower = np.stack([1 - np.cos(angle), 0.5 - np.sin(angle)], axis=1)
    points = np.where(kind[:, None] == 0, upper, lower) + rng.normal(0, 0.1, (count, 2))
    return points.astype(np.float32), kind


def test_two_layers_learn_two_moons():
    rng = np.random.default_rng(0)
    points, kinds = two_moons(300, rng)
    shapes = [(2, 16), (16,), (16, 2), (2,)]
    weights = [
        mg.Tensor(rng.normal(0, 1, shape).astype(np.float32) * 0.7, requires_grad=True)
        for shape in shapes
    ]
    graph = mg.ComputationGraph()

    def predict(inputs):
        first, first_bias, second, second_bias = weights
        hidden = mg.tanh(graph, mg.matmul(graph, inputs, first) + first_bias)
        return hidden @ second + second_bias

    losses = []
    for _ in range(300):
        graph.reset()
        with graph:
            loss = mg.cross_entropy(graph, predict(points), kinds)
        loss.backward()
        losses.append(loss.item())
        for weight in weights:
            weight.data -= 0.5 * weight.grad
            weight.zero_grad()
    with graph, mg.no_grad():
        found = predict(points).data.argmax(axis=1)
    assert losses[-1] < losses[0] / 4
    assert (found == kinds).mean() > 0.95


def test_memory_does_not_grow_from_one_training_step_to_the_next():
    rng = np.random.default_rng(0)
    images, kinds = rng.normal(size=(64, 100)).astype(np.float32), rng.integers(0, 10, 64)
    weights = [
        mg.Tensor(rng.normal(size=s).astype(np.float32), requires_grad=True)
        for s in [(100, 50), (50, 10)]
    ]
    sizes = []
    gc.disable()  # what only the collector could free would show as growth
    tracemalloc.start()
    try:
        for _ in range(40):
            graph = mg.ComputationGraph()
            with graph:
                loss = mg.cross_entropy(
                    graph, mg.relu(graph, images @ weights[0]) @ weights[1], kinds
                )
            loss.backward()
            for weight in weights:
                weight.data -= 0.1 * weight.grad
                weight.zero_grad()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
        gc.enable()
    # bytes; the output alone of each step has 15,000, and what the interpreter itself keeps varies
    assert max(sizes[10:]) - sizes[9] < 15_000
