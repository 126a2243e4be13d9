"""What is shown where a widget is not: in other viewers, and in a notebook opened again."""

from __future__ import annotations

import re
from html import escape
from typing import Any
from urllib.parse import quote

from IPython.display import publish_display_data

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
</style><svg class="{key}" style="display: none; max-width: 100%; height: auto"
width="{width}pt" height="{height}pt" viewBox="0 0 {width} {height}" role="img" aria-label="{said}"
><image width="100%" height="100%" href="data:image/svg+xml,{picture}"/></svg>"""
"""For JupyterLab and Notebook, which prefer a widget to its static forms, but have in its place
the mere text "Loading widget..." while there is no kernel, and "model not found" with a new one:
shown instead of an output without any element in it. Nothing else shows it."""


def with_static(bundle: Any, static: dict[str, str]) -> Any:
    """Add static forms of a widget to its mimebundle; None, of a closed widget, stays None."""
    if bundle is None:
        return None
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**data, **static}, metadata


class ShownAgain:
    """A widget whose picture takes its place where a saved notebook is opened again."""

    def _ipython_display_(self) -> None:
        bundle: Any = self._repr_mimebundle_()  # type: ignore[attr-defined]
        data, metadata = bundle if bundle is not None else ({"text/plain": repr(self)}, {})
        publish_display_data(data, metadata)  # type: ignore[no-untyped-call]
        if VIEW in data and "image/svg+xml" in data:
            # empty for those who take one of the other forms: they have the picture already
            behind = {"text/html": _still(data), "text/latex": "", "text/plain": ""}
            publish_display_data(behind)  # type: ignore[no-untyped-call]


def _still(data: dict[str, Any]) -> str:
    svg = data["image/svg+xml"]
    size = SIZE.search(svg)
    assert size is not None  # all our pictures say how large they are
    return STILL.format(
        key=f"mg-{data[VIEW]['model_id']}",
        width=size[1],
        height=size[2],
        said=escape(data["text/plain"]),
        picture=quote(svg, safe=" !$()*+,-./:;=?@[]^_`|~"),
    )
