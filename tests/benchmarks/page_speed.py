"""How fast the page is: ``python tests/benchmarks/page_speed.py`` prints it, in one run.

A real JupyterLab in headless Chromium. What a click costs is what the page works until the new
frame is styled and laid out; then the browser paints it with its next screen frame.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.conftest import ARGUMENTS, find_browser
from browser.jupyter import JupyterServer
from browser.lab import LabNotebook
from browser.stepper_page import PREPARE, RECORD
from playwright.sync_api import sync_playwright

import minigrad as mg
from minigrad.diagram import lay_out
from minigrad.diagram.film import LARGEST, film_of
from minigrad.trace import Trace

SCREEN_FRAME = 16.7  # ms
FIRST_PICTURE = 0.5  # s
NEXT = """(root) => {
    const next = [...root.querySelectorAll("button")].find((b) => b.textContent === "Next");
    const times = [];
    while (next.getAttribute("aria-disabled") !== "true") {
        const start = performance.now();
        next.click();
        root.getBoundingClientRect();
        times.push(performance.now() - start);
    }
    return times;
}"""
LARGE = f"""
import minigrad as mg
x = mg.Tensor(1.0, requires_grad=True)
graph = mg.ComputationGraph()
y = x
with graph:
    for k in range({LARGEST // 2}):
        y = y * x
        y = y + 0.5
mg.step(graph, y)
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


def steps_in_the_page(lab: LabNotebook, cell: str) -> list[float]:
    """Return the milliseconds of each click on Next, from the first step to the last."""
    root = lab.run(cell).locator(".minigrad")
    root.locator("svg").wait_for()
    times: list[float] = root.evaluate(NEXT)
    return times


def first_picture(lab: LabNotebook, cell: str) -> float:
    """Return the seconds from running the cell, with no drawing program started, to its picture."""
    output = lab.show(cell)
    began = time.perf_counter()
    lab.start(cell)
    output.locator(".minigrad svg").wait_for()
    return time.perf_counter() - began


def drawing_anew() -> float:
    """Return the milliseconds that laying out and drawing the large graph once takes."""
    x = mg.Tensor(1.0, requires_grad=True)
    graph = mg.ComputationGraph()
    y = x
    with graph:
        for _ in range(LARGEST // 2):
            y = y * x
            y = y + 0.5
    film = film_of(Trace(graph, y))
    began = time.perf_counter()
    lay_out(film)
    return (time.perf_counter() - began) * 1000


def payload_sizes() -> tuple[int, int]:
    """Return how many bytes the running example sends, and the largest graph."""
    found = []
    for code in (PREPARE + RECORD + "mg.step(graph, w)", LARGE):
        names: dict[str, object] = {}
        exec(code.replace("mg.step(", "stepper = mg.step("), names)
        found.append(len(json.dumps(names["stepper"].payload)))  # type: ignore[attr-defined]
    return found[0], found[1]


def main() -> None:
    """Print a line for each measure."""
    cells = {
        "warm": "import minigrad as mg",
        "first": PREPARE + RECORD + "mg.step(graph, w)",
        "stop": "from minigrad.diagram.layout import graphviz_process\ngraphviz_process.close()",
        "small": PREPARE + RECORD + "mg.step(graph, w)",
        "large": LARGE,
        "watch": "watched = mg.ComputationGraph()\nmg.watch(watched)",
        "loop": LOOP,
        "ratio": RATIO,
    }
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = JupyterServer(Path(folder))
        server.start()
        try:
            name = server.add_made_notebook(cells)
            browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            lab = LabNotebook(page, server.url(name), len(cells))
            lab.run("warm")
            for label, cell in (("with its imports", "first"), ("worker cold", "small")):
                seconds = first_picture(lab, cell)
                print(f"mg.step to the first picture, {label}: {seconds:.2f} s", flush=True)
                lab.run("stop")
            print(f"    (reach {FIRST_PICTURE} s with a cold worker)")
            small = steps_in_the_page(lab, "small")
            large = steps_in_the_page(lab, "large")
            for label, times in (("2 nodes", small), (f"{LARGEST} nodes", large)):
                print(
                    f"click on Next, {label}: median {statistics.median(times):.1f} ms, 95th "
                    f"percentile {percentile_95(times):.1f} ms (reach {SCREEN_FRAME})"
                )
            anew = drawing_anew()
            print(
                f"drawing {LARGEST} nodes anew: {anew:.0f} ms, "
                f"{anew / statistics.median(large):.0f} times as long as a step (reach 50)"
            )
            lab.run("watch")
            lab.run("loop")
            ratio = lab.run("ratio").inner_text().split("RATIO")[1].strip()
            print(f"a loop of 3,000 ops, watched: {float(ratio):.2f} times its time (reach 1.2)")
            browser.close()
        finally:
            server.stop()
    small_bytes, large_bytes = payload_sizes()
    print(f"bytes sent: {small_bytes / 1000:.0f} kB, {LARGEST} nodes {large_bytes / 1000:.0f} kB")


if __name__ == "__main__":
    main()
