"""The questions of predict mode, as the page is sent them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minigrad.engine.errors import BackwardError
from minigrad.fold.groups import MOST_WHOLE
from minigrad.predict.questions import Question, questions_of
from minigrad.predict.words import PAGE_WORDS
from minigrad.trace import Trace

LARGEST_ASKED = MOST_WHOLE
"""Nodes: so large graphs one steps through node by node."""


def questions_payload(traces: Mapping[str, Trace]) -> dict[str, Any]:
    """Return the questions of each variant that has some, by the index of the step.

    Two orders are often the same, and many texts are those of several questions: what comes
    several times is sent once, and meant by its number. Large graphs have no questions: whoever
    steps through them does not stop at each node.
    """
    texts: dict[str, int] = {}
    lists: list[dict[int, dict[str, Any]]] = []
    places: dict[str, int] = {}
    for name, trace in traces.items():
        if trace.whole.snapshot.count <= LARGEST_ASKED:
            asked = {
                index: _question(one, texts)
                for index, one in questions_of(trace.whole).items()
                if len(trace.covered(index)) == 1  # in a folded group, several are shown at once
            }
            if asked and asked not in lists:
                lists.append(asked)
            if asked:
                places[name] = lists.index(asked)
    return {"texts": list(texts), "lists": lists, "places": places, "words": PAGE_WORDS}


def check_predict(predict: object, count: int) -> None:
    """Refuse what is no yes or no, and to ask where there are no questions.

    Raises
    ------
    BackwardError
        Naming what is the matter.
    """
    if not isinstance(predict, bool):
        raise BackwardError(f"predict must be True or False, not {predict!r}")
    if predict and count > LARGEST_ASKED:
        raise BackwardError(
            f"predict=True asks about graphs of up to {LARGEST_ASKED} nodes, and this one "
            f"has {count}; leave it out, or ask about a smaller graph"
        )


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
