"""Large graphs in the page: ``python tests/benchmarks/large_page.py`` prints it, in one run.

A real JupyterLab in headless Chromium: steps of 10,000 nodes, what the page holds of them in
memory, and a training loop that is watched beside the same loop unwatched. Needs psutil.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from in_lab import LabNotebook, open_lab
from page_speed import (
    ALL_IS_THERE,
    COUNT_MESSAGES,
    NEXT,
    RANDOM,
    SCREEN_FRAME,
    percentile_95,
)
from playwright.sync_api import Locator

NODES = 10_000
FEWER = 1_000
"""Beside them, in the same run: on a busy machine, how the two compare tells more than either."""
STRETCHES = 5
CLICKS = 400
"""In each stretch: through ten windows."""
JUMPS = 150
MOST_MEMORY = 500  # MB
MOST_SLOWER = 1.2
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Of numpy's matrix products: several that wait for each other make a busy machine unsteady."""
GO = """async ([root, step]) => {
    const slider = root.querySelector('input[type="range"]');
    slider.value = step;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const began = performance.now();
    while (!root.querySelector(".mg-diagram svg")) {
        if (performance.now() - began > 60000) throw new Error(`no picture of step ${step}`);
        await new Promise(requestAnimationFrame);
    }
}"""
TRAINING = """
import statistics
import time
import numpy as np
SIZES = (784, 256, 128, 10)
STEPS = 200
chance = np.random.default_rng(0)
def array(*shape):
    return chance.normal(size=shape).astype(np.float32)
images, targets = mg.Tensor(array(64, 784), name="images"), mg.Tensor(array(64, 10), name="targets")
class Network:
    def __init__(self):
        self.graph = mg.ComputationGraph()
        self.weights = [
            mg.Tensor(0.05 * array(*shape), requires_grad=True)
            for pair in zip(SIZES, SIZES[1:])
            for shape in (pair, pair[1:])
        ]
    def step(self):
        self.graph.reset()
        with self.graph:
            h = images
            for k in range(0, len(self.weights), 2):
                h = h @ self.weights[k] + self.weights[k + 1]
                if k < len(self.weights) - 2:
                    h = mg.relu(self.graph, h)
            loss = mg.mse(self.graph, h, targets)
        loss.backward()
        for weight in self.weights:
            weight.data = weight.data - 0.01 * weight.grad
            weight.zero_grad()
    def train(self):
        began = time.perf_counter()
        for _ in range(STEPS):
            self.step()
        return time.perf_counter() - began
"""
# which of the two comes first changes from round to round
WATCHED = """
alone, seen = Network(), Network()
live = mg.watch(seen.graph)
pictures = []
live.observe(pictures.append, "payload")
display(live)
alone.train(), seen.train()
pictures.clear()
ratios, seconds = [], []
for number in range(9):
    networks = [alone, seen] if number % 2 else [seen, alone]
    taken = {network: network.train() for network in networks}
    ratios.append(taken[seen] / taken[alone])
    seconds.append(taken[alone])
print("RATIO", statistics.median(ratios), min(ratios), max(ratios), statistics.median(seconds),
      len(pictures) / 9)
"""


class Memory:
    """What the page's process takes, and what its script holds."""

    def __init__(self, lab: LabNotebook) -> None:
        context = lab.page.context
        assert context.browser is not None
        self._page = context.new_cdp_session(lab.page)
        self._browser = context.browser.new_browser_cdp_session()
        self._page.send("Performance.enable")

    def tell(self, when: str) -> float:
        """Print both after a collection of garbage, and return the process's memory in MB."""
        self._page.send("HeapProfiler.collectGarbage")
        found = self._page.send("Performance.getMetrics")["metrics"]
        metrics = {one["name"]: one["value"] for one in found}
        processes = self._browser.send("SystemInfo.getProcessInfo")["processInfo"]
        # one page is open; what else Chromium keeps ready for the next one is smaller
        resident = max(
            psutil.Process(one["id"]).memory_info().rss
            for one in processes
            if one["type"] == "renderer"
        )
        print(
            f"memory of the page, {when}: {resident / 1e6:.0f} MB resident in its process, "
            f"{metrics['JSHeapUsedSize'] / 1e6:.0f} MB held by scripts, "
            f"{metrics['Nodes']:.0f} elements and texts",
            flush=True,
        )
        return resident / 1e6


