"""`Question`: about a step of the backward pass, to be answered before that is shown.

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
    WrongAnswer,
    choice_label,
    words_for_gradient,
    words_for_node,
    words_for_share,
    wrong_gradients,
    wrong_nodes,
    wrong_shares,
)
from minigrad.trace.steps import Step
from minigrad.trace.trace import Trace

TOLERANCE = 1e-4
"""Relative, as in the lessons."""
SHOWN = 1e-5
"""So exactly, in relation to it, six shown digits tell a number; in arrays, four are shown."""
SHOWN_IN_ARRAYS = 1e-3
MOST_WRONG_ANSWERS = 12


@dataclass(frozen=True)
class Question:
    """A question about one step, with all that is said to its answers.

    Attributes
    ----------
    kind : {'share', 'gradient', 'node'}
        Whether it asks for what a node passes on, for a gradient after that, or for the node that
        is visited next.
    text : str
        What is asked.
    about : str
        What was asked for, in a few words.
    answer : float
        The right answer; of a node, its position.
    tolerance : float
        How far an answer may be off.
    precision : float
        The same for the wrong answers, in relation to each; 0 for nodes.
    told : str
        The right answer as a sentence.
    wrong_answers : tuple of WrongAnswer
        Those that can be recognised: none is the right one, and no two have one value.
    otherwise : str
        The hint at any other wrong answer; empty where each choice has its own.
    choices : tuple of (int, str)
        The nodes that one can choose from, each with its position; empty if a number is asked for.
    """

    kind: Literal["share", "gradient", "node"]
    text: str
    about: str
    answer: float
    tolerance: float
    precision: float
    told: str
    wrong_answers: tuple[WrongAnswer, ...]
    otherwise: str
    choices: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class _Candidate:
    """Something that could be asked, and whether anybody would know it."""

    kind: Literal["share", "gradient", "node"]
    subject: Received | NextNode
    is_trivial: bool


def questions_of(trace: Trace) -> dict[int, Question]:
    """Return the questions that a trace can ask, each by the index of the step that answers it.

    Examples
    --------
    >>> import minigrad as mg
    >>> graph, a = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True, name="a")
    >>> b = mg.add(graph, a, a)
    >>> b.name = "b"
    >>> asked = questions_of(Trace.of(graph, b))
    >>> print(asked[2].about)
    a.grad after node #0
    >>> asked[2].answer, [wrong.value for wrong in asked[2].wrong_answers]
    (2.0, [1.0, -2.0, 0.0])
    """
    questions: dict[int, Question] = {}
    repeated, last = False, ""
    for index, step in enumerate(trace.steps):
        if step.kind != "backward":
            continue
        if step.is_first_part:
            repeated = step.repeated
        chosen = _choose(_candidates(trace, index, step, repeated), last)
        if chosen is not None:
            last = chosen.kind
            questions[index] = _question(trace, chosen)
    return questions


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


def _question(trace: Trace, chosen: _Candidate) -> Question:
    subject = chosen.subject
    if isinstance(subject, NextNode):
        words = words_for_node(trace, subject)
        return Question(
            "node",
            words.text,
            words.about,
            subject.answer,
            0.0,
            0.0,
            words.told,
            tuple(wrong_nodes(trace, subject)),
            words.otherwise,
            tuple((position, choice_label(trace, position)) for position in subject.choices),
        )
    if chosen.kind == "gradient" and subject.after is not None:
        answer, words = subject.after, words_for_gradient(subject)
        wrong = wrong_gradients(trace, subject)
    else:
        answer, words = subject.added, words_for_share(subject)
        wrong = wrong_shares(subject)
    precision = SHOWN_IN_ARRAYS if subject.place else TOLERANCE
    shown = SHOWN_IN_ARRAYS if subject.place else SHOWN
    tolerance = max(precision * abs(answer), shown * subject.largest if subject.accumulates else 0)
    return Question(
        chosen.kind,
        words.text,
        words.about,
        answer,
        tolerance,
        precision,
        words.told,
        tuple(_distinct(wrong, answer, tolerance, precision)),
        words.otherwise,
    )


def _distinct(
    wrong: Iterable[WrongAnswer], answer: float, tolerance: float, precision: float
) -> list[WrongAnswer]:
    """Return those that can be told from the right answer and from those before them."""
    kept: list[WrongAnswer] = []
    for one in wrong:
        near = 2 * precision * abs(one.value)
        is_other = math.isfinite(one.value) and abs(one.value - answer) > tolerance + near
        if is_other and not any(abs(one.value - other.value) <= near for other in kept):
            kept.append(one)
    return kept[:MOST_WRONG_ANSWERS]
