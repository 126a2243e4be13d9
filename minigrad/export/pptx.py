"""PowerPoint: a slide for each step, with its picture, its words as text, and its numbers."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from minigrad.diagram.palette import INKS, TRANSPARENT, Ink, check_background
from minigrad.diagram.render import png_size
from minigrad.diagram.svg import xml_text
from minigrad.export.frames import Frame
from minigrad.export.options import Options
from minigrad.export.page_layout import FONT_SIZE
from minigrad.progress import counted
from minigrad.trace.notation import isolated, visible

PICTURE_WIDTH = 2400
"""Pixels: sharp on any projector."""
LONG_AGO = datetime(2000, 1, 1)
"""Stands for every date in the file, so that equal slides make equal files."""
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
POINT = 12_700
"""English metric units, in which places on slides are given."""
WIDTH, HEIGHT = 960, 540
MARGIN = 36
TITLE_SIZE = 28
TITLE_TOP, TITLE_HEIGHT = 8, 62
LINE_HEIGHT = 1.25
LETTER_WIDTH = 0.53
MONO_WIDTH = 0.6
MONO = "Consolas"
LARGEST_SHARE = 0.4
TITLE_ONLY = 5
"""Which of the layouts of python-pptx's template has a title and nothing else."""


@dataclass(frozen=True)
class _SlideStyle:
    """What all slides have in common, in points."""

    ink: Ink
    background: str
    size: float
    text_height: float
    caption: bool | str


def presentation(
    frames: Sequence[Frame], pngs: Sequence[bytes], options: Options, title: str
) -> bytes:
    """Return a .pptx file with a slide for each frame.

    Parameters
    ----------
    frames : sequence of Frame
        What is said.
    pngs : sequence of bytes
        Their pictures, all of one size.
    options : Options
        Of these: theme, background, caption and font size.
    title : str
        Of the file.
    """
    from pptx import Presentation

    deck: Any = Presentation()
    _widen(deck)
    deck.slide_width, deck.slide_height = WIDTH * POINT, HEIGHT * POINT
    style = _slide_style(frames, options)
    both = zip(frames, pngs, strict=True)
    for frame, png in counted(both, "Writing slides", len(frames)):
        _add_slide(deck, frame, png, style)
    about = deck.core_properties
    about.title, about.author, about.last_modified_by = xml_text(title), "", ""
    about.created = about.modified = LONG_AGO
    file = io.BytesIO()
    deck.save(file)
    return _without_dates(file.getvalue())


def _widen(deck: Any) -> None:
    """Fit the places of the template, which is made for 4:3, to the wider slide."""
    across, down = WIDTH * POINT / deck.slide_width, HEIGHT * POINT / deck.slide_height
    master = deck.slide_master
    for holder in (master, *master.slide_layouts):
        for shape in holder.placeholders:
            if shape.element.spPr.find(".//{*}xfrm") is not None:
                shape.left, shape.width = round(shape.left * across), round(shape.width * across)
                shape.top, shape.height = round(shape.top * down), round(shape.height * down)


def _slide_style(frames: Sequence[Frame], options: Options) -> _SlideStyle:
    caption = True if options.caption is None else options.caption
    colour = check_background(options.background, options.theme)
    if colour == TRANSPARENT:
        colour = check_background(None, options.theme)
    size = float(options.font_size or FONT_SIZE)
    # as many lines as the longest text of all slides takes, so that no picture moves
    while (height := max(_text_height(f, caption, size) for f in frames)) > LARGEST_SHARE * HEIGHT:
        size *= 0.95
    return _SlideStyle(INKS[options.theme], colour, size, height, caption)


def picture_room(frames: Sequence[Frame], options: Options) -> tuple[float, float]:
    """Return the width and height that the texts of some slides leave for a picture, in points."""
    return _room(_slide_style(frames, options))


def _room(style: _SlideStyle) -> tuple[float, float]:
    height = HEIGHT - TITLE_TOP - TITLE_HEIGHT - style.text_height - MARGIN - 8
    return WIDTH - 2 * MARGIN, height


def _text_height(frame: Frame, caption: bool | str, size: float) -> float:
    def lines(text: str, letter: float) -> int:
        return math.ceil(len(text) * letter * size / (WIDTH - 2 * MARGIN)) or 1

    if not caption:
        return 0.0
    if isinstance(caption, str):
        count = sum(lines(part, LETTER_WIDTH) for part in caption.splitlines() or [""])
    else:
        count = lines(frame.words.sentence, LETTER_WIDTH)
        count += sum(lines(formula, MONO_WIDTH) for formula in frame.words.formulas)
    return count * size * LINE_HEIGHT