def go_to(lab: LabNotebook, root: Locator, step: int) -> None:
    """Drag the slider to a step, and wait for its picture."""
    lab.page.evaluate(GO, [root.element_handle(), step])


def stretches(lab: LabNotebook, root: Locator, nodes: int, count: int) -> float:
    """Click on Next in several parts of a trace, print what it took, and return most of it."""
    times: list[float] = []
    missed = 0
    for number in range(STRETCHES):
        go_to(lab, root, number * (count - CLICKS) // (STRETCHES - 1))
        lab.page.wait_for_function(ALL_IS_THERE, timeout=300_000)
        found, missing, _ = lab.page.evaluate(NEXT, [root.element_handle(), CLICKS])
        times += found
        missed += missing
    slow = percentile_95(times)
    print(
        f"click on Next, {nodes:,} nodes: median {statistics.median(times):.1f} ms, 95th "
        f"percentile {slow:.1f} ms (reach {SCREEN_FRAME}); {len(times)} clicks in {STRETCHES} "
        f"parts of {count:,} steps, {missed} pictures were missing",
        flush=True,
    )
    return slow


def open_stepper(lab: LabNotebook, nodes: int) -> tuple[Locator, int]:
    """Show the stepper of a graph, and return it and how many steps it has."""
    lab.run(f"make-{nodes}")
    lab.run(f"step-{nodes}").locator(".minigrad svg").wait_for()
    count = int(lab.run(f"length-{nodes}").inner_text())
    return lab.show(f"step-{nodes}").locator(".minigrad"), count


def main() -> None:
    """Print a line for each measure."""
    cells = {"warm": "import minigrad as mg", "random": RANDOM}
    for nodes in (FEWER, NODES):
        cells[f"make-{nodes}"] = f"graph = make({nodes})"
        cells[f"step-{nodes}"] = "s = mg.step(graph)\ns"
        cells[f"length-{nodes}"] = "print(len(s.steps))"
    cells |= {"clear": "s.close()", "training": TRAINING, "watched": WATCHED}
    os.environ |= ONE_THREAD  # before the kernel starts
    with open_lab(cells, script=COUNT_MESSAGES) as lab:
        for cell in ("warm", "random"):
            lab.run(cell)
        memory = Memory(lab)
        memory.tell("JupyterLab alone")
        root, count = open_stepper(lab, NODES)
        memory.tell("at the first step")
        slow = stretches(lab, root, NODES, count)
        memory.tell(f"after {STRETCHES * CLICKS:,} steps")
        chance = random.Random(0)
        for _ in range(JUMPS):
            go_to(lab, root, chance.randrange(count))
        lab.page.wait_for_function(ALL_IS_THERE, timeout=300_000)
        memory.tell(f"after {JUMPS} jumps to anywhere (reach {MOST_MEMORY} MB)")
        lab.run("clear")
        root, count = open_stepper(lab, FEWER)
        ratio = slow / stretches(lab, root, FEWER, count)
        print(
            f"    a step of {NODES:,} nodes is {ratio:.2f} times one of {FEWER:,} (both the 95th)"
        )
        lab.run("clear")
        lab.run("training")
        told = lab.run("watched").inner_text().split("RATIO")[1].split()[:5]
        ratio, least, most, seconds, pictures = map(float, told)
        print(
            f"200 training steps of a 784-256-128-10 network, batches of 64, watched: "
            f"{ratio:.2f} times the {seconds:.2f} s that they take unwatched (reach {MOST_SLOWER}; "
            f"9 rounds side by side, {least:.2f} to {most:.2f}), {pictures:.0f} pictures in each"
        )


if __name__ == "__main__":
    main()
