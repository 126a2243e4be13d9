"""The checks behind the notebooks: blank, wrong and right; and the look at the environment."""

import numpy as np
import pytest

from minigrad.lessons import check_environment, start_here
from minigrad.lessons.environment import Need
from minigrad.lessons.question import Outcome


@pytest.mark.parametrize("answers", [{}, {"x_grad": ...}, {"x_grad": 5, "y_grad": None}])
def test_a_blank_answer_is_not_tried(answers):
    feedback = start_here.check(**answers)
    assert feedback.outcome is Outcome.NOT_TRIED
    assert "y_grad" in feedback.text


@pytest.mark.parametrize("answers", [(5, 3), (5.0, 3.0), ("5", "3"), (5.00001, 3)])
def test_the_right_answer_is_compared_with_the_true_one(answers):
    feedback = start_here.check(x_grad=answers[0], y_grad=answers[1])
    assert feedback.outcome is Outcome.RIGHT
    assert "x_grad: yours 5.0" in feedback.text
    assert "/ true 5.0" in feedback.text
    assert repr(feedback).startswith("✓ Right.")


@pytest.mark.parametrize(
    "mistake", start_here.question._mistakes, ids=lambda m: f"{m.name}={m.value}"
)
def test_a_recognised_mistake_gets_its_own_hint(mistake):
    answers = {"x_grad": 5, "y_grad": 3} | {mistake.name: mistake.value}
    feedback = start_here.check(**answers)
    assert feedback.outcome is Outcome.WRONG
    assert mistake.hint in feedback.text


@pytest.mark.parametrize("wrong", [7, "seven", [5], np.ones(2), 10**400, float("nan")])
def test_any_other_wrong_answer_is_not_yet_right_and_does_not_give_it_away(wrong):
    feedback = start_here.check(x_grad=wrong, y_grad=3)
    assert feedback.outcome is Outcome.WRONG
    assert "5.0" not in feedback.text


def test_an_answer_to_what_was_not_asked_is_an_error():
    with pytest.raises(TypeError, match="'z_grad'"):
        start_here.check(z_grad=1)


def test_hint_and_solution():
    assert "3.001" in start_here.hint()
    assert start_here.solution().endswith("So x_grad = 5.0, y_grad = 3.0.")


def test_a_complete_environment_is_all_ok():
    report = check_environment()
    assert report.fulfilled
    assert all(line.startswith("[OK] ") for line in repr(report).splitlines())
    assert "[OK] drawing: Graphviz answers" in repr(report)


def test_what_is_missing_is_told_with_its_cure(monkeypatch):
    monkeypatch.setattr("minigrad.lessons.environment.PACKAGES", ("no-such-package",))
    report = check_environment()
    assert not report.fulfilled
    assert "[FAIL] no-such-package: not installed; run: python -m pip install" in repr(report)
    assert str(Need("a", False, "b")) == "[FAIL] a: b"
