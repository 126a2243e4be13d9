"""Widgets and the cells that made them: told when a cell ends, closed when it is run again.

A widget that is interrupted while it is made is closed too. The shell, which remembers all that was
ever shown, forgets the pictures of one that is closed.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import traitlets

from minigrad.stepper.fallback import is_of_widget

_listeners: weakref.WeakSet[Any] = weakref.WeakSet()
_shells: weakref.WeakSet[Any] = weakref.WeakSet()
_made: dict[str, list[tuple[str, weakref.ref[Any]]]] = {}
NAMED, UNNAMED = "id: ", "text: "
MOST_UNNAMED = 2
"""Of cells that have no id, so many runs of the same text keep their widgets: they may be two."""


def follow_cells(widget: Any) -> None:
    """Call ``widget.cell_has_run()`` at the end of each cell, while the widget lives."""
    _listeners.add(widget)
    _listen_to_shell()


def unfollow_cells(widget: Any) -> None:
    """Call it no longer."""
    _listeners.discard(widget)


def belongs_to_cell(widget: Any) -> None:
    """Close the widget when the cell that makes it is run again, unless a variable holds it.

    Otherwise a page that is run fifty times would leave fifty widgets in the kernel, each with
    its line to a page that shows it no longer. A cell to which its program gives no id is known
    by its text.
    """
    cell = _current_cell()
    if cell is not None:
        name, run = cell
        _made.setdefault(name, []).append((run, weakref.ref(widget)))
        _listen_to_shell()


@contextmanager
def whole_or_closed(widget: Any) -> Iterator[None]:
    """Close a widget if an error or an interrupt comes before all of it is made."""
    try:
        yield
    except BaseException:
        if hasattr(widget, "comm"):
            widget.close()
        raise


def cell_has_run(*_: Any) -> None:
    """Do what is to be done at the end of a cell."""
    for widget in list(_listeners):
        widget.cell_has_run()
    cell = _current_cell()
    if cell is not None and cell[0] in _made:
        _close_replaced(*cell)


def _close_replaced(name: str, run: str) -> None:
    held = _held_by(_shell().user_ns)
    runs = list(dict.fromkeys([*(made_in for made_in, _ in _made[name]), run]))
    newest = runs[-1:] if name.startswith(NAMED) else runs[-MOST_UNNAMED:]
    kept = []
    for made_in, reference in _made[name]:
        widget = reference()
        if widget is None or widget.comm is None:
            continue
        if made_in in newest or id(widget) in held:
            kept.append((made_in, reference))
        else:
            _forget_picture(widget.model_id)
            widget.close()
    _made[name] = kept


def _forget_picture(model: str) -> None:
    """Let the shell forget what it sent for a widget: it keeps the pictures of all outputs."""
    sent: dict[int, list[Any]] = getattr(_shell().history_manager, "outputs", {})
    for outputs in list(sent.values()):
        for output in outputs:
            bundle = getattr(output, "bundle", {})
            if is_of_widget(bundle, model):
                for form in [form for form in bundle if form.startswith(("image/", "text/html"))]:
                    del bundle[form]


def _held_by(variables: dict[str, Any]) -> set[int]:
    """Return the ids of what variables hold: by themselves, in lists and the like, in boxes."""
    hidden = {"In", "Out"}  # a notebook's memory of all it has ever shown
    values = [v for name, v in variables.items() if name[:1] != "_" and name not in hidden]
    held = set()
    while values:
        value = values.pop()
        if id(value) in held:
            continue
        held.add(id(value))
        if isinstance(value, list | tuple | set):
            values.extend(value)
        elif isinstance(value, dict):
            values.extend(value.values())
        elif isinstance(value, traitlets.HasTraits):
            values.extend(getattr(value, "children", ()))
        elif type(value).__module__ == "__main__":  # of a class from the notebook
            values.extend(getattr(value, "__dict__", {}).values())
    return held


def _current_cell() -> tuple[str, str] | None:
    """Return what the running cell is known by, its id or else its text, and the id of its run."""
    shell = _shell()
    kernel = getattr(shell, "kernel", None)
    if kernel is None:
        return None
    parent = kernel.get_parent("shell") or {}
    name, text = parent.get("metadata", {}).get("cellId"), parent.get("content", {}).get("code")
    if name is None and text is None:
        return None
    known = f"{UNNAMED}{text}" if name is None else f"{NAMED}{name}"
    return known, parent["header"]["msg_id"]


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def _listen_to_shell() -> None:
    shell = _shell()
    if shell is not None and shell not in _shells:
        _shells.add(shell)
        shell.events.register("post_run_cell", cell_has_run)
