"""A pause for Python's collector of reference cycles, while very many objects are made."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_pausing: list[int] = []
"""The threads in whose pause the collector was switched off."""


@contextmanager
def gc_paused() -> Iterator[None]:
    """Keep the collector from looking at all objects over and over again.

    A trace of 100,000 nodes is made of millions of objects and leaves no cycle behind; a third
    of its time went into looking for some.
    """
    was_enabled = gc.isenabled()
    try:
        if was_enabled:
            _pausing.append(threading.get_ident())
        gc.disable()  # here, since an interrupt may come right after it
        yield
    finally:
        if was_enabled:
            gc.enable()
            _pausing.clear()


def _end_pause_of_others() -> None:
    """In a forked child, end a pause that was made by a thread that is not there."""
    if _pausing and _pausing[0] != threading.get_ident():
        _pausing.clear()
        gc.enable()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_end_pause_of_others)
