"""How smooth nudging is: ``python tests/benchmarks/nudge_speed.py`` prints it, in one run.

A real JupyterLab in headless Chromium, and a slider that goes to and fro for some seconds.
An update is a change of the numbers in the page, after the kernel has run the graph again.
"""

from __future__ import annotations

import statistics
import sys
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.stepper_page import PREPARE, RECORD
from in_lab import open_lab

REACH = 30  # updates a second
SECONDS = 4
LARGE = """
graph = mg.ComputationGraph()
u = x
with graph:
    for k in range(100):
        u = mg.sin(graph, u) * y
mg.nudge(graph, u)
"""
# an update is a picture of the browser in which the numbers are others than in the one before
WATCH = """(root) => {
    const number = root.querySelector(".mg-verdict dd");
    window.updates = [];
    window.watching = true;
    let shown = number.textContent;
    const look = () => {
        if (number.textContent !== shown) window.updates.push(performance.now());
        shown = number.textContent;
        if (window.watching) requestAnimationFrame(look);
    };
    look();
}"""


# what a mouse does to a slider, place by place and 60 times a second: a mouse that is driven from
# outside of the browser is slower than a hand
DRAG = """async ([root, seconds]) => {
    const slider = root.querySelector("input[type=range]");
    const began = performance.now();
    for (let move = 1; performance.now() < began + seconds * 1000; move += 1) {
        const way = move % 160;
        slider.value = way < 80 ? way - 40 : 120 - way;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise(requestAnimationFrame);
    }
    window.watching = false;
    return [window.updates, (performance.now() - began) / 1000];
}"""


def main() -> None:
    """Print a line for each graph."""
    cells = {
        "small": PREPARE + RECORD + "mg.nudge(graph, w)",
        "large": LARGE,
    }
    with open_lab(cells, width=1500, height=1000) as lab:
        for cell, label in (("small", "2 nodes"), ("large", "200 nodes")):
            root = lab.run(cell).locator(".minigrad")
            root.locator(".mg-exact").wait_for()
            root.evaluate(WATCH)
            times, seconds = lab.page.evaluate(DRAG, [root.element_handle(), SECONDS])
            gaps = [later - earlier for earlier, later in pairwise(times)]
            print(
                f"dragging x for {SECONDS} s, {label}: {len(times) / seconds:.0f} updates a "
                f"second (reach {REACH}), median gap {statistics.median(gaps):.0f} ms, "
                f"longest {max(gaps):.0f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main()
