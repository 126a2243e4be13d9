"""A notebook open in JupyterLab: run a cell, look at its output, press what is in it."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Locator, Page, expect

PATIENCE = 60_000  # ms; for a slow machine, never a pause

# JupyterLab takes cells out of the page while they are out of sight, so a cell is found
# through the notebook's own list, marked with its id, and brought into view.
SHOW_CELL = """async (id) => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    const index = notebook.widgets.findIndex((cell) => cell.model.id === id);
    if (index < 0) throw new Error(`no cell ${id}`);
    notebook.activeCellIndex = index;
    await notebook.scrollToItem(index, "start");
    notebook.widgets[index].node.dataset.cellId = id;
}"""
IS_READY = """(count) => {
    const panel = window.jupyterapp?.shell.currentWidget;
    if (!panel?.context?.isReady || !panel.sessionContext?.isReady) return false;
    return (
        panel.content.widgets.length === count &&
        panel.sessionContext.kernelDisplayStatus === "idle"
    );
}"""
CLOSE_ALL = """() => {
    for (const one of [...window.jupyterapp.shell.widgets("main")]) one.dispose();
}"""
THEME = "() => document.body.dataset.jpThemeName"
START_ACTIVE_CELL = "() => void window.jupyterapp.commands.execute('notebook:run-cell')"
RUN_ACTIVE_CELL = "() => window.jupyterapp.commands.execute('notebook:run-cell')"

RUN_OFTEN = """async ([id, times]) => {
    const failed = [];
    for (let time = 0; time < times; time += 1) {
        const succeeded = await window.jupyterapp.commands.execute("notebook:run-cell");
        const output = document.querySelector(`[data-cell-id="${id}"] .jp-Cell-outputArea`);
        if (!succeeded || output.querySelector('[data-mime-type$="stderr"]')) failed.push(time);
    }
    return failed;
}"""


class LabNotebook:
    """The notebook in the current tab of a JupyterLab page."""

    def __init__(self, page: Page, url: str, cells: int) -> None:
        self.page = page
        page.goto(url)
        self.wait_until_ready(cells)

    @classmethod
    def in_window(cls, page: Page, path: str, cells: int) -> LabNotebook:
        """Open a notebook in a window that has JupyterLab already."""
        lab = cls.__new__(cls)
        lab.page = page
        lab.command("docmanager:open", path=path)
        lab.wait_until_ready(cells)
        return lab

    def wait_until_ready(self, cells: int) -> None:
        """Wait until the notebook is there with its cells and a kernel."""
        self.page.wait_for_function(IS_READY, arg=cells, timeout=PATIENCE)

    def open_again(self, *, with_kernel: bool) -> None:
        """Save the notebook, stop its kernel, close it, and open it again."""
        path = self.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.path")
        self.command("docmanager:save")
        self.shut_down_kernel()
        cells = self.cell_count()
        self.close()
        if with_kernel:
            self.command("docmanager:open", path=path)
            self.wait_until_ready(cells)
        else:
            no_kernel = {"shouldStart": False, "autoStartDefault": False}
            self.command("docmanager:open", path=path, kernelPreference=no_kernel)
            self.page.wait_for_function(
                "() => window.jupyterapp.shell.currentWidget?.context?.isReady", timeout=PATIENCE
            )

    def close(self) -> None:
        """Take all notebooks out of the window, saved or not."""
        self.page.evaluate(CLOSE_ALL)

    def command(self, name: str, **arguments: Any) -> None:
        """Run one of JupyterLab's own commands and wait for its end."""
        self.page.evaluate(
            "([name, args]) => window.jupyterapp.commands.execute(name, args)", [name, arguments]
        )

    def use_theme(self, name: str) -> None:
        """Switch to a theme, unless it is there already, and wait until it is."""
        if self.page.evaluate(THEME) != name:
            self.command("apputils:change-theme", theme=name)
            self.page.wait_for_function(f"name => ({THEME})() === name", arg=name)

    def show(self, cell_id: str) -> Locator:
        """Bring a cell into view and return its output."""
        self.page.evaluate(SHOW_CELL, cell_id)
        return self.page.locator(f'[data-cell-id="{cell_id}"] .jp-Cell-outputArea')

    def cell_count(self) -> int:
        """Return how many cells the notebook has."""
        count: int = self.page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.content.widgets.length"
        )
        return count

    def shut_down_kernel(self) -> None:
        """Shut the notebook's kernel down, as the menu does."""
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")

    def start(self, cell_id: str) -> None:
        """Run a cell without waiting for its end."""
        self.show(cell_id)
        self.page.evaluate(START_ACTIVE_CELL)

    def run_often(self, cell_id: str, times: int) -> None:
        """Run a cell so many times, and see each time that it has no complaint."""
        self.show(cell_id)
        failed = self.page.evaluate(RUN_OFTEN, [cell_id, times])
        assert failed == []

    def run_until(self, cell_id: str, text: str) -> Locator:
        """Run a cell again and again until its output has a text."""
        deadline = time.monotonic() + PATIENCE / 1000
        output = self.run(cell_id)
        while text not in output.inner_text() and time.monotonic() < deadline:
            output = self.run(cell_id)
        return output

    def run(self, cell_id: str) -> Locator:
        """Run a cell, wait until it has run without a complaint, and return its output."""
        output = self.show(cell_id)
        self.page.locator(f'[data-cell-id="{cell_id}"] .cm-content').click()
        succeeded = self.page.evaluate(RUN_ACTIVE_CELL)
        assert succeeded, f"cell {cell_id} failed: {output.inner_text()}"
        expect(output.locator('[data-mime-type$="stderr"]')).to_have_count(0)
        return output
