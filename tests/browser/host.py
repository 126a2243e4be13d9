"""A blank page that holds widgets, each bound to the real widget in the test's own process.

Most of what a page does has nothing to do with JupyterLab: it needs an element, a model and a
kernel that answers. Here they are without JupyterLab and without a kernel's process, and a test
begins some seconds sooner::

    stepper = host.run("…; mg.step(graph, w)")   # code, as in a cell
    root = host.show(stepper)                    # what a person sees of it
    root.get_by_role("button", name="Next", exact=True).click()
    host.wait_until(lambda: stepper.index == 1)

How it works: each widget that is made while there is a host gets a `Line` in place of the comm
that a kernel would give it. So ipywidgets itself decides what is synced, what is echoed and which
buffers belong to it, whatever the traits of the widget are. In the page, ``host.js`` has a
stand-in for the widget's model with the interface that anywidget hands to a view (get, set,
save_changes, send, on, off), gives it to the widget's own module, ``_esm``, and adds ``_css``.

A message from the page is handled in the test's thread while that waits for the page, which is
also the only time when Playwright can be spoken to. What widgets say, from whatever thread, is
queued; it goes out with the answer to the page's next message, and the page asks for news all
the time. Everything in between is text as JSON, and buffers in base64.

The place of the widgets is as wide as a cell's output in JupyterLab is in a window of that width,
and themes are those of JupyterLab. What is about JupyterLab itself (its shortcuts, cells that are
out of sight, kernels that are busy or gone, notebooks opened again) is tested there: see lab.py.
"""

from __future__ import annotations

import ast
import base64
import json
import linecache
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import comm
from comm.base_comm import BaseComm
from ipywidgets import Widget
from jupyterlab.commands import get_app_dir
from playwright.sync_api import Locator, Page

PATIENCE = 30  # seconds; for a slow machine, never a pause
SCRIPT = Path(__file__).with_name("host.js")
# margins: what JupyterLab has around an output, the file browser among it
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Host</title><style>
body { margin: 0; background: var(--jp-layout-color0); color: var(--jp-ui-font-color0);
       font: 13px/1.3 var(--jp-ui-font-family); }
main { margin: 289px 54px 60vh 378px; }
.output { overflow: auto; }
@media (max-width: 760px) { main { margin-left: 314px; } }
</style><style id="theme"></style></head><body><main></main></body></html>"""
WEAR = """([name, styles, isLight]) => {
    document.querySelector("#theme").textContent = styles;
    Object.assign(document.body.dataset, { jpThemeName: name, jpThemeLight: String(isLight) });
}"""


class Line(BaseComm):
    """What a widget speaks to its page by, in place of a kernel's comm."""

    def __init__(self, host: Host, **opened: Any) -> None:
        self._host = host
        super().__init__(**opened)

    def publish_msg(
        self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any
    ) -> None:
        """Say something to the page; any thread may."""
        self._host.say(self.comm_id, msg_type, data, buffers or [])


class Window:
    """A page that is used by one host after the other: to open one takes longer than most tests."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.host: Host | None = None
        self._size = page.viewport_size
        page.expose_function("kernel", self._hear)

    def _hear(self, text: str) -> str:
        return "[]" if self.host is None else self.host.hear(text)

    def clear(self) -> None:
        """Make it as good as new."""
        self.host = None
        self.page.goto("about:blank")
        assert self._size is not None
        self.page.set_viewport_size(self._size)
        self.page.mouse.move(0, 0)


class Host:
    """A page with widgets in it, and the notebook that they are made in."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.troubles: list[str] = []
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.widgets: list[Widget] = []
        self._numbers = count(1)
        self._lines: dict[str, Line] = {}
        self._to_page: deque[dict[str, Any]] = deque()
        self._answered: int | None = None  # the page's message that is being handled

    def open(self) -> None:
        """Put into the page what a host is made of."""
        self.page.set_content(PAGE)
        self.page.add_script_tag(content=SCRIPT.read_text(encoding="utf-8"))
        self.use_theme("Light")

    def run(self, code: str) -> Any:
        """Run code as a notebook runs a cell, and return the value of its last expression."""
        name = f"<cell {next(self._numbers)}>"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        tree = ast.parse(code, name)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), self.names)
        if last is None:
            return None
        return eval(compile(ast.Expression(last.value), name, "eval"), self.names)

    def show(self, widget: Widget, views: int = 1) -> Locator:
        """Show a widget below those that are there, and return its view, or all of them."""
        self.page.evaluate("given => window.show(...given)", [widget.model_id, views])
        return self.page.locator(".output").last.locator(".minigrad")

    def use_theme(self, name: str) -> None:
        """Wear one of JupyterLab's themes, such as ``Dark High Contrast``."""
        folder = f"theme-{name.lower().replace(' ', '-')}-extension"
        styles = Path(get_app_dir()) / "themes" / "@jupyterlab" / folder / "index.css"
        is_light = name.startswith("Light")
        self.page.evaluate(WEAR, [f"JupyterLab {name}", styles.read_text("utf-8"), is_light])

    def wait_until(self, is_so: Callable[[], object]) -> None:
        """Let the page speak until something is so."""
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < deadline, "it did not come to be so"
            self.page.wait_for_timeout(10)

    def close(self) -> None:
        """Take everything out of the page, and the widgets out of the process."""
        self.page.evaluate("() => window.leave()")
        for widget in self.widgets:
            widget.close()

    def open_line(self, **opened: Any) -> Line:
        """Make the line of a new widget."""
        line = Line(self, **opened)
        self._lines[line.comm_id] = line
        return line

    def say(self, line: str, kind: str, data: Any, buffers: list[Any]) -> None:
        """Queue something for the page."""
        told = {"type": kind, "line": line, "data": data, "answered": self._answered}
        told["buffers"] = [base64.b64encode(one).decode() for one in buffers]
        self._to_page.append(told)

    def hear(self, text: str) -> str:
        """Hear what the page says, or that it only asks for news, and return the news."""
        message = json.loads(text)
        if message is not None:
            self._answered = message["id"]
            try:
                self._lines[message["line"]].handle_msg(
                    {
                        "content": {"data": message["data"]},
                        "buffers": [base64.b64decode(one) for one in message["buffers"]],
                    }
                )
            except Exception:
                self.troubles.append(traceback.format_exc())
                raise
            finally:
                self._answered = None
        news = [self._to_page.popleft() for _ in range(len(self._to_page))]
        return json.dumps(news, allow_nan=False)


@contextmanager
def host_in(window: Window) -> Iterator[Host]:
    """Make a window the host of all widgets that are made meanwhile."""
    window.clear()
    window.host = host = Host(window.page)
    host.open()
    before = comm.create_comm
    comm.create_comm = host.open_line
    Widget.on_widget_constructed(host.widgets.append)
    try:
        yield host
        host.close()
    finally:
        window.host = None
        comm.create_comm = before
        Widget.on_widget_constructed(None)
    assert host.troubles == []
