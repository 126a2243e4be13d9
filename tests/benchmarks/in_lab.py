"""A JupyterLab with a browser in front of it, for as long as a benchmark of the page runs."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.chromium import ARGUMENTS, find_browser
from browser.jupyter import JupyterServer, running
from browser.lab import LabNotebook
from playwright.sync_api import sync_playwright


@contextmanager
def open_lab(
    cells: dict[str, str], *, script: str = "", width: int = 1400, height: int = 900
) -> Iterator[LabNotebook]:
    """Open a notebook of code cells, given by their ids.

    Parameters
    ----------
    cells : dict of str to str
        The cells.
    script : str
        What the page runs before its own.
    width, height : int
        Of the window, in pixels.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        running(JupyterServer(Path(folder))) as server,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": width, "height": height})
        if script:
            page.add_init_script(script)
        yield LabNotebook(page, server.url(server.add_made_notebook(cells)), len(cells))
        browser.close()
