"""A task whose answer is code: a function or an op that is tried out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.lessons.feedback import Feedback, Message, Outcome


class NotTriedError(Exception):
    """Raised by an examination that finds the dots still in place."""


class Task:
    """A piece of code to write, with the same three outcomes as a `Question`.

    Parameters
    ----------
    examine : callable
        Takes what the learner wrote, tries it out, and returns a hint at what is wrong, or None
        if nothing is. It may raise `NotTriedError`.
    right : str
        What to say when all is right.
    help_text : str
        What `hint` says.
    explanation : str
        What `solution` says, before the code.
    code : str
        One way to write it.

    Examples
    --------
    >>> def examine(function):
    ...     return None if function(3) == 9 else "3 must become 9."
    >>> square = Task(examine, "A square.", "x times x.", "Multiply:", "lambda x: x * x")
    >>> square.check(...)
    ○ Not tried yet. Put your answer in place of the dots.
    >>> square.check(lambda x: x + x)
    ✗ Not yet. 3 must become 9.
    >>> square.check(lambda x: x * x)
    ✓ Right. A square.
    """

    def __init__(
        self,
        examine: Callable[[Any], str | None],
        right: str,
        help_text: str,
        explanation: str,
        code: str,
    ) -> None:
        self._examine = examine
        self._right = right
        self._help = help_text
        self._explanation = explanation
        self._code = code

    def check(self, attempt: object) -> Feedback:
        """Try out what the learner wrote; whatever it raises becomes part of the hint."""
        try:
            if attempt is None or attempt is ...:
                raise NotTriedError
            hint = self._examine(attempt)
        except NotTriedError:
            return Feedback(Outcome.NOT_TRIED, ("Put your answer in place of the dots.",))
        except Exception as error:  # the learner's code may raise anything
            return Feedback(
                Outcome.WRONG, (f"Your code ended in {type(error).__name__}: {error}", self._help)
            )
        if hint is not None:
            return Feedback(Outcome.WRONG, (hint,))
        return Feedback(Outcome.RIGHT, (self._right,))

    def hint(self) -> Message:
        """Return a hint."""
        return Message(self._help)

    def solution(self) -> Message:
        """Return one way to write it."""
        return Message(f"{self._explanation}\n\n{self._code}")


def answer_of(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call what the learner wrote and return its answer.

    Raises
    ------
    NotTriedError
        If the answer is None or the dots.
    """
    answer = function(*arguments)
    if answer is None or answer is ...:
        raise NotTriedError
    return answer
