"""Every error that minigrad raises on purpose, in one tree.

::

    MinigradError
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


class MinigradError(Exception):
    """Base class: ``except MinigradError`` catches whatever minigrad raises on purpose."""


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
