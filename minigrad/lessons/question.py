"""A question with three outcomes: not tried, wrong, right; and a hint at one's own mistake."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from minigrad.engine.errors import ArgumentError, told
from minigrad.lessons.answers import Answer, complaint, is_blank, matches, show
from minigrad.lessons.feedback import Feedback, Message, Outcome


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that many people give, and what to say to it.

    Attributes
    ----------
    name : str
        Which of the asked-for answers it is about.
    value : float, str or sequence
        The wrong answer.
    hint : str
        What to think about again.
    """

    name: str
    value: Answer
    hint: str


class Question:
    """A question whose answers each have a name, and are numbers, words or lists.

    Parameters
    ----------
    truth : callable
        Returns the right answers by name; the engine computes them.
    mistakes : sequence of Mistake
        Those that can be recognised by their value.
    right : str
        What to say when all is right.
    help_text : str
        What `hint` says.
    explanation : str
        What `solution` says, before the answers.
    choices : mapping, optional
        For an answer that is one of a few words, which ones.

    Examples
    --------
    >>> doubled = Question(
    ...     lambda: {"slope": 2.0},
    ...     [Mistake("slope", 1, "there are two of them.")],
    ...     right="Twice as fast.",
    ...     help_text="Nudge x in x + x.",
    ...     explanation="x + x is 2x.",
    ... )
    >>> doubled.check(slope=...)
    ○ Not tried yet. Put your answer in place of the dots. Still blank: slope.
    >>> doubled.check(slope=1)
    ✗ Not yet. slope = 1.0: there are two of them.
    >>> doubled.check(slope=2)
    ✓ Right. Twice as fast.
    slope: yours 2.0 / true 2.0
    """

    def __init__(
        self,
        truth: Callable[[], Mapping[str, Answer]],
        mistakes: Sequence[Mistake],
        right: str,
        help_text: str,
        explanation: str,
        choices: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._truth = truth
        self._mistakes = mistakes
        self._right = right
        self._help = help_text
        self._explanation = explanation
        self._choices = choices or {}

    def check(self, **answers: object) -> Feedback:
        """Compare answers with what the engine computes; ``...`` or None is "not tried".

        A wrong answer gets a hint, and the true one is not given away.

        Raises
        ------
        ArgumentError
            If an answer has a name that was not asked for.
        """
        truth = self._truth()
        blank = self._look_for_blanks(answers, truth)
        if blank is not None:
            return blank
        hints = self._hints(answers, truth)
        if hints:
            return Feedback(Outcome.WRONG, tuple(hints))
        return Feedback(Outcome.RIGHT, (self._right, *_side_by_side(answers, truth)))

    def compare(self, **answers: object) -> Feedback:
        """Put predictions beside what came out, after the run that has shown it anyway.

        Raises
        ------
        ArgumentError
            If an answer has a name that was not asked for.
        """
        truth = self._truth()
        blank = self._look_for_blanks(answers, truth)
        if blank is not None:
            return Feedback(
                Outcome.NOT_TRIED, ("Predict first, then run this cell once more.", *blank.lines)
            )
        hints = self._hints(answers, truth)
        compared = _side_by_side(answers, truth)
        if hints:
            return Feedback(Outcome.WRONG, ("Yours beside what came out:", *compared, *hints))
        return Feedback(Outcome.RIGHT, (self._right, *compared))

    def _look_for_blanks(
        self, answers: Mapping[str, object], truth: Mapping[str, Answer]
    ) -> Feedback | None:
        unknown = sorted(set(answers) - set(truth))
        if unknown:
            raise ArgumentError(
                f"no answer is called {told(unknown[0])}; asked for are {', '.join(truth)}"
            )
        missing = [name for name in truth if is_blank(answers.get(name))]
        if not missing:
            return None
        lines = [f"Put your answer in place of the dots. Still blank: {', '.join(missing)}."]
        lines += [self._tell_choices(name) for name in missing if name in self._choices]
        return Feedback(Outcome.NOT_TRIED, (" ".join(lines),))

    def _hints(self, answers: Mapping[str, object], truth: Mapping[str, Answer]) -> list[str]:
        hints: list[str] = []
        unexplained: list[str] = []
        for name, expected in truth.items():
            if matches(answers[name], expected):
                continue
            hint = self._look_at(name, answers[name], expected)
            if hint is None:
                unexplained.append(f"{name} = {show(answers[name], expected)} is not it.")
            else:
                hints.append(hint)
        if unexplained:
            hints.append(" ".join([*unexplained, self._help]))
        return hints

    def _look_at(self, name: str, answer: object, expected: Answer) -> str | None:
        """Return a hint at the mistake behind a wrong answer, if it can be recognised."""
        unfit = complaint(name, answer, expected)
        if unfit is not None:
            return unfit
        for mistake in self._mistakes:
            if mistake.name == name and matches(answer, mistake.value):
                return f"{name} = {show(answer, expected)}: {mistake.hint}"
        choices = self._choices.get(name)
        if choices is not None and not any(matches(answer, one) for one in choices):
            return self._tell_choices(name)
        return None

    def _tell_choices(self, name: str) -> str:
        choices = ", ".join(f'"{one}"' for one in self._choices[name])
        return f"{name} is one of {choices}, with the quotes."

    def hint(self) -> Message:
        """Return a hint."""
        return Message(self._help)

    def solution(self) -> Message:
        """Return the answer and why it is so."""
        answers = ", ".join(
            f"{name} = {show(value, value)}" for name, value in self._truth().items()
        )
        return Message(f"{self._explanation} So {answers}.")


def _side_by_side(answers: Mapping[str, object], truth: Mapping[str, Answer]) -> list[str]:
    return [
        f"{name}: yours {show(answers[name], expected)} / true {show(expected, expected)}"
        for name, expected in truth.items()
    ]
