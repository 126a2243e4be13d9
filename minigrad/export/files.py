"""Writing a file whole or not at all, never over another one unasked, or to an open one."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from minigrad.engine.errors import ExportError, told
from minigrad.export.streams import (
    Target,
    check_stream,
    is_stream,
    stream_format,
    write_stream,
)

PLACE = re.compile(r"\{0?(?::0?(\d{0,2})d?)?\}|%0?(\d{0,2})[dis]")
"""Stands in a path for the number of the step: ``{}``, or as people write it to format a number,
``{:03d}``, ``%d``, ``%03d``."""


def file_format(target: Target, formats: Sequence[str], named: str | None = None) -> str:
    """Return the format that a path's suffix asks for, or that was named for an open file.

    Raises
    ------
    ExportError
        If it is none of `formats`, or a suffix and a name that differ.
    """
    if is_stream(target):
        return stream_format(named, formats)
    path = _as_path(target)
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in formats:
        allowed = ", ".join(f".{name}" for name in formats)
        given = f"unknown file type: {f'.{suffix}'!r}" if suffix else "no file type"
        raise ExportError(
            f"{given} in {str(path)!r} (must be one of {allowed}); end the file name in one of them"
        )
    if named is not None and stream_format(named, formats) != suffix:
        raise ExportError(
            f"{str(path)!r} ends in .{suffix}, and format={named!r} says something else; leave the "
            f"format out, which is for open files, or change the file name"
        )
    return suffix


def check_target(target: Target, *, overwrite: bool) -> None:
    """Check that a file can be written to a path, or to an open file.

    Raises
    ------
    ExportError
        As `check_free` and `check_stream`.
    """
    if is_stream(target):
        check_stream(target)
    else:
        check_free(_as_path(target), overwrite=overwrite)


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
        reason = getattr(error, "strerror", None) or error
        raise ExportError(f"{told(str(target))} cannot be used as a path: {reason}") from None
    if not target.parent.is_dir():
        raise ExportError(f"there is no folder {str(target.parent)!r}; create it first")
    if target.is_dir():
        raise ExportError(f"{str(target)!r} is a folder; give the name of a file in it")
    if target.exists() and not target.is_file():
        raise ExportError(
            f"{str(target)!r} is no ordinary file, and would be replaced by one; open it with mode "
            f"'wb' and pass the open file"
        )
    if target.exists() and not overwrite:
        raise ExportError(
            f"{str(target)!r} is there already and was left as it is; choose another name, or "
            f"pass overwrite=True"
        )
    return target


def _as_path(path: object) -> Path:
    try:
        text = os.fspath(path)  # type: ignore[call-overload]
    except Exception:  # what has no path, or a wrong one
        text = None
    if not isinstance(text, str):
        raise ExportError(
            f"a file name must be a string or a path, or an open binary file, not {told(path)}"
        )
    try:
        usable = b"\0" not in os.fsencode(text)
    except UnicodeError:  # half of a character
        usable = False
    if not usable:
        raise ExportError(
            f"{told(text)} cannot be used as a path: leave out the NUL, or the half of a "
            f"character, that is in it"
        )
    return Path(text)


def is_pattern(target: Target) -> bool:
    """Tell whether a target is a path with a place for the number of a step."""
    return not is_stream(target) and PLACE.search(_as_path(target).name) is not None


def numbered_paths(path: Target, numbers: Sequence[int], largest: int) -> list[Path]:
    """Return a path for each number: in the place of ``{}``, or else after the name.

    Numbers are as long as the largest one, or longer if that is asked for, so that they sort as
    they count.

    Raises
    ------
    ExportError
        If a number comes twice.
    """
    if len(set(numbers)) < len(numbers):
        raise ExportError("a step was given twice, and two files cannot have one name")
    whole = _as_path(path)
    name = whole.name if is_pattern(whole) else f"{whole.stem}_{{}}{whole.suffix}"

    def written(number: int, place: re.Match[str]) -> str:
        digits = max(len(str(largest)), int(place[1] or place[2] or 0))
        return f"{number:0{digits}}"

    paths = [whole.with_name(PLACE.sub(partial(written, number), name)) for number in numbers]
    if len({os.path.realpath(one) for one in paths}) < len(paths):
        raise ExportError(f"several of the files {name} are links to the same one; remove them")
    return paths


def write_file(target: Target, data: bytes, *, overwrite: bool = False) -> Path | None:
    """Write a file so that it is there whole or not at all, and return its path.

    An open file is written to at its place, and has no path.

    Raises
    ------
    ExportError
        As `check_free`, or if writing failed; what was there before is untouched.
    """
    if is_stream(target):
        write_stream(target, data)
        return None
    return write_files({_as_path(target): data}, overwrite=overwrite)[0]


def write_files(files: Mapping[Path, bytes], *, overwrite: bool = False) -> list[Path]:
    """Write all of some files or none of them, and return their paths.

    The bytes go to temporary files in the same folder, which then take the names. Who may read and
    write a file stays as it was.

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
            for part, current, data in todo:
                part.touch(0o600 if current.exists() else 0o666, exist_ok=False)
                with part.open("wb") as file:
                    file.write(data)
                if current.exists():
                    _take_rights(part, current)
            for part, current in zip(parts, targets, strict=True):
                if len(targets) > 1:
                    old = None
                    if current.exists():
                        old = done.enter_context(_temporary(current))
                        old.touch(0o600)
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


def _take_rights(part: Path, current: Path) -> None:
    """Let the same people read and write a file that is to take the place of another one."""
    before = current.stat()
    group_is_kept = True
    if hasattr(os, "chown"):
        for owner in (before.st_uid, -1):
            with contextlib.suppress(OSError):
                os.chown(part, owner, before.st_gid)
                break
        group_is_kept = part.stat().st_gid == before.st_gid
    shutil.copystat(current, part)
    if not group_is_kept:  # what one group was allowed is nothing to another one
        part.chmod(before.st_mode & 0o7707)
    os.utime(part)


@contextlib.contextmanager
def _temporary(target: Path) -> Iterator[Path]:
    """Give a free name beside a file, and remove what is left under it."""
    path = target.with_name(f".minigrad-{secrets.token_hex(6)}.part")
    try:
        yield path
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
