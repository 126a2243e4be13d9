"""The questions of predict mode, as the page is sent them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minigrad.engine.checks import yes_or_no
from minigrad.engine.errors import BackwardError
from minigrad.fold.groups import MOST_WHOLE
from minigrad.predict.questions import Question, questions_of
from minigrad.predict.words import PAGE_WORDS
from minigrad.trace import Trace

LARGEST_ASKED = MOST_WHOLE
"""Nodes: so large graphs one steps through node by node."""


def questions_payload(traces: Mapping[str, Trace]) -> dict[str, Any]:
    """Return the questions about some traces that have any, by the index of the step.

    Many texts are those of several questions: each is sent once, and meant by its number. Large
    graphs have no questions: whoever steps through them does not stop at each node.

    Parameters
    ----------
    traces : mapping
        The traces with nothing folded, by the key of what they are sent as.
    """
    texts: dict[str, int] = {}
    lists: dict[str, dict[int, dict[str, Any]]] = {}
    for key, trace in traces.items():
        if trace.snapshot.count <= LARGEST_ASKED:
            asked = {index: _question(one, texts) for index, one in questions_of(trace).items()}
            if asked:
                lists[key] = asked
    return {"texts": list(texts), "lists": lists, "words": PAGE_WORDS}


def steps_to_ask_at(questions: dict[str, Any], key: str, trace: Trace) -> list[int]:
    """Return the steps with a question: none where a folded group shows several at once.

    Parameters
    ----------
    questions : dict
        What `questions_payload` found.
    key : str
        What the trace was sent as.
    trace : Trace
        As it is shown.
    """
    return [step for step in questions["lists"].get(key, ()) if len(trace.covered(step)) == 1]


def check_predict(predict: object, count: int) -> bool:
    """Return whether to ask; refuse what is no yes or no, and to ask where there are no questions.

    Raises
    ------
    BackwardError
        Naming what is the matter.
    """
    asks = yes_or_no(predict, "predict", BackwardError)
    if asks and count > LARGEST_ASKED:
        raise BackwardError(
            f"predict=True asks about graphs of up to {LARGEST_ASKED} nodes, and this one "
            f"has {count}; leave it out, or ask about a smaller graph"
        )
    return asks


def _question(question: Question, texts: dict[str, int]) -> dict[str, Any]:
    """Return one question; new texts are added to those that there are."""

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    return {
        "question": number(question.text),
        "about": number(question.about),
        "told": number(question.told),
        "answer": [_brief(question.answer), _brief(question.tolerance)],
        "mistakes": [
            [_brief(one.value), _brief(question.precision * abs(one.value)), number(one.hint)]
            for one in question.wrong_answers
        ],
        "otherwise": number(question.otherwise),
        "choices": [[position, number(label)] for position, label in question.choices],
    }


def _brief(value: float) -> float:
    """Leave out the digits that no answer can tell."""
    return float(f"{value:.9g}")
