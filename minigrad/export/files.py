"""Writing a file whole or not at all, and never over another one unasked."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from minigrad.errors import ExportError

FORMATS = ("svg", "png", "pdf")


def file_format(path: str | os.PathLike[str]) -> str:
    """Return the format that a path's suffix asks for.

    Raises
    ------
    ExportError
        If it is none of `FORMATS`.
    """
    suffix = _as_path(path).suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        allowed = ", ".join(f".{name}" for name in FORMATS)
        given = f"unknown file type: '.{suffix}'" if suffix else "no file type"
        raise ExportError(
            f"{given} in {str(path)!r} (must be one of {allowed}); end the file name in one of them"
        )
    return suffix


def check_free(path: str | os.PathLike[str], *, overwrite: bool) -> Path:
    """Return where a file is to be written, after checking that it may be.

    Raises
    ------
    ExportError
        If the folder is missing, the path is a folder, or a file is there and `overwrite`
        is False.
    """
    target = _as_path(path)
    try:
        target = target.expanduser()
        # a link keeps pointing where it does; what it points to is written
        target = target.resolve() if target.is_symlink() else target
    except (OSError, RuntimeError, ValueError) as error:
        raise ExportError(f"{str(path)!r} cannot be used as a path: {error}") from None
    if not target.parent.is_dir():
        raise ExportError(f"there is no folder {str(target.parent)!r}; create it first")
    if target.is_dir():
        raise ExportError(f"{str(target)!r} is a folder; give the name of a file in it")
    if target.exists() and not overwrite:
        raise ExportError(
            f"{str(target)!r} is there already and was left as it is; choose another name, or "
            f"pass overwrite=True"
        )
    return target


def _as_path(path: str | os.PathLike[str]) -> Path:
    if not isinstance(path, str | os.PathLike) or "\0" in str(path):
        raise ExportError(f"a file name must be a string or a path, not {path!r}")
    return Path(path)


def write_file(path: str | os.PathLike[str], data: bytes, *, overwrite: bool = False) -> Path:
    """Write a file so that it is there whole or not at all, and return its path.

    The bytes go to a temporary file in the same folder, which then takes the name.

    Raises
    ------
    ExportError
        As `check_free`, or if writing failed; what was there before is untouched.
    """
    target = check_free(path, overwrite=overwrite)
    temporary = target.with_name(f".minigrad-{secrets.token_hex(6)}.part")
    try:
        with temporary.open("xb") as file:
            file.write(data)
        temporary.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise ExportError(
            f"could not write {str(target)!r}: {error.strerror or error}; nothing was changed there"
        ) from error
    return target
