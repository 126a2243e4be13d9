"""`Drawing`: one picture that shows itself in a notebook and saves itself to a file."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import graphviz

from minigrad.diagram import Film, Layout, Layouts, Look, Theme, render
from minigrad.diagram.canvas import Canvas, plain_canvas
from minigrad.diagram.directions import Choice
from minigrad.diagram.dot import to_dot
from minigrad.diagram.palette import check_background, check_theme
from minigrad.engine.checks import one_of, yes_or_no
from minigrad.engine.errors import DrawingError, ExportError
from minigrad.export.files import check_target, file_format, write_file
from minigrad.export.frames import Frame
from minigrad.export.mime_bundle import DARK_STYLE, FOLLOWS, html_image, mime_bundle, png_width
from minigrad.export.options import PICTURES, SINGLE, Options
from minigrad.export.page_layout import with_canvases
from minigrad.export.pdf import pdf_of_pages
from minigrad.export.pictures import picture
from minigrad.export.streams import Target
from minigrad.trace import Snapshot, Words


class Drawing:
    """One frame of a film: a graph as it stood, or one step of a trace.

    In a notebook it shows itself. `svg` is its text, `to_graphviz` hands out the DOT
    source for changes of one's own, and `save` writes a file.

    Attributes
    ----------
    film, layouts
        What it is a frame of, and where everything stands in each direction.
    description : str
        The picture in words, for those who don't see it.
    direction : {'auto', 'right', 'down'}
        Where results are to stand, seen from their operands.
    theme : {'light', 'dark'}
        The colours of it; they can be set. If none were chosen, they are light, and where a
        notebook is dark, it shows the picture dark.
    """

    def __init__(
        self,
        film: Film,
        step: int,
        layouts: Layouts,
        description: str,
        theme: Theme | None = None,
        direction: Choice = "auto",
    ) -> None:
        self.description = description
        self._chosen_theme = None if theme is None else check_theme(theme)
        self.film = film
        self._step = step
        self.layouts = layouts
        self.direction = direction

    @property
    def theme(self) -> Theme:
        """The colours of it; they can be set."""
        return self._chosen_theme or "light"

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._chosen_theme = check_theme(theme)

    @property
    def svg(self) -> str:
        """The picture as SVG text, complete in itself."""
        return self.render("svg").decode()

    def png(self, width: int | None = None) -> bytes:
        """Return the picture as a PNG of that many pixels in width."""
        return self.render("png", width=width)

    @property
    def layout(self) -> Layout:
        """Where everything stands."""
        return self.layouts.fitting(self.direction)

    @property
    def overview(self) -> Drawing:
        """The same with small boxes that say what they are, for where it is too large to be read.

        Boxes and arrows have the colours of their states, and there are no numbers.
        """
        other = self.turned(self.direction)
        other.film, other.layouts = self.film.overview, self.layouts.overview
        return other

    def turned(self, direction: Choice) -> Drawing:
        """Return the same in another direction."""
        other = copy.copy(self)
        other.direction = direction
        return other

    @property
    def looks(self) -> dict[str, Look]:
        """How each box and edge looks, by key."""
        return self.film.frame(self._step)

    @property
    def snapshot(self) -> Snapshot:
        """The tensors and edges in the picture."""
        return self.film.snapshot

    def to_graphviz(self) -> graphviz.Digraph:
        """Return the picture as a `graphviz.Digraph`, not laid out yet."""
        return self._dot(self.theme)

    def dot_text(self, theme: Theme, background: str | None = None) -> str:
        """Return the picture as DOT text.

        Of a step, the places are pinned, so that Graphviz draws all steps alike; without the
        line ``layout=nop2`` it chooses places of its own.
        """
        theme = check_theme(theme)
        pinned = self.layout if self.film.length > 1 else None
        dot = self._dot(theme, pinned, check_background(background, theme))
        if pinned:
            dot.graph_attr["layout"] = "nop2"
        return str(dot.source)

    def _dot(
        self, theme: Theme, pinned: Layout | None = None, background: str | None = None
    ) -> graphviz.Digraph:
        looks, layout = self.film.frame(self._step), self.layout
        return to_dot(
            self.film,
            looks,
            theme,
            pinned,
            background,
            direction=layout.direction,
            columns=layout.columns,
        )

    def save(
        self,
        path: Target,
        *,
        format: str | None = None,
        width: int | None = None,
        theme: Theme | None = None,
        background: str | None = None,
        overwrite: bool = False,
        caption: bool | str | None = None,
        canvas: str | None = None,
        direction: Choice | None = None,
        font_size: float | None = None,
        outlines: bool | None = None,
    ) -> Path | None:
        """Write the picture to a file.

        Parameters
        ----------
        path : path_like or binary file
            Ends in ``.svg``, ``.png`` or ``.pdf``, or in ``.gv`` or ``.dot`` for the DOT text. Or
            an open binary file, such as `io.BytesIO`, which is written to and stays open.
        format : str, optional
            Of an open file, which has no suffix: ``'svg'``, ``'png'``, ``'pdf'``, …
        width : int, optional
            Of a PNG, in pixels; the height follows. By default 1600, and more for a picture
            whose text would be too small then.
        theme : {'light', 'dark'}, optional
            Which colours to use; by default those of the drawing.
        background : str, optional
            A colour, or ``'transparent'``; by default white, or near black in the dark theme.
        overwrite : bool, default False
            Whether a file that is already there may be replaced.
        caption : bool or str, optional
            A text to write below the picture; True for its description. By default none.
        canvas : {'crop', '16:9'}, optional
            As large as the picture, which is the default, or a slide with the picture in it.
        direction : {'auto', 'right', 'down'}, optional
            From left to right, from top to bottom, or as it is larger: on a slide, or in the cell
            of a notebook. By default as the drawing was made.
        font_size : float, default 20
            Of the caption, in points on a slide that is 960 points wide.
        outlines : bool, optional
            Of an SVG: draw letters as shapes, which no program can show in another font. By
            default they are text, and the font is inside the file.

        Returns
        -------
        pathlib.Path or None
            Where it was written; None if that is an open file.

        Raises
        ------
        ExportError
            If the suffix is unknown, the format has no such option, or the file is there already
            or cannot be written.
        DrawingError
            If the picture cannot be made.

        Examples
        --------
        >>> import tempfile, minigrad as mg
        >>> graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True, name="x")
        >>> w = mg.mul(graph, x, x)
        >>> mg.draw(graph).save(f"{tempfile.mkdtemp()}/w.svg").name
        'w.svg'
        >>> import io
        >>> file = io.BytesIO()
        >>> mg.draw(graph).save(file, format="png")
        >>> file.getvalue()[1:4]
        b'PNG'
        """
        chosen = file_format(path, SINGLE, format)
        options = Options(
            width=width,
            theme=self.theme if theme is None else theme,
            background=background,
            caption=caption,
            canvas=canvas,
            direction=direction,
            font_size=font_size,
            outlines=outlines,
        )
        options = options.checked(chosen)
        overwrite = yes_or_no(overwrite, "overwrite", ExportError)
        check_target(path, overwrite=overwrite)
        frame = Frame(self, "", Words("", self.description, ()), [])
        data = picture(*with_canvases([frame], options)[0], chosen, options)
        if chosen == "pdf":
            data = pdf_of_pages([data], [self.description])
        return write_file(path, data, overwrite=overwrite)

    def render(
        self,
        chosen: str,
        *,
        width: int | None = None,
        theme: Theme | None = None,
        background: str | None = None,
        canvas: Canvas | None = None,
    ) -> bytes:
        """Return the picture as Graphviz makes it: the bytes of an svg, png or pdf.

        The options are those of `save`; `canvas` is what to cover, by default the diagram alone.
        """
        chosen = one_of(chosen, "format", PICTURES, DrawingError)
        return render(
            self.film,
            self._step,
            self.layout,
            chosen,
            self.theme if theme is None else check_theme(theme),
            width,
            background,
            self.description,
            canvas,
        )

    def still(self) -> dict[str, str]:
        """Return what viewers show that show no widgets, by MIME type."""
        width = png_width(*plain_canvas(self.layout).size)
        return mime_bundle(self.svg, lambda: self.png(width), self.description)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        still = self.still()
        if self._chosen_theme:
            return still
        attributes = f'class="{FOLLOWS}" style="max-width: 100%; height: auto"'
        image = html_image(still["image/svg+xml"], self.description, attributes=attributes)
        # JupyterLab shows an SVG as an image too, but by itself, and an image follows no theme
        return {"text/html": f"{DARK_STYLE}{image}", **still}

    def __repr__(self) -> str:
        return f"Drawing({self.description})"
