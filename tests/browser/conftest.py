"""The browser and the JupyterLab that the browser tests share."""

import os
import re
import shutil
import sys
from pathlib import Path

import nbformat
import pytest
from browser.jupyter import JupyterServer
from browser.lab import LabNotebook
from playwright.sync_api import sync_playwright

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
PLACES = {
    "darwin": [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ],
    "win32": [
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    ],
}
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_browser():
    """Return the path of a Chromium of any kind, or None."""
    found = [shutil.which(name) for name in NAMES]
    found += [place for place in PLACES.get(sys.platform, ()) if Path(place).exists()]
    return next((path for path in found if path), None)


@pytest.fixture(scope="session")
def browser():
    path = find_browser()
    if path is None:
        reason = f"no browser was found (looked for {', '.join(NAMES)})"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server(browser, tmp_path_factory):
    yield from running(JupyterServer(tmp_path_factory.mktemp("jupyter")))


@pytest.fixture(scope="module")
def notebook_7(browser, tmp_path_factory):
    yield from running(JupyterServer(tmp_path_factory.mktemp("jupyter"), "notebook"))


def running(jupyter):
    """Start a server, hand it out, and stop it."""
    try:
        jupyter.start()
        yield jupyter
    finally:
        jupyter.stop()


@pytest.fixture
def page(browser):
    made = browser.new_page(viewport={"width": 1400, "height": 900})
    errors = []

    def note(error):
        # JupyterLab and Notebook have errors of their own, such as one on a change of theme
        frames = re.findall(r"at .*http.*", error.stack or "")
        if not frames or not all(re.search("/static/(lab|notebook)/", frame) for frame in frames):
            errors.append(f"{error}\n{error.stack}")

    made.on("pageerror", note)
    yield made
    made.close()
    assert errors == []


@pytest.fixture
def open_notebook(server, page):
    """Open one of the project's notebooks, or one made of code cells given by their ids."""

    def open_(name=None, *, server=server, **cells):
        if name is not None:
            source = NOTEBOOKS / name
            copied, count = server.add_notebook(source), len(nbformat.read(source, 4).cells)
        else:
            copied, count = server.add_made_notebook(cells), len(cells)
        lab = LabNotebook(page, server.url(copied), count)
        lab.use_theme("JupyterLab Light")  # the server remembers what an earlier test chose
        return lab

    yield open_
    server.stop_kernels()
