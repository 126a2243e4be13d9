"""Make the pictures of README.md anew: ``python tests/browser/picture_of_readme.py``.

They are screenshots of the stepper in JupyterLab, on a screen of high resolution.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.chromium import ARGUMENTS, find_browser
from browser.conftest import NOTEBOOKS
from browser.jupyter import JupyterServer, running
from browser.lab import LabNotebook

IMAGES = NOTEBOOKS / "images"
CELLS = ("setup", "empty-graph", "record-mul", "record-add")
THEMES = {"stepper.png": "JupyterLab Light", "stepper-dark.png": "JupyterLab Dark"}


def main() -> None:
    """Run the first notebook, step to the end, and take the pictures."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(JupyterServer(Path(folder))) as server,
    ):
        take_pictures(server)


def take_pictures(server: JupyterServer) -> None:
    """Take a picture of the last step in each theme."""
    name = server.add_notebook(NOTEBOOKS / "00_start_here.ipynb")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1560, "height": 1000}, device_scale_factor=1.5)
        lab = LabNotebook(page, server.url(name), cells=20)
        lab.command("application:toggle-left-area")
        for cell in CELLS:
            lab.run(cell)
        stepper = lab.run("stepper").locator(".minigrad")
        stepper.get_by_role("button", name="End", exact=True).click()
        page.mouse.move(0, 0)
        for file_name, theme in THEMES.items():
            lab.command("apputils:change-theme", theme=theme)
            page.wait_for_function(
                "dark => document.querySelector('.mg-dark') !== null === dark",
                arg=theme.endswith("Dark"),
            )
            stepper.screenshot(path=IMAGES / file_name)
        browser.close()


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    main()
