"""Make the pictures of README.md anew: ``python tests/browser/picture_of_readme.py``.

They are screenshots of the stepper in JupyterLab, on a screen of high resolution.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.chromium import ARGUMENTS, find_browser
from browser.conftest import NOTEBOOKS
from browser.jupyter import JupyterServer, running
from browser.lab import LabNotebook

IMAGES = NOTEBOOKS / "images"
CELLS = {
    "stepper": """
import minigrad as mg
x = mg.Tensor(3.0, requires_grad=True)
y = mg.Tensor(4.0, requires_grad=True)
graph = mg.ComputationGraph()
with graph:
    z = x * y
    w = z + x
s = mg.step(graph, w)
s.index = 4
s
""",
    "network": """
import numpy as np
rng = np.random.default_rng(2)
def array(*shape):
    return rng.normal(size=shape).astype(np.float32)
X, t = mg.Tensor(array(5, 4)), np.array([0, 1, 0, 1, 1])
W1 = mg.Tensor(array(4, 3), requires_grad=True)
b1 = mg.Tensor(np.zeros(3, np.float32), requires_grad=True)
W2 = mg.Tensor(array(3, 2), requires_grad=True)
b2 = mg.Tensor(np.zeros(2, np.float32), requires_grad=True)
graph = mg.ComputationGraph()
with graph:
    with graph.scope("layer 1"):
        h = (X @ W1 + b1).tanh()
    with graph.scope("layer 2"):
        z = h @ W2 + b2
    loss = mg.cross_entropy(z, t)
s = mg.step(graph, loss)
s.index = 10
s
""",
}
THEMES = {"": "JupyterLab Light", "-dark": "JupyterLab Dark"}
ANIMATION = "network.gif"


def main() -> None:
    """Take the pictures, and make the animation."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(JupyterServer(Path(folder))) as server,
    ):
        take_pictures(server)
    names: dict[str, Any] = {}
    exec("".join(CELLS.values()), names)
    names["s"].export(IMAGES / ANIMATION, width=960, overwrite=True)


def take_pictures(server: JupyterServer) -> None:
    """Take a picture of each stepper in each theme."""
    name = server.add_made_notebook(CELLS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        page = browser.new_page(
            viewport={"width": 1400, "height": 950},
            device_scale_factor=1.5,
            reduced_motion="reduce",
        )
        lab = LabNotebook(page, server.url(name), cells=len(CELLS))
        for cell in CELLS:
            lab.run(cell)
        for ending, theme in THEMES.items():
            lab.use_theme(theme)
            for cell in CELLS:
                stepper = lab.show(cell).locator(".minigrad")
                page.mouse.move(0, 0)
                page.wait_for_timeout(500)  # JupyterLab fades
                stepper.screenshot(path=IMAGES / f"{cell}{ending}.png")
        browser.close()


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    main()