def _add_slide(deck: Any, frame: Frame, png: bytes, style: _SlideStyle) -> None:
    from pptx.enum.text import PP_ALIGN

    slide = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    fill = slide.background.fill
    fill.solid()
    fill.fore_color.rgb = _colour(style.background)
    title = slide.shapes.title
    _place(title, MARGIN, TITLE_TOP, WIDTH - 2 * MARGIN, TITLE_HEIGHT)
    title.text_frame.word_wrap = True
    title.text_frame.paragraphs[0].alignment = PP_ALIGN.LEFT
    title.text_frame.margin_left = 0
    _write(
        title.text_frame.paragraphs[0], frame.words.title, TITLE_SIZE, style.ink.plain, bold=True
    )
    _add_picture(slide, frame, png, style)
    if style.caption:
        _add_text(slide, frame, style)
    where = slide.shapes.add_textbox(0, 0, 0, 0)
    _place(where, WIDTH - MARGIN - 160, HEIGHT - 32, 160, 24)
    where.name = "Step"
    paragraph = where.text_frame.paragraphs[0]
    paragraph.alignment = PP_ALIGN.RIGHT
    where.text_frame.margin_right = 0
    _write(paragraph, frame.place, 14, style.ink.soft)
    slide.notes_slide.notes_text_frame.text = xml_text(notes_of(frame))


def _add_picture(slide: Any, frame: Frame, png: bytes, style: _SlideStyle) -> None:
    """Put the picture where it is as large as there is room."""
    pixels = png_size(png)
    top, room = TITLE_TOP + TITLE_HEIGHT, _room(style)
    scale = min(room[0] / pixels[0], room[1] / pixels[1])
    width, height = pixels[0] * scale, pixels[1] * scale
    picture = slide.shapes.add_picture(io.BytesIO(png), 0, 0)
    _place(picture, (WIDTH - width) / 2, top + (room[1] - height) / 2, width, height)
    picture.name = "Diagram"
    picture._element.nvPicPr.cNvPr.set("descr", xml_text(frame.drawing.description))


def _add_text(slide: Any, frame: Frame, style: _SlideStyle) -> None:
    box = slide.shapes.add_textbox(0, 0, 0, 0)
    box.name = "Caption"
    top = HEIGHT - MARGIN - style.text_height
    _place(box, MARGIN, top, WIDTH - 2 * MARGIN, style.text_height)
    text = box.text_frame
    text.word_wrap = True
    for side in ("left", "right", "top", "bottom"):
        setattr(text, f"margin_{side}", 0)
    rows = [(frame.words.sentence, "")] + [(one, MONO) for one in frame.words.formulas]
    if isinstance(style.caption, str):
        rows = [(isolated(visible(part)), "") for part in style.caption.splitlines() or [""]]
    for number, (row, font) in enumerate(rows):
        paragraph = text.paragraphs[0] if not number else text.add_paragraph()
        _write(paragraph, row, style.size, style.ink.plain, font=font)


def _write(
    paragraph: Any, text: str, size: float, colour: str, *, bold: bool = False, font: str = ""
) -> None:
    run = paragraph.add_run()
    run.text = xml_text(text)
    run.font.size = round(size * POINT)
    run.font.bold = bold
    run.font.color.rgb = _colour(colour)
    if font:
        run.font.name = font


def notes_of(frame: Frame) -> str:
    """Return what the speaker is to have at hand: the sentence, the rules and every number."""
    lines = [frame.words.sentence, *frame.words.formulas, ""]
    for row in frame.rows:
        change = f"{row.before} → {row.after}" if row.changed else row.after
        mark = "  (new)" if row.changed else ""
        lines.append(f"{row.name}: value {row.value}, gradient {change}{mark}")
    return "\n".join(lines)


def _place(shape: Any, left: float, top: float, width: float, height: float) -> None:
    shape.left, shape.top = round(left * POINT), round(top * POINT)
    shape.width, shape.height = round(width * POINT), round(height * POINT)


def _colour(text: str) -> Any:
    from pptx.dml.color import RGBColor

    return RGBColor.from_string(text.removeprefix("#").upper())


def _without_dates(data: bytes) -> bytes:
    """Write a zip file anew, with one date for all that is in it."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name, ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, old.read(name))
    return file.getvalue()
