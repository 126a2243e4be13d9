"""Every error that minigrad raises on purpose, in one tree.

::

    MinigradError
    ├── ArgumentError          what a function was given and does not take
    ├── PlaceError             a step or a path that is asked for and not there
    ├── TensorError            data that cannot become a tensor
    ├── OpError                an op that breaks its contract
    │   └── UnregisteredOpError    a name that no op was registered under
    ├── GraphError             a tensor and a graph that do not belong together
    ├── BackwardError          a backward pass that cannot start or go on
    ├── GradcheckError         numeric and analytic gradients disagree
    ├── DrawingError           a picture that cannot be laid out or rendered
    └── ExportError            a file that cannot be written

Each message says what was given, what is allowed and what to do.
"""

import numpy as np

LONGEST_TOLD = 60
LARGEST_TOLD = 10_000
"""Characters of a text, or things in a list, that are worth writing out to show a few of them."""


class MinigradError(Exception):
    """Base class: ``except MinigradError`` catches whatever minigrad raises on purpose."""


class ArgumentError(MinigradError, TypeError, ValueError):
    """An argument that the function does not take, where no other error says more."""


class PlaceError(MinigradError, IndexError):
    """A step, or one of several other things, that is asked for by its number and not there."""


class TensorError(MinigradError, TypeError, ValueError):
    """Data, a dtype or a use that a tensor does not allow."""


class OpError(MinigradError):
    """An op whose forward or backward broke the contract of `Differentiable`."""


class UnregisteredOpError(OpError, LookupError):
    """A name under which no op was registered."""


class GraphError(MinigradError):
    """A tensor that does not belong to the graph it was used with, or a wrong record."""


class BackwardError(MinigradError):
    """A backward pass that cannot start or cannot go on; no gradient was changed."""


class GradcheckError(MinigradError, AssertionError):
    """The gradient that an op's backward gave is not the one that was measured."""


class DrawingError(MinigradError):
    """A picture that cannot be drawn: of what there is, or because Graphviz failed.

    Attributes
    ----------
    printed : str
        What Graphviz printed when it failed, for a report; no part of the message.
    """

    def __init__(self, message: str, printed: str = "") -> None:
        super().__init__(message)
        self.printed = printed


class ExportError(MinigradError):
    """A file that could not be written; whatever stood there before is untouched."""


def told(given: object) -> str:
    """Write what was given for a message: short, in one line, whatever it is.

    Examples
    --------
    >>> told("dark"), told([1, 2]), told(10**100)
    ("'dark'", '[1, 2]', 'a whole number of about 101 digits')
    >>> told(np.ones((2, 3)))
    'an array of dtype float64 and shape (2, 3)'
    """
    kind = type(given).__name__
    if isinstance(given, np.ndarray):
        return f"an array of dtype {given.dtype} and shape {given.shape}"
    if isinstance(given, int) and given.bit_length() > 200:  # of some lengths Python writes none
        return f"a whole number of about {int(given.bit_length() * 0.30103) + 1} digits"
    if isinstance(given, str | bytes | bytearray) and len(given) > LARGEST_TOLD:
        given = given[:LARGEST_TOLD]
    elif isinstance(given, list | tuple | set | frozenset | dict) and len(given) > LARGEST_TOLD:
        return f"a {kind} of {len(given):,} things"
    try:
        text = " ".join(repr(given)[:LARGEST_TOLD].split())
    except Exception:  # what is not minigrad's own may raise anything
        return f"a {kind} that cannot be written out"
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= LONGEST_TOLD else f"{text[: LONGEST_TOLD - 1]}…"
