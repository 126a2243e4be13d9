"""Writing a file whole or not at all, and never over another one unasked."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from minigrad.engine.errors import ExportError

NUMBER = "{}"
"""Stands in a path for the number of the step."""


def file_format(path: str | os.PathLike[str], formats: Sequence[str]) -> str:
    """Return the format that a path's suffix asks for.

    Raises
    ------
    ExportError
        If it is none of `formats`.
    """
    suffix = _as_path(path).suffix.lower().removeprefix(".")
    if suffix not in formats:
        allowed = ", ".join(f".{name}" for name in formats)
        given = f"unknown file type: {f'.{suffix}'!r}" if suffix else "no file type"
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
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
        raise ExportError(f"a file name must be a string or a path, not {path!r}")
    try:
        usable = b"\0" not in os.fsencode(path)
    except UnicodeError:  # half of a character
        usable = False
    if not usable:
        raise ExportError(
            f"{str(path)!r} cannot be used as a path: leave out the NUL, or the half of a "
            f"character, that is in it"
        )
    return Path(path)


def is_pattern(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path has a place for the number of a step."""
    return NUMBER in _as_path(path).name


def numbered_paths(
    path: str | os.PathLike[str], numbers: Sequence[int], largest: int
) -> list[Path]:
    """Return a path for each number: in the place of ``{}``, or else after the name.

    Numbers are as long as the largest one, so that they sort as they count.

    Raises
    ------
    ExportError
        If a number comes twice.
    """
    if len(set(numbers)) < len(numbers):
        raise ExportError("a step was given twice, and two files cannot have one name")
    whole = _as_path(path)
    name = whole.name if is_pattern(whole) else f"{whole.stem}_{NUMBER}{whole.suffix}"
    digits = len(str(largest))
    return [whole.with_name(name.replace(NUMBER, f"{number:0{digits}}")) for number in numbers]


def write_file(path: str | os.PathLike[str], data: bytes, *, overwrite: bool = False) -> Path:
    """Write a file so that it is there whole or not at all, and return its path.

    Raises
    ------
    ExportError
        As `check_free`, or if writing failed; what was there before is untouched.
    """
    return write_files({Path(path): data}, overwrite=overwrite)[0]


def write_files(files: Mapping[Path, bytes], *, overwrite: bool = False) -> list[Path]:
    """Write all of some files or none of them, and return their paths.

    The bytes go to temporary files in the same folder, which then take the names.

    Raises
    ------
    ExportError
        As `check_free`, or if writing failed; what was there before is there again.
    """
    targets = [check_free(path, overwrite=overwrite) for path in files]
    with contextlib.ExitStack() as done:
        parts = [done.enter_context(_temporary(target)) for target in targets]
        undo: list[tuple[Path, Path | None]] = []
        current = targets[0]
        try:
            todo = zip(parts, targets, files.values(), strict=True)
            for part, current, data in todo:  # noqa: B007 - the error names it
                with part.open("xb") as file:
                    file.write(data)
            for part, current in zip(parts, targets, strict=True):
                if len(targets) > 1:
                    old = None
                    if current.exists():
                        old = done.enter_context(_temporary(current))
                        shutil.copy2(current, old)
                    undo.append((current, old))
                part.replace(current)
        except BaseException as error:  # an interrupt too
            for written, old in reversed(undo):
                with contextlib.suppress(OSError):
                    old.replace(written) if old else written.unlink()
            if not isinstance(error, OSError):
                raise
            raise ExportError(
                f"could not write {str(current)!r}: {error.strerror or error}; nothing was "
                f"changed there"
            ) from error
    return targets


@contextlib.contextmanager
def _temporary(target: Path) -> Iterator[Path]:
    """Give a free name beside a file, and remove what is left under it."""
    path = target.with_name(f".minigrad-{secrets.token_hex(6)}.part")
    try:
        yield path
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
