"""Libraries that write one format each: imported when they are needed, and missed in words."""

from __future__ import annotations

import importlib
from typing import Any

from minigrad.engine.errors import ExportError

LIBRARIES = {
    "pdf": ("pypdf", "pypdf"),
    "gif": ("PIL.Image", "Pillow"),
    "webp": ("PIL.Image", "Pillow"),
    "apng": ("PIL.Image", "Pillow"),
    "pptx": ("pptx", "python-pptx"),
}
"""The module and the package behind each format that has one."""


def check_library(format_name: str) -> None:
    """Refuse a format whose library is missing, before any time is spent on drawing.

    Raises
    ------
    ExportError
        With the command that installs it.
    """
    if format_name in LIBRARIES:
        needed(*LIBRARIES[format_name], format_name)


def needed(module: str, package: str, format_name: str) -> Any:
    """Import a module that an export needs.

    Raises
    ------
    ExportError
        With the command that installs its package.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ExportError(
            f"a .{format_name} file is written with {package}, which cannot be imported ({error}); "
            f"run: python -m pip install {package}"
        ) from None
