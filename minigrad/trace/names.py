"""What a tensor is called: its own name, the variable that holds it, or its place."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from minigrad.engine.tensor import Tensor
from minigrad.trace.notation import isolated

ON_ONE_LINE = str.maketrans({"\n": "⏎", "\r": "\\r", "\t": "⇥"})


def caller_variables(depth: int = 2) -> dict[str, object]:
    """Return the variables that the caller's caller sees: the locals over the globals."""
    frame = sys._getframe(depth)
    return {**frame.f_globals, **frame.f_locals}


def notebook_variables() -> dict[str, object]:
    """Return the variables of the running notebook, or none outside of IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return dict(shell.user_ns) if shell is not None else {}


def tensor_names(variables: Mapping[str, object]) -> dict[int, str]:
    """Map the id of each tensor that a variable holds to that variable's name.

    The first variable wins; names with a leading underscore are a notebook's own.
    """
    names: dict[int, str] = {}
    for name, value in variables.items():
        if isinstance(value, Tensor) and not name.startswith("_"):
            names.setdefault(id(value), name)
    return names


def one_line(text: str, limit: int | None = None) -> str:
    """Fit a text that is `visible` into a line that goes on from left to right, however it runs.

    Line ends and tabs become marks; the middle of a text that is longer than `limit` is left out.
    """
    line = text.translate(ON_ONE_LINE)
    return isolated(line if limit is None else abridge(line, limit))


def abridge(text: str, limit: int) -> str:
    """Leave out the middle of a text that is too long: names often differ at their ends."""
    if len(text) <= limit:
        return text
    end = (limit - 1) * 2 // 5
    return text[: limit - 1 - end] + "…" + text[len(text) - end :]
