"""A progress bar on exports that take long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from minigrad.errors import ExportError

One = TypeVar("One")
PATIENCE = 1.5
"""Seconds that pass before a bar is shown."""


def counted(things: Iterable[One], total: int, progress: bool | None, what: str) -> Iterator[One]:
    """Go through things, with a bar for who waits.

    Parameters
    ----------
    things : iterable
        What to go through.
    total : int
        How many there are.
    progress : bool or None
        Show a bar at once, or never; None shows one if it takes longer than `PATIENCE`.
    what : str
        What the bar says.

    Raises
    ------
    ExportError
        If `progress` is something else.
    """
    if progress is not None and not isinstance(progress, bool):
        raise ExportError(f"progress must be True, False or None, not {progress!r}")
    if progress is False or total < 2:
        yield from things
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:  # the export matters more
        yield from things
        return
    delay = 0 if progress else PATIENCE
    yield from tqdm(things, total=total, desc=what, unit="step", delay=delay, leave=False)
