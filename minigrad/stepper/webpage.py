"""The stepper as a web page: one file that needs no kernel and no network."""

from __future__ import annotations

import hashlib
import json
from html import escape
from typing import Any

from minigrad.diagram.palette import BACKGROUND, INKS
from minigrad.engine.errors import ExportError
from minigrad.export.options import Options
from minigrad.stepper.assets import CSS, WEBPAGE

# nothing is fetched, and nothing that a name says can be
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
PAGE = """<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ max-width: 1400px; margin: 0 auto; padding: 16px; background: {background}; }}
h1, h2 {{ font-family: system-ui, sans-serif; font-weight: 600; color: {ink}; }}
h1 {{ margin: 0; font-size: 22px; }}
h2 {{ margin: 0 0 10px; font-size: 15px; color: {soft}; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<h2>Step by step</h2>
{fragment}
</main>
</body>
</html>
"""
FRAGMENT = """<div data-minigrad="{name}">
<script type="application/json">{data}</script>
{picture}
</div>
<script type="module">
{script}
minigrad.startSteppers("{name}");
</script>"""


def webpage(
    sent: dict[str, Any], variant: str, picture: str, options: Options, index: int, title: str
) -> bytes:
    """Return a page with the stepper at a step, or the part of it to put into another page.

    Parameters
    ----------
    sent : dict
        What a stepper is sent, by the name of its trait, with all views in it.
    variant : str
        The key of the variant that it starts with.
    picture : str
        An SVG that is shown where no script runs.
    options : Options
        Theme and fragment.
    index : int
        The step it opens at.
    title : str
        Its title.

    Raises
    ------
    ExportError
        If it is to be a quiz and there are no questions.
    """
    payload = sent["payload"]
    if payload["predict"] and not any(one["asked"] for one in payload["variants"].values()):
        raise ExportError(
            "predict=True makes a quiz, and there are no questions about this graph: it is too "
            "large, or has no steps backward; leave predict out, or choose a smaller graph"
        )
    data = {
        **sent,
        "_from_python": [index, 0, variant],
        "_from_page": [index, 0, variant],
        "style": CSS,
        "theme": options.theme,
        "whole": not options.fragment,
    }
    text = script_safe(data)
    fragment = FRAGMENT.format(
        name=hashlib.sha256(text.encode()).hexdigest()[:16],
        data=text,
        picture=picture,
        script=WEBPAGE,
    )
    if options.fragment:
        return fragment.encode()
    page = PAGE.format(
        policy=POLICY,
        title=escape(title),
        background=BACKGROUND[options.theme],
        ink=INKS[options.theme].plain,
        soft=INKS[options.theme].soft,
        fragment=fragment,
    )
    return page.encode()


def script_safe(data: object) -> str:
    """Write data as JSON that stays data inside of a page, whatever the names in it are."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
