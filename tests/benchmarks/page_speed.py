"""How fast the page is: ``python tests/benchmarks/page_speed.py`` prints it, in one run.

A real JupyterLab in headless Chromium. What a click costs is what the page works until the new
frame is styled and laid out; then the browser paints it with its next screen frame.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.stepper_page import PREPARE, RECORD
from in_lab import LabNotebook, open_lab

import minigrad as mg
from minigrad.diagram import Film, film_of, lay_out
from minigrad.diagram.graphviz.process import graphviz_process
from minigrad.diagram.windows import WINDOW
from minigrad.engine.errors import DrawingError
from minigrad.stepper.payload import payload_of, view_payload
from minigrad.stepper.variants import Variants

SCREEN_FRAME = 16.7  # ms
EVERY = 10**9
"""Clicks: as many as there are steps."""
FIRST_PICTURE = 0.5  # s
LARGE_NODES = 1000
NEXT = """async ([root, most]) => {
    const next = [...root.querySelectorAll("button")].find((b) => b.textContent === "Next");
    const times = [];
    const sent = window.sentToKernel;
    let missing = 0;
    while (next.getAttribute("aria-disabled") !== "true" && times.length < most) {
        const start = performance.now();
        next.click();
        root.getBoundingClientRect();
        times.push(performance.now() - start);
        missing += root.querySelector(".mg-diagram svg") === null;
        await new Promise(requestAnimationFrame);
    }
    return [times, missing, window.sentToKernel - sent];
}"""
COUNT_MESSAGES = """
window.sentToKernel = 0;
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (...given) {
    window.sentToKernel += 1;
    window.lastSent = performance.now();
    return send.apply(this, given);
};
"""
STOP = """
from minigrad.diagram.graphviz.process import graphviz_process
graphviz_process.close()
"""
LOOK_FOR_PICTURE = """selector => {
    const began = performance.now();
    window.firstPicture = new Promise((resolve) => {
        const look = () => {
            if (!document.querySelector(selector)) requestAnimationFrame(look);
            else requestAnimationFrame(() => resolve((performance.now() - began) / 1000));
        };
        look();
    });
}"""
# looked for in each frame: Playwright itself looks twice a second
ALL_IS_THERE = "performance.now() - window.lastSent > 3000"
LARGE = f"""
import minigrad as mg
x = mg.Tensor(1.0, requires_grad=True)
graph = mg.ComputationGraph()
y = x
with graph:
    for k in range({LARGE_NODES // 2}):
        y = y * x
        y = y + 0.5
mg.step(graph, y, fold=False)
"""
SIZES = {100: 0.5, 1_000: 1.0, 10_000: 2.0, 100_000: 10.0}
"""How many nodes, and in how many seconds the first picture is to be there."""
RANDOM = """
import random
import warnings
warnings.simplefilter("ignore")
def make(count):
    random.seed(0)
    tensors = [mg.Tensor(random.random(), requires_grad=True) for _ in range(10)]
    graph = mg.ComputationGraph()
    with graph:
        for k in range(count):
            a, b = random.choices(tensors[-200:], k=2)
            tensors.append(a * b if k % 2 else a + b)
    return graph
"""
LOOP = """
import time
def seconds(graph):
    with graph:
        began = time.perf_counter()
        y = x
        for _ in range(3000):
            y = y * x
        return time.perf_counter() - began
"""
RATIO = """
import statistics
ratios = []
for _ in range(9):
    plain, seen = mg.ComputationGraph(), watched
    seen.reset()
    ratios.append(seconds(seen) / seconds(plain))
print("RATIO", statistics.median(ratios))
"""


def percentile_95(numbers: list[float]) -> float:
    """Return the number that 95 of 100 stay below."""
    return statistics.quantiles(numbers, n=20)[-1]


def steps_in_the_page(lab: LabNotebook, cell: str, label: str) -> list[float]:
    """Click on Next from the first step to the last, print what it took and return each time."""
    root = lab.run(cell).locator(".minigrad")
    root.locator("svg").wait_for()
    lab.page.wait_for_function(ALL_IS_THERE)
    times: list[float]
    times, missing, sent = lab.page.evaluate(NEXT, [root.element_handle(), EVERY])
    print(
        f"click on Next, {label}: median {statistics.median(times):.1f} ms, 95th percentile "
        f"{percentile_95(times):.1f} ms (reach {SCREEN_FRAME}); {len(times)} clicks, {missing} "
        f"pictures were missing, {sent} messages to the kernel",
        flush=True,
    )
    return times


def first_picture(lab: LabNotebook, cell: str) -> float:
    """Return the seconds from running the cell, with no drawing program started, to its picture."""
    lab.show(cell)
    lab.page.evaluate(LOOK_FOR_PICTURE, f'[data-cell-id="{cell}"] .minigrad svg')
    lab.start(cell)
    seconds: float = lab.page.evaluate("window.firstPicture")
    return seconds


def first_pictures(lab: LabNotebook) -> None:
    """Print how long a random graph of each size takes to its first picture."""
    lab.run("random")
    taken = {}
    for count, reach in SIZES.items():
        lab.run(f"make-{count}")
        taken[count] = first_picture(lab, f"step-{count}")
        print(
            f"mg.step to the first picture, {count:,} random nodes: {taken[count]:.2f} s "
            f"(reach {reach:g} s)",
            flush=True,
        )
    grown = taken[100_000] / taken[1_000]
    print(f"from 1,000 nodes to 100,000 that grows {grown:.0f} times (n log n: 167 times)")


def large_variants() -> Variants:
    """Return the variants of the large graph's stepper."""
    x = mg.Tensor(1.0, requires_grad=True)
    graph = mg.ComputationGraph()
    y = x
    with graph:
        for _ in range(LARGE_NODES // 2):
            y = y * x
            y = y + 0.5
    return Variants(graph, y, "ancestors", "node", None, {"x": x}, folding=False)


def drawing_anew(film: Film, times: int) -> float:
    """Return the milliseconds that laying out and drawing a film's picture takes."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        with suppress(DrawingError):  # at the time limit: it takes longer than that
            lay_out(film)
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def payload_sizes() -> tuple[int, int]:
    """Return how many bytes the running example sends, and the large graph with all its views."""
    names: dict[str, object] = {}
    exec(PREPARE + RECORD + "stepper = mg.step(graph, w)", names)
    small = names["stepper"].payload  # type: ignore[attr-defined]
    large = large_variants()
    views = [view_payload(large, number) for number in range(len(large.windows))]
    return size(small), size(payload_of(large)) + sum(map(size, views[1:]))


def size(payload: object) -> int:
    """Return the bytes of a payload as a kernel sends it."""
    return len(json.dumps(payload, ensure_ascii=False).encode())


def main() -> None:
    """Print a line for each measure."""
    cells = {
        "warm": "import minigrad as mg",
        "first": PREPARE + RECORD + "mg.step(graph, w)",
        "stop": STOP,
        "small": PREPARE + RECORD + "mg.step(graph, w)",
        "large": LARGE,
        "random": RANDOM,
        **{f"make-{n}": f"large_graph = make({n})" for n in SIZES},
        **{f"step-{n}": "mg.step(large_graph)" for n in SIZES},
        "watch": "watched = mg.ComputationGraph()\nmg.watch(watched)",
        "loop": LOOP,
        "ratio": RATIO,
    }
    with open_lab(cells, script=COUNT_MESSAGES) as lab:
        lab.run("warm")
        for label, cell in (("with its imports", "first"), ("worker cold", "small")):
            seconds = first_picture(lab, cell)
            print(f"mg.step to the first picture, {label}: {seconds:.2f} s", flush=True)
            lab.run("stop")
        print(f"    (reach {FIRST_PICTURE} s with a cold worker)")
        steps_in_the_page(lab, "small", "2 nodes")
        large = steps_in_the_page(lab, "large", f"{LARGE_NODES} nodes")
        variants = large_variants()
        window = drawing_anew(next(iter(variants.view(12).films.values())), 5)
        (trace,) = variants.traces.values()
        whole = drawing_anew(film_of(trace), 1)
        step = statistics.median(large)
        print(
            f"drawing anew with dot: {LARGE_NODES} nodes {whole:.0f} ms (it is stopped after "
            f"{graphviz_process.time_limit:g} s), {whole / step:.0f} times as long as a step "
            f"(reach 50); the {WINDOW} around it {window:.0f} ms, {window / step:.0f} times"
        )
        first_pictures(lab)
        lab.run("watch")
        lab.run("loop")
        ratio = lab.run("ratio").inner_text().split("RATIO")[1].strip()
        print(f"a loop of 3,000 ops, watched: {float(ratio):.2f} times its time (reach 1.2)")
    small_bytes, large_bytes = payload_sizes()
    print(
        f"bytes sent: {small_bytes / 1000:.0f} kB, {LARGE_NODES} nodes {large_bytes / 1000:.0f} kB"
    )


if __name__ == "__main__":
    main()
