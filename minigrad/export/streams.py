"""Open files in the place of a path: checked before anything is drawn, and left open."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard

from minigrad.engine.errors import ExportError, told


class Stream(Protocol):
    """An open binary file, or whatever else takes bytes."""

    def write(self, data: bytes, /) -> Any:
        """Take bytes."""


Target = str | os.PathLike[str] | Stream
"""Where a file is written: a path or an open binary file."""


def is_stream(target: object) -> TypeGuard[Stream]:
    """Tell whether a target is an open file, and no path."""
    return not isinstance(target, str | os.PathLike) and callable(getattr(target, "write", None))


def check_stream(stream: Stream) -> None:
    """Refuse an open file that takes no bytes.

    Raises
    ------
    ExportError
        If it is a text file, was opened for reading, or is closed.
    """
    try:
        stream.write(b"")
    except TypeError:
        raise ExportError(
            f"{_name(stream)} takes text, and a picture is bytes; open it with mode 'wb', or use "
            f"io.BytesIO"
        ) from None
    except Exception as error:  # of a kind of its own, of a database for example
        raise ExportError(
            f"{_name(stream)} cannot be written to: {error}; pass one that is open with mode 'wb'"
        ) from None


def stream_format(name: object, formats: Sequence[str]) -> str:
    """Return the format in which an open file is to be written; its name says nothing.

    Raises
    ------
    ExportError
        If it is none of `formats`.
    """
    allowed = ", ".join(map(repr, formats))
    if name is None:
        raise ExportError(
            f"an open file has no suffix that tells the format; say format={formats[0]!r}, or "
            f"another one of {allowed}"
        )
    if not isinstance(name, str) or name.lower().removeprefix(".") not in formats:
        raise ExportError(f"unknown format: {told(name)} (must be one of {allowed})")
    return name.lower().removeprefix(".")


def write_stream(stream: Stream, data: bytes) -> None:
    """Write all of some bytes to an open file, which stays open.

    Raises
    ------
    ExportError
        If writing failed; a part may be written then.
    """
    try:
        rest = memoryview(data)
        while rest:
            piece: Any = rest if isinstance(stream, io.RawIOBase) else bytes(rest)
            written = stream.write(piece)
            if not isinstance(written, int):
                if not isinstance(stream, io.RawIOBase):
                    return  # it tells nothing, so it has taken all
                raise BlockingIOError("it does not block, and takes no more now")
            if not 0 < written <= len(rest):
                raise OSError(f"it says that it took {written} bytes of {len(rest)}")
            rest = rest[written:]
    except Exception as error:
        raise ExportError(
            f"could not write to {_name(stream)}: {error}; a part may be written"
        ) from error


def _name(stream: Stream) -> str:
    return f"the open {type(stream).__name__}"
