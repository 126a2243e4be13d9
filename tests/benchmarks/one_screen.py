"""How much is in sight: ``python tests/benchmarks/one_screen.py`` prints it, in one run.

A real JupyterLab in headless Chromium at 1400×950 with the file browser open, as the lessons are
read in it; the graphs of many shapes are stepped through in a page without it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import nbformat
from browser.chromium import ARGUMENTS, find_browser
from browser.host import Window, host_in
from browser.jupyter import JupyterServer, running
from browser.lab import LabNotebook
from browser.sight import SIGHT, faults, read_through, run_and_advance, walk
from browser.test_one_screen import EXAMPLES, FEW_BOXES, HEIGHT, LESSONS, NOTEBOOKS, made
from browser.zoo import ZOO, needs
from playwright.sync_api import Browser, Page, sync_playwright

SIZE = {"width": 1400, "height": 950}


def examples(page: Page) -> None:
    """Print what is seen of the examples, in the current notebook."""
    page.evaluate(SIGHT)
    for place, (name, code) in enumerate(EXAMPLES.items()):
        page.evaluate("place => window.sight.begin(place)", place)
        seen = run_and_advance(page, place)
        root = page.evaluate_handle("() => window.shown").as_element()
        first = page.evaluate("root => window.sight.picture(root)", root)
        found = walk(page, root, needs(*made(code)), patience=1)
        bad = faults(found)
        page.evaluate("root => window.sight.fit(root)", root)
        fitted = page.evaluate("root => window.sight.picture(root)", root)
        few = " (few)" if first["boxes"] <= FEW_BOXES else ""
        print(
            f"{name}: {seen['height']:.0f} px high (reach {HEIGHT}) in a pane of "
            f"{seen['pane']:.0f}; at first {first['seen']} of {first['boxes']} boxes{few} are "
            f"seen, text {first['text']:.1f} px; after Fit {fitted['seen']}, text "
            f"{fitted['text']:.1f} px; what the step needs is in sight at "
            f"{len(found) - len(bad)} of {len(found)} steps, smallest text "
            f"{min(one['text'] for one in found):.1f} px",
            flush=True,
        )


def zoo(browser: Browser) -> None:
    """Print at how many steps all is in sight, for each graph and for all."""
    good = of = 0
    window = Window(browser.new_page(viewport=SIZE))
    window.page.emulate_media(reduced_motion="reduce")
    for name, code in ZOO.items():
        with host_in(window) as host:
            stepper = host.run(code)
            root = host.show(stepper)
            found = walk(host.page, root, needs(stepper, host.names["graph"]), patience=1)
        seen = len(found) - len(faults(found))
        text = min(one["text"] for one in found)
        print(f"    {name}: {seen} of {len(found)} steps, smallest text {text:.1f} px", flush=True)
        good, of = good + seen, of + len(found)
    print(f"steps at which all that is needed is in sight: {good} of {of} (reach all)")


def lessons(page: Page, server: JupyterServer) -> None:
    """Print after how many cells Next is in view."""
    good = of = 0
    for name in LESSONS:
        server.add_notebook(NOTEBOOKS / name)
        lab = LabNotebook.in_window(page, name, len(nbformat.read(NOTEBOOKS / name, 4).cells))
        for one in read_through(page, lab.cell_count()):
            if one["next"] is None:
                print(
                    f"    {name} {one['id']}: {one['height']:.0f} px high, whole {one['isWhole']}"
                )
                continue
            good, of = good + one["next"], of + 1
            print(
                f"    {name} {one['id']}: {one['height']:.0f} px high, Next is "
                f"{'in view' if one['next'] else str(one['above']) + ' px above'}, "
                f"whole {one['isWhole']}",
                flush=True,
            )
        lab.close()
        server.stop_kernels()
    print(f"cells after whose Shift+Enter Next is in view: {good} of {of} (reach all)")


def main() -> None:
    """Print a line for each measure."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        running(JupyterServer(Path(folder))) as server,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        page = browser.new_page(viewport=SIZE)
        page.emulate_media(reduced_motion="reduce")
        cells = {**EXAMPLES, "after": "None"}
        lab = LabNotebook(page, server.url(server.add_made_notebook(cells)), len(cells))
        examples(page)
        lab.close()
        server.stop_kernels()
        lessons(page, server)
        zoo(browser)
        browser.close()


if __name__ == "__main__":
    main()
