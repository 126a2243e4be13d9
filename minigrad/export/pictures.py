"""One frame as the bytes of a picture: svg, png, pdf, or the DOT text behind it."""

from __future__ import annotations

import io

from minigrad.diagram.canvas import Canvas
from minigrad.diagram.render import check_width, png_size
from minigrad.export.embedding import with_fonts, with_outlines
from minigrad.export.frames import Frame
from minigrad.export.options import SOURCES, Options
from minigrad.export.page_layout import SLIDE_RATIO


def picture(frame: Frame, canvas: Canvas, chosen: str, options: Options) -> bytes:
    """Return the bytes of a picture of one frame; a PDF is still to be bound into a file."""
    drawing = frame.diagram
    if chosen in SOURCES:
        return drawing.dot_text(options.theme, options.background).encode()
    data = drawing.render(
        chosen,
        width=options.width,
        theme=options.theme,
        background=options.background,
        canvas=canvas,
    )
    if chosen == "svg":
        return with_outlines(data) if options.outlines else with_fonts(data)
    if chosen == "pdf":
        return data
    return _slide_sized(data, canvas, options) if options.canvas == "16:9" else data


def _slide_sized(png: bytes, canvas: Canvas, options: Options) -> bytes:
    """Mend a row of pixels by which rounding may have missed 16:9."""
    from PIL import Image

    width = check_width(options.width, canvas)
    height = round(width / SLIDE_RATIO)
    if png_size(png) == (width, height):
        return png
    image = Image.open(io.BytesIO(png))
    mended = Image.new(image.mode, (width, height), image.getpixel((0, 0)))
    mended.paste(image, (0, 0))
    file = io.BytesIO()
    mended.save(file, "PNG")
    return file.getvalue()
