"""`Prediction`: a question about a step of the backward pass, to be answered before it is shown.

Which step is asked about what follows from the trace alone. Sums are asked for first, for that
gradients are added up is what most people forget; then what a node passes on, and which node
comes next.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from minigrad.predict.next_node import NextNode, next_node
from minigrad.predict.received import Received, received_in
from minigrad.predict.words import (
    mistakes_in_gradient,
    mistakes_in_share,
    words_for_gradient,
    words_for_share,
)
from minigrad.trace.steps import Step
from minigrad.trace.trace import Trace

TOLERANCE = 1e-4
"""Relative, as in the lessons."""
SHOWN = 1e-5
"""So exactly, in relation to it, six shown digits tell a number; in arrays, four are shown."""
SHOWN_IN_ARRAYS = 1e-3
MOST_MISTAKES = 12


@dataclass(frozen=True)
class Mistake:
    """A wrong answer whose reason can be recognised.

    Attributes
    ----------
    value : float
        The wrong answer.
    hint : str
        What to think about again.
    """

    value: float
    hint: str


@dataclass(frozen=True)
class Prediction:
    """A question about one step, with all that is said to its answers.

    Attributes
    ----------
    kind : {'share', 'gradient', 'node'}
        Whether it asks for what a node passes on, for a gradient after that, or for the node that
        is visited next.
    question : str
        What is asked.
    about : str
        What was asked for, in a few words.
    answer : float
        The right answer; of a node, its position.
    tolerance : float
        How far an answer may be off.
    precision : float
        The same for the mistakes, in relation to each; 0 for nodes.
    told : str
        The right answer as a sentence.
    mistakes : tuple of Mistake
        None of them is the answer, and no two have one value.
    otherwise : str
        The hint at any other wrong answer; empty where each choice has its own.
    choices : tuple of (int, str)
        The nodes that one can choose from, each with its position; empty if a number is asked for.
    """

    kind: Literal["share", "gradient", "node"]
    question: str
    about: str
    answer: float
    tolerance: float
    precision: float
    told: str
    mistakes: tuple[Mistake, ...]
    otherwise: str
    choices: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class _Candidate:
    """Something that could be asked, and whether anybody would know it."""

    kind: Literal["share", "gradient", "node"]
    about: Received | NextNode
    is_trivial: bool


def predictions_of(trace: Trace) -> dict[int, Prediction]:
    """Return the questions that a trace can ask, each by the index of the step that answers it.

    Examples
    --------
    >>> import minigrad as mg
    >>> graph, a = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True, name="a")
    >>> b = mg.add(graph, a, a)
    >>> b.name = "b"
    >>> asked = predictions_of(Trace.of(graph, b))
    >>> print(asked[2].about)
    a.grad after node #0
    >>> asked[2].answer, [mistake.value for mistake in asked[2].mistakes]
    (2.0, [1.0, -2.0, 0.0])
    """
    predictions: dict[int, Prediction] = {}
    repeated, last = False, ""
    for index, step in enumerate(trace.steps):
        if step.kind != "backward":
            continue
        if step.is_first_part:
            repeated = step.repeated
        chosen = _choose(_candidates(trace, index, step, repeated), last)
        if chosen is not None:
            last = chosen.kind
            predictions[index] = _prediction(trace, chosen)
    return predictions


def _candidates(trace: Trace, index: int, step: Step, repeated: bool) -> Iterator[_Candidate]:
    """Yield what could be asked about a step, what teaches most first."""
    parts = received_in(trace, step, repeated=repeated)
    if not step.wasted:
        for received in parts:
            if received.accumulates:
                yield _Candidate("gradient", received, is_trivial=False)
    single = [one for one in parts if step.wasted or not one.accumulates]
    following = next_node(trace, index)
    if following is not None and step.part is not None:
        yield _Candidate("node", following, following.is_trivial)  # a share comes with each edge
    # the rules that change something first, and leaves before nodes
    for received in sorted(single, key=lambda one: (one.is_unchanged, one.target.kind != "leaf")):
        yield _Candidate("share", received, received.is_unchanged or step.wasted)
    if following is not None and step.part is None:
        yield _Candidate("node", following, following.is_trivial)


def _choose(candidates: Iterator[_Candidate], last: str) -> _Candidate | None:
    """Return a sum, or the first that is not trivial, of another kind than the last if it can be.

    None if there is nothing to ask.
    """
    first = next(candidates, None)
    if first is None or first.kind == "gradient":
        return first
    every = [first, *candidates]
    good = [one for one in every if not one.is_trivial] or every
    return next((one for one in good if one.kind != last), good[0])


def _prediction(trace: Trace, chosen: _Candidate) -> Prediction:
    about = chosen.about
    if isinstance(about, NextNode):
        return Prediction(
            "node",
            about.question,
            about.about,
            about.answer,
            0.0,
            0.0,
            about.told,
            tuple(Mistake(*mistake) for mistake in about.mistakes.items()),
            "",
            tuple(about.choices.items()),
        )
    if chosen.kind == "gradient" and about.after is not None:
        answer, words = about.after, words_for_gradient(about)
        mistakes = mistakes_in_gradient(trace, about)
    else:
        answer, words = about.added, words_for_share(about)
        mistakes = mistakes_in_share(about)
    precision = SHOWN_IN_ARRAYS if about.place else TOLERANCE
    shown = SHOWN_IN_ARRAYS if about.place else SHOWN
    tolerance = max(precision * abs(answer), shown * about.largest if about.accumulates else 0.0)
    return Prediction(
        chosen.kind,
        words.question,
        words.about,
        answer,
        tolerance,
        precision,
        words.told,
        tuple(_distinct(mistakes, answer, tolerance, precision)),
        words.otherwise,
    )


def _distinct(
    mistakes: Iterable[tuple[float, str]], answer: float, tolerance: float, precision: float
) -> list[Mistake]:
    """Return those that can be told from the answer and from those before them."""
    kept: list[Mistake] = []
    for value, hint in mistakes:
        near = 2 * precision * abs(value)
        is_other = math.isfinite(value) and abs(value - answer) > tolerance + near
        if is_other and not any(abs(value - one.value) <= near for one in kept):
            kept.append(Mistake(value, hint))
    return kept[:MOST_MISTAKES]
