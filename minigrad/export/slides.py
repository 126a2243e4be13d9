"""An export of some steps of a trace, by the suffix of the file."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path

from minigrad.diagram.canvas import Canvas
from minigrad.diagram.graphviz.workers import each
from minigrad.engine.checks import yes_or_no
from minigrad.engine.errors import ExportError
from minigrad.export.animation import DELAY, LAST_DELAY, animation
from minigrad.export.files import (
    check_free,
    check_target,
    file_format,
    is_pattern,
    numbered_paths,
    write_file,
    write_files,
)
from minigrad.export.frames import Deck, Frame, Steps
from minigrad.export.options import ALL, ANIMATIONS, SINGLE, Options
from minigrad.export.page_layout import SLIDE, with_canvases
from minigrad.export.pdf import pdf_of_pages
from minigrad.export.pictures import picture
from minigrad.export.pptx import PICTURE_WIDTH, picture_room, presentation
from minigrad.export.streams import Target, is_stream
from minigrad.progress import Listener, counted, heard_by, one_work

ANIMATION_WIDTH = 1280


def export(
    deck: Deck,
    path: Target,
    options: Options,
    *,
    named: str | None = None,
    step: int | None = None,
    steps: Steps | None = None,
    overwrite: bool = False,
    progress: bool | None = None,
) -> Path | list[Path] | None:
    """Write steps to a file, or each to a file of its own.

    The parameters are those of `minigrad.Stepper.export`; `named` is its format.

    Returns
    -------
    pathlib.Path, list of pathlib.Path or None
        Where it was written; a list if the files are numbered, None if it is an open file.

    Raises
    ------
    ExportError, DrawingError, PlaceError
        If a step, an option or the path cannot be used, or if drawing or writing failed.
    """
    chosen = file_format(path, ALL, named)
    options = options.checked(chosen)
    overwrite = yes_or_no(overwrite, "overwrite", ExportError)
    progress = None if progress is None else yes_or_no(progress, "progress", ExportError)
    indices = choose(deck, chosen, step, steps, numbered=is_pattern(path))
    with _told(progress):
        return _export(deck, path, options, chosen, indices, steps, overwrite=overwrite)


def _told(progress: bool | None) -> AbstractContextManager[None]:
    """Return where a bar is shown: at once, never, or if it takes long."""
    return heard_by(Listener()) if progress is False else one_work(at_once=progress is True)


def _export(
    deck: Deck,
    path: Target,
    options: Options,
    chosen: str,
    indices: Sequence[int],
    steps: Steps | None,
    *,
    overwrite: bool,
) -> Path | list[Path] | None:
    single = chosen in SINGLE and chosen != "pdf"
    if is_stream(path):
        if single and len(indices) > 1:
            raise ExportError(
                f"{len(indices)} pictures cannot go to one open file; say step=… for one of them, "
                f"format='pdf' for pages, or give a path for numbered files"
            )
        check_target(path, overwrite=overwrite)
        return write_file(path, file_of(deck, chosen, options, indices))
    if not is_pattern(path) and not (single and steps is not None):
        check_target(path, overwrite=overwrite)
        return write_file(path, file_of(deck, chosen, options, indices), overwrite=overwrite)
    if chosen not in SINGLE:
        raise ExportError(
            f"a .{chosen} file holds all steps; leave the place of a number out of {str(path)!r}"
        )
    paths = numbered_paths(path, [index + 1 for index in indices], len(deck.trace.steps))
    with _folder_of(paths[0]):
        for one in paths:
            check_free(one, overwrite=overwrite)
        drawn = list(_pictures(deck, chosen, options, indices))
        if chosen == "pdf":
            drawn = [
                pdf_of_pages([page], [_page_title(deck, index)])
                for page, index in zip(drawn, indices, strict=True)
            ]
        return write_files(dict(zip(paths, drawn, strict=True)), overwrite=overwrite)


def choose(
    deck: Deck, chosen: str, step: int | None, steps: Steps | None, *, numbered: bool = False
) -> list[int]:
    """Return the indices of the steps to export; all of them where a format is made for that."""
    if step is not None and steps is not None:
        raise ExportError("either step or steps can be given, not both")
    if chosen == "html" and not (steps is None or (isinstance(steps, str) and steps == "all")):
        raise ExportError("an .html page holds all steps; say step=… for the one it opens at")
    if steps is not None:
        return deck.choose(steps)
    if step is not None:
        return deck.choose([step])
    if numbered or chosen not in SINGLE:
        return deck.choose("all")
    return [deck.current]


def file_of(deck: Deck, chosen: str, options: Options, indices: Sequence[int]) -> bytes:
    """Return the bytes of one file with some steps."""
    title = f"Backward pass of {deck.trace.snapshot.tensors[deck.trace.output].name}"
    if chosen == "html":
        return deck.page(options, indices[0], title)
    if chosen == "pptx":
        drawn = replace(options, caption=False, width=options.width or PICTURE_WIDTH)
        frames = [deck.frame(index) for index in indices]
        room = picture_room(frames, options)
        pngs = list(_pictures(deck, "png", drawn, indices, room))
        return presentation(frames, pngs, options, title)
    if chosen in ANIMATIONS:
        caption = True if options.caption is None else options.caption
        drawn = replace(options, caption=caption, width=options.width or ANIMATION_WIDTH)
        delays = [options.delay or DELAY] * len(indices)
        delays[-1] = options.last_delay or max(LAST_DELAY, delays[-1])
        with closing(_pictures(deck, "png", drawn, indices)) as pictures:
            return animation(pictures, chosen, delays)
    pages = list(_pictures(deck, chosen, options, indices))
    if chosen != "pdf":
        return pages[0]
    return pdf_of_pages(pages, [_page_title(deck, index) for index in indices])


def _pictures(
    deck: Deck,
    chosen: str,
    options: Options,
    indices: Sequence[int],
    room: tuple[float, float] = SLIDE,
) -> Generator[bytes, None, None]:
    frames = [deck.frame(index) for index in counted(indices, "Preparing")]
    todo = with_canvases(frames, options, room)

    def draw(both: tuple[Frame, Canvas]) -> bytes:
        return picture(*both, chosen, options)

    if chosen not in ("png", "pdf"):
        yield from map(draw, counted(todo, "Drawing"))
        return
    # Graphviz draws these in processes of its own, of which there can be several; they end with it
    with closing(each(draw, todo)) as drawn:
        yield from counted(drawn, "Drawing", len(todo))


def _page_title(deck: Deck, index: int) -> str:
    return f"{index + 1}. {deck.frame(index).words.title}"


@contextlib.contextmanager
def _folder_of(path: Path) -> Iterator[None]:
    """Make the folder of numbered files if it is not there, and take it back if they fail."""
    folder = path.expanduser().parent
    new = not folder.exists() and folder.parent.is_dir()
    if new:
        try:
            folder.mkdir()
        except OSError as error:
            raise ExportError(f"could not make the folder {str(folder)!r}: {error}") from None
    try:
        yield
    except BaseException:
        if new:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise
