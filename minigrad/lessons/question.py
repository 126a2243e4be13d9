"""A question with three outcomes: not tried, wrong, right; and a hint at one's own mistake."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from minigrad.trace.numbers import format_number

TOLERANCE = 1e-4


class Outcome(Enum):
    """How an answer fared, with the sign and the word that tell it."""

    NOT_TRIED = "○ Not tried yet."
    WRONG = "✗ Not yet."
    RIGHT = "✓ Right."


@dataclass(frozen=True)
class Feedback:
    """What a learner is told about an answer; it shows itself in a notebook.

    Attributes
    ----------
    outcome : Outcome
        Not tried, wrong or right.
    text : str
        A hint, or what there is to notice.
    """

    outcome: Outcome
    text: str

    def __repr__(self) -> str:
        return f"{self.outcome.value} {self.text}"


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that many people give, and what to say to it.

    Attributes
    ----------
    name : str
        Which of the asked-for numbers it is about.
    value : float
        The wrong number.
    hint : str
        What to think about again.
    """

    name: str
    value: float
    hint: str


class Question:
    """A question whose answer is one number or several, each with a name.

    Parameters
    ----------
    truth : callable
        Returns the right numbers by name; the engine computes them.
    mistakes : sequence of Mistake
        Those that can be recognised by their value.
    right : str
        What to say when all is right.
    help_text : str
        What `hint` says.
    explanation : str
        What `solution` says, before the numbers.
    """

    def __init__(
        self,
        truth: Callable[[], Mapping[str, float]],
        mistakes: Sequence[Mistake],
        right: str,
        help_text: str,
        explanation: str,
    ) -> None:
        self._truth = truth
        self._mistakes = mistakes
        self._right = right
        self._help = help_text
        self._explanation = explanation

    def check(self, **answers: object) -> Feedback:
        """Compare answers with what the engine computes; ``...`` or None is "not tried".

        Raises
        ------
        TypeError
            If an answer has a name that was not asked for.
        """
        truth = self._truth()
        unknown = sorted(set(answers) - set(truth))
        if unknown:
            raise TypeError(f"no answer is called {unknown[0]!r}; asked for are {', '.join(truth)}")
        missing = [name for name in truth if _is_blank(answers.get(name))]
        if missing:
            blanks = " and ".join(missing)
            return Feedback(Outcome.NOT_TRIED, f"Put a number in place of the dots: {blanks} = ...")
        hints = []
        for name, expected in truth.items():
            hint = self._look_at(name, answers[name], expected)
            if hint is not None:
                hints.append(hint)
        if hints:
            return Feedback(Outcome.WRONG, " ".join(hints))
        compared = ", ".join(
            f"{name}: yours {_show(answers[name])} / true {_show(expected)}"
            for name, expected in truth.items()
        )
        return Feedback(Outcome.RIGHT, f"{compared}. {self._right}")

    def _look_at(self, name: str, answer: object, expected: float) -> str | None:
        try:
            number = float(answer)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            return f"{name} must be a number, not {str(answer)[:40]!r}."
        if _close(number, expected):
            return None
        for mistake in self._mistakes:
            if mistake.name == name and _close(number, mistake.value):
                return f"{name} = {_show(number)}: {mistake.hint}"
        return f"{name} = {_show(number)} is not it. {self._help}"

    def hint(self) -> str:
        """Return a hint."""
        return self._help

    def solution(self) -> str:
        """Return the answer and why it is so."""
        numbers = ", ".join(f"{name} = {_show(value)}" for name, value in self._truth().items())
        return f"{self._explanation} So {numbers}."


def _is_blank(answer: object) -> bool:
    return answer is None or answer is ...


def _close(number: float, expected: float) -> bool:
    return math.isclose(number, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _show(value: object) -> str:
    return format_number(float(value))  # type: ignore[arg-type]
