"""`Feedback` and `Message`: what a learner reads; plain text, and plain HTML in a notebook.

There is no colour in it: what counts is a sign and a word, in whichever theme, and for ears too.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from enum import Enum


class Outcome(Enum):
    """How an answer fared, with the sign and the word that tell it."""

    NOT_TRIED = "○ Not tried yet."
    WRONG = "✗ Not yet."
    RIGHT = "✓ Right."


@dataclass(frozen=True)
class Feedback:
    """What a learner is told about an answer; it shows itself in a notebook.

    It counts as true if the answer was right, so that a cell can wait for it:
    ``if feedback: ...``.

    Attributes
    ----------
    outcome : Outcome
        Not tried, wrong or right.
    lines : tuple of str
        A hint, or what there is to notice; code in it stands between backticks.
    """

    outcome: Outcome
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """All lines as one."""
        return " ".join(self.lines)

    def __bool__(self) -> bool:
        return self.outcome is Outcome.RIGHT

    def __repr__(self) -> str:
        return "\n".join([f"{self.outcome.value} {self.lines[0]}", *self.lines[1:]])

    def _repr_html_(self) -> str:
        first, *others = map(_marked_up, self.lines)
        shown = f'<p dir="ltr"><strong>{self.outcome.value}</strong> {first}</p>'
        if others:
            shown += f'<ul dir="ltr">{"".join(f"<li>{line}</li>" for line in others)}</ul>'
        return shown


class Message(str):
    """A text that a notebook shows as text, and not as Python writes a string.

    Code stands between backticks, or after an empty line.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        sentence, _, code = self.partition("\n\n")
        shown = f'<p dir="ltr">{_marked_up(sentence)}</p>'
        return f'{shown}<pre dir="ltr">{html.escape(code)}</pre>' if code else shown


def _marked_up(text: str) -> str:
    return re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(text))
