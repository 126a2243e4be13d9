"""Libraries that write one format each: imported when they are needed, and missed in words."""

from __future__ import annotations

import importlib
from typing import Any

from minigrad.errors import ExportError


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
