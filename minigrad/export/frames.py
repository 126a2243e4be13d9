"""Saving one step of a trace to a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from minigrad.diagram import Film, Layout, Theme, render
from minigrad.export.files import check_free, file_format, write_file


def export_frame(
    film: Film,
    layout: Callable[[], Layout],
    step: int,
    path: str | os.PathLike[str],
    *,
    theme: Theme = "light",
    width: int = 1600,
    background: str | None = None,
    description: str = "",
    overwrite: bool = False,
) -> Path:
    """Write one frame of a film to a file and return its path.

    The layout is asked for only after the path was found to be good.

    Raises
    ------
    ExportError
        If the suffix is unknown, or the file is there already or cannot be written.
    DrawingError
        If the picture cannot be made.
    """
    chosen = file_format(path)
    check_free(path, overwrite=overwrite)
    data = render(film, step, layout(), chosen, theme, width, background, description)
    return write_file(path, data, overwrite=overwrite)
