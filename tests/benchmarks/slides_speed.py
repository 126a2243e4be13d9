"""How fast exports are: ``python tests/benchmarks/slides_speed.py`` prints it, in one run.

A hundred frames of a graph with 50 nodes. Beside each time stands how many times as long a
fresh layout of each frame takes, which is what a loop over ``dot`` would do.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

import minigrad as mg
from minigrad.diagram import film_of
from minigrad.diagram.dot import to_dot
from minigrad.diagram.graphviz.process import graphviz_process
from minigrad.stepper.stepper import Stepper

NODES = 50
CLUSTERS = 100
SAMPLE = 10
INCHES = f"{1280 / 96:.3f},100"
REACH = {"svg": 2.0, "pdf": 5.0, "gif": 30.0}


def make_stepper() -> Stepper:
    """Return a stepper with a hundred steps: the records, and the seed with the visits."""
    x = mg.Tensor(0.5, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    y = x
    with graph:
        for _ in range(NODES // 2):
            y = y * x
            y = y + 0.5
    return mg.step(graph, y)


def seconds_for(stepper: Stepper, kind: str, folder: Path) -> float:
    """Return the time of an export of a hundred frames."""
    name = "{}.svg" if kind == "svg" else f"steps.{kind}"
    steps = "all" if kind == "html" else range(CLUSTERS)
    began = time.perf_counter()
    stepper.export(folder / name, steps=steps, overwrite=True, progress=False)
    return time.perf_counter() - began


def seconds_anew(stepper: Stepper, kind: str) -> float:
    """Return the time that laying out each of a hundred frames anew takes, from a few of them."""
    film = film_of(stepper.trace)
    rendered = "png" if kind == "gif" else kind
    times = []
    for step in range(0, CLUSTERS, CLUSTERS // SAMPLE):
        began = time.perf_counter()
        dot = to_dot(film, film.frame(step))
        if rendered == "png":
            dot.graph_attr["size"] = INCHES  # as many pixels as a frame of the animation
        graphviz_process.render(dot.source, "dot", [rendered])
        times.append(time.perf_counter() - began)
    return CLUSTERS * statistics.mean(times)


def main() -> None:
    """Print a line for each format."""
    stepper = make_stepper()
    with tempfile.TemporaryDirectory() as folder:
        stepper.export(Path(folder) / "warm.pdf")
        for kind in ("svg", "pdf", "gif", "webp", "apng", "pptx", "html"):
            seconds = seconds_for(stepper, kind, Path(folder))
            line = f"{CLUSTERS} frames of {NODES} nodes, .{kind}: {seconds:.2f} s"
            if kind in REACH:
                ratio = seconds_anew(stepper, kind) / seconds
                line += (
                    f" (reach {REACH[kind]:g}), a layout for each takes {ratio:.1f} times as long"
                )
            print(line, flush=True)


if __name__ == "__main__":
    main()
