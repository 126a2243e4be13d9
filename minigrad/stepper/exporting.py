"""`Exporting`: what a stepper can be exported as."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from minigrad.diagram import Theme
from minigrad.diagram.directions import Choice
from minigrad.export.frames import Deck, Steps
from minigrad.export.options import Options
from minigrad.export.slides import choose, export, file_of
from minigrad.export.streams import Target


class Exporting:
    """The part of a `Stepper` that makes files."""

    def _deck(self) -> Deck:
        """Return what there is to export."""
        raise NotImplementedError

    def export(
        self,
        path: Target,
        *,
        format: str | None = None,
        step: int | None = None,
        steps: Steps | None = None,
        overwrite: bool = False,
        width: int | None = None,
        theme: Theme = "light",
        background: str | None = None,
        caption: bool | str | None = None,
        table: bool | None = None,
        close_up: bool | None = None,
        canvas: str | None = None,
        direction: Choice | None = None,
        font_size: float | None = None,
        delay: float | None = None,
        last_delay: float | None = None,
        outlines: bool | None = None,
        fragment: bool | None = None,
        predict: bool | None = None,
        progress: bool | None = None,
    ) -> Path | list[Path] | None:
        """Write steps to a file, or each to a file of its own, in the form that the suffix says.

        All steps get pictures of one size with everything in one place, so that flipping
        through them moves nothing. A step is a node or an edge, as `grain` says.

        ==================  =========================================================
        ``.svg .png .pdf``  a picture of one step; several steps make numbered files,
                            or a PDF with a page for each
        ``.gif``            an animation, also as ``.webp`` and ``.apng``
        ``.pptx``           a slide for each step, with the words and numbers as text
        ``.html``           the stepper itself, in a page that needs no kernel; with
                            ``predict=True`` it is a quiz
        ``.gv``             the DOT text, also as ``.dot``
        ==================  =========================================================

        The address of a page may say more: ``w.html#step=4`` opens it at step 4, counted from 1 as
        the page does, and follows when the address changes. With ``&zoom=1.5&at=n12`` it also sets
        how large the picture is and which box is in its middle: ``n12`` or ``12`` is node #12, and
        ``t0`` a leaf by its key, as in `to_graphviz`. What makes no sense is left out. "Link to
        this step", in the page's menu, writes such an address. A fragment leaves the address alone.

        Parameters
        ----------
        path : path_like or binary file
            Where to. With ``{}`` in its name each step is written to a file of its own, with its
            number from 1 in that place (also as ``{:03d}`` or ``%03d``); a folder that is missing
            is made. An open binary file, such as `io.BytesIO`, takes what is one file, and stays
            open.
        format : str, optional
            Of an open file, which has no suffix: ``'pdf'``, ``'gif'``, ``'pptx'``, …
        step : int, optional
            Only this step, from 0; of a page, where it opens. By default the one that is shown
            for pictures, and all steps for everything else.
        steps : 'all' or iterable of int, optional
            All steps, or some of them by their indices from 0.
        overwrite : bool, default False
            Whether files that are already there may be replaced.
        width : int, optional
            Of the picture, in pixels. By default 1600 or more for a PNG, 1280 for an animation
            and 2400 in a presentation.
        theme : {'light', 'dark'}, default 'light'
            Which colours to use.
        background : str, optional
            A colour, or ``'transparent'``; by default white, or near black in the dark theme.
        caption : bool or str, optional
            Whether to write the words and formulas of each step below its picture, or a text
            of your own. By default in animations and presentations only.
        table : bool, default False
            Whether to write the gradient table below the picture.
        close_up : bool, optional
            Whether to draw the node of each step with its operands once more, large, beside the
            diagram or below it. By default where there is a caption or a slide, if the diagram is
            so large that its own text could not be read on it. In place of a diagram that is so
            large, there is an overview then: small boxes that say what they are.
        canvas : {'crop', '16:9'}, optional
            As large as the picture, which is the default, or a slide that the picture fills.
            A presentation always has 16:9 slides.
        direction : {'auto', 'right', 'down'}, optional
            From left to right or from top to bottom, in all pictures alike; or as they are larger:
            on a slide or in an animation, or else in the cell of a notebook. Of a page: how it
            opens. By default as the stepper was made.
        font_size : float, default 20
            Of captions and tables, in points on a slide that is 960 points wide.
        delay : float, default 2
            Seconds that an animation shows each step.
        last_delay : float, default 5
            Seconds that it shows the last one, before it starts again.
        outlines : bool, optional
            Of an SVG: draw letters as shapes, which no program can show in another font. By
            default they are text, and the font is inside the file.
        fragment : bool, optional
            Of a page: only the part to paste into another page or a slide of reveal.js.
        predict : bool, optional
            Of a page: whether it opens in predict mode, as a quiz; by default as the stepper does.
        progress : bool, optional
            Show a progress bar, or never one; by default only if it takes more than
            a second and someone is there to see it.

        Returns
        -------
        pathlib.Path, list of pathlib.Path or None
            Where it was written; a list if the files are numbered, None if it is an open file.

        Raises
        ------
        ExportError
            If the suffix is unknown, the format has no such option, there are no steps to write,
            or a file is there already or cannot be written. Then nothing is written at all.
        DrawingError, PlaceError
            If a picture cannot be made, or there is no such step.

        Examples
        --------
        >>> import tempfile, minigrad as mg
        >>> graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True, name="x")
        >>> stepper = mg.step(graph, mg.mul(graph, x, x))
        >>> folder = tempfile.mkdtemp()
        >>> stepper.export(f"{folder}/lecture.pptx").name
        'lecture.pptx'
        >>> [path.name for path in stepper.export(f"{folder}/step_{{}}.svg", steps="all")]
        ['step_1.svg', 'step_2.svg', 'step_3.svg']
        """
        options = Options(
            width=width,
            theme=theme,
            background=background,
            caption=caption,
            table=table,
            close_up=close_up,
            canvas=canvas,
            direction=direction,
            font_size=font_size,
            delay=delay,
            last_delay=last_delay,
            outlines=outlines,
            fragment=fragment,
            predict=predict,
        )
        return export(
            self._deck(),
            path,
            options,
            named=format,
            step=step,
            steps=steps,
            overwrite=overwrite,
            progress=progress,
        )


def file_for_page(deck: Deck, wish: dict[str, Any]) -> bytes:
    """Return the file that the page's menu asks for: of one step, or of all."""
    chosen = wish["format"]
    options = Options(theme=wish["theme"]).checked(chosen)
    one = None if wish.get("all") else wish["step"]
    indices = choose(deck, chosen, one, "all" if one is None else None)
    return file_of(deck, chosen, options, indices)
