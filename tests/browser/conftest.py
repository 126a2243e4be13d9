"""The browser and the JupyterLab that the browser tests share."""

import os
import re
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from browser.chromium import ARGUMENTS, NAMES, find_browser
from browser.host import Window, host_in
from browser.jupyter import JupyterServer, running
from browser.lab import LabNotebook
from playwright.sync_api import Error, sync_playwright

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
SIZE = {"width": 1400, "height": 900}


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
    with running(JupyterServer(tmp_path_factory.mktemp("jupyter"))) as jupyter:
        yield jupyter


@pytest.fixture(scope="module")
def notebook_7(browser, tmp_path_factory):
    with running(JupyterServer(tmp_path_factory.mktemp("jupyter"), "notebook")) as jupyter:
        yield jupyter


@contextmanager
def without_errors(page):
    """See that no script of the page fails meanwhile."""
    errors = []

    def note(error):
        # JupyterLab, Notebook and their ipywidgets have errors of their own, such as one on a
        # change of theme, and one without a kernel
        frames = re.findall(r"at .*http.*", error.stack or "")
        theirs = "/static/(lab|notebook)/|/extensions/@jupyter-widgets/"
        if not frames or not all(re.search(theirs, frame) for frame in frames):
            errors.append(f"{error}\n{error.stack}")

    page.on("pageerror", note)
    yield
    page.remove_listener("pageerror", note)
    assert errors == []


@pytest.fixture
def page(browser):
    made = browser.new_page(viewport=SIZE)
    with without_errors(made):
        yield made
        made.close()


@pytest.fixture(scope="session")
def window(browser):
    made = browser.new_page(viewport=SIZE)
    yield Window(made)
    made.close()


@pytest.fixture
def host(window):
    """A blank page that holds widgets, each bound to the real one; there is no JupyterLab."""
    with without_errors(window.page), host_in(window) as made:
        yield made


class LabWindow:
    """A page with JupyterLab, in which one notebook is opened after the other."""

    def __init__(self, page, server):
        self.page = page
        self._server = server
        self._has_lab = False

    def open(self, name, count):
        self.page.set_viewport_size(SIZE)
        if self._has_lab:
            return LabNotebook.in_window(self.page, name, count)
        lab = LabNotebook(self.page, self._server.url(name), count)
        self._has_lab = True
        return lab

    def clear(self, lab):
        """Close what is open; if that cannot be done, JupyterLab is loaded anew next time."""
        try:
            lab.close()
        except Error:
            self._has_lab = False


@pytest.fixture(scope="session")
def lab_window(browser, server):
    page = browser.new_page(viewport=SIZE)
    yield LabWindow(page, server)
    page.close()


def opening(server, lab_window):
    """Give out what opens notebooks in JupyterLab, and close them when that is done with."""
    opened = []

    def open_(name=None, **cells):
        if name is not None:
            source = NOTEBOOKS / name
            copied, count = server.add_notebook(source), len(nbformat.read(source, 4).cells)
        else:
            copied, count = server.add_made_notebook(cells), len(cells)
        lab = lab_window.open(copied, count)
        opened.append(lab)
        lab.use_theme("JupyterLab Light")  # the server remembers what an earlier test chose
        return lab

    with without_errors(lab_window.page):
        yield open_
        for lab in opened:
            lab_window.clear(lab)
        server.stop_kernels()


@pytest.fixture
def open_notebook(server, lab_window):
    """Open one of the project's notebooks, or one made of code cells given by their ids."""
    yield from opening(server, lab_window)


@pytest.fixture(scope="class")
def open_shared(server, lab_window):
    """Do what `open_notebook` does, for all tests of a class, with one kernel."""
    yield from opening(server, lab_window)
