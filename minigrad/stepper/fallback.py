"""What stands in a widget's place where a saved notebook is opened again."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from minigrad.diagram.palette import darken
from minigrad.export.mime_bundle import svg_address

VIEW = "application/vnd.jupyter.widget-view+json"
SIZE = re.compile(r'width="([\d.]+)pt" height="([\d.]+)pt"')
STILL = """<style class="{key}">
.jp-OutputArea-child:has(> .jp-OutputArea-output > *, > .lm-mod-hidden)
+ .jp-OutputArea-child:has(> * > style.{key}),
.jp-OutputArea-child:has(+ * > * > style.{key}) > .jp-OutputArea-output:not(:has(*)) {{
  display: none;
}}
.jp-OutputArea-child:not(:has(> .jp-OutputArea-output > *, > .lm-mod-hidden))
+ .jp-OutputArea-child svg.{key} {{
  display: inline !important;
}}
{dark}
</style><svg class="{key}" style="display: none; max-width: 100%; height: auto"
width="{width}pt" height="{height}pt" viewBox="0 0 {width} {height}" role="img" aria-label="{said}"
><image width="100%" height="100%" href="{picture}"/></svg>"""
"""For JupyterLab and Notebook, which prefer a widget to its static forms, but have in its place
the mere text "Loading widget..." while there is no kernel, and "model not found" with a new one:
shown instead of an output without any element in it. Nothing else shows it."""


def still_behind(data: dict[str, Any]) -> dict[str, str] | None:
    """Return the output to put behind that of a widget, or None if it has no picture.

    Parameters
    ----------
    data : dict
        All forms of the widget, by their types.
    """
    if VIEW not in data or "image/svg+xml" not in data:
        return None
    size = SIZE.search(data["image/svg+xml"])
    assert size is not None  # all our pictures say how large they are
    png, key = data.get("image/png"), key_of(data[VIEW]["model_id"])
    html = STILL.format(
        key=key,
        dark=darken(f"svg.{key}"),
        width=size[1],
        height=size[2],
        said=escape(data["text/plain"]),
        picture=f"data:image/png;base64,{png}" if png else svg_address(data["image/svg+xml"]),
    )
    # empty for those who take one of the other forms: they have the picture already
    return {"text/html": html, "text/latex": "", "text/plain": ""}


def is_of_widget(bundle: dict[str, Any], model: str) -> bool:
    """Tell whether an output is that of a widget, known by its model, or the still behind it."""
    view = bundle.get(VIEW)
    return (view is not None and view["model_id"] == model) or (
        key_of(model) in bundle.get("text/html", "")
    )


def key_of(model: str) -> str:
    """Return what marks the still behind a widget."""
    return f"mg-{model}"
