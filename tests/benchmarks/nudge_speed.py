"""How smooth nudging is: ``python tests/benchmarks/nudge_speed.py`` prints it, in one run.

A real JupyterLab in headless Chromium, and a mouse that drags a slider to and fro for some seconds.
An update is a change of the numbers in the page, after the kernel has run the graph again.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.conftest import ARGUMENTS, find_browser
from browser.jupyter import JupyterServer
from browser.lab import LabNotebook
from browser.stepper_page import PREPARE, RECORD
from playwright.sync_api import Page, sync_playwright

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


def drag(page: Page, box: dict[str, float]) -> list[float]:
    """Drag a slider to and fro, and return the times of the updates, in ms."""
    middle, height = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(middle, height)
    page.mouse.down()
    began: float = page.evaluate("performance.now()")
    step = 0
    while page.evaluate("performance.now()") < began + SECONDS * 1000:
        step += 1
        way = step % 160
        page.mouse.move(middle + 2 * (way if way < 80 else 160 - way) + 1, height)
    page.mouse.up()
    times: list[float] = page.evaluate("(window.watching = false, window.updates)")
    return times


def main() -> None:
    """Print a line for each graph."""
    cells = {
        "small": PREPARE + RECORD + "mg.nudge(graph, w)",
        "large": LARGE,
    }
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = JupyterServer(Path(folder))
        server.start()
        try:
            name = server.add_made_notebook(cells)
            browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
            page = browser.new_page(viewport={"width": 1500, "height": 1000})
            lab = LabNotebook(page, server.url(name), len(cells))
            for cell, label in (("small", "2 nodes"), ("large", "200 nodes")):
                root = lab.run(cell).locator(".minigrad")
                slider = root.get_by_role("slider", name="x", exact=True)
                root.evaluate(WATCH)
                box = slider.bounding_box()
                assert box is not None
                times = drag(page, dict(box))
                gaps = [later - earlier for earlier, later in pairwise(times)]
                print(
                    f"dragging x for {SECONDS} s, {label}: {len(times) / SECONDS:.0f} updates a "
                    f"second (reach {REACH}), median gap {statistics.median(gaps):.0f} ms, "
                    f"longest {max(gaps):.0f} ms",
                    flush=True,
                )
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
