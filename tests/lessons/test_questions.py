"""Every question of the notebooks: blank, each recognised mistake, any other answer, right."""

import math
import re
import subprocess
import sys

import numpy as np
import pytest

from minigrad import lessons
from minigrad.lessons.answers import matches
from minigrad.lessons.feedback import Outcome
from minigrad.lessons.question import Mistake, Question
from minigrad.lessons.task import Task

LESSONS = [
    lessons.start_here,
    lessons.why_a_graph,
    lessons.ops_and_registry,
    lessons.nodes,
    lessons.recording,
    lessons.order,
    lessons.self_check,
    lessons.each_backward,
    lessons.network,
]
# worked by hand, not by the engine
RIGHT = {
    "start_here.question": {"x_grad": 5, "y_grad": 3},
    "why_a_graph.nudge": {"times": 5},
    "why_a_graph.nudge_y": {"times": 3},
    "why_a_graph.paths": {"in_product": 4, "in_sum": 1},
    "why_a_graph.another": {"x_grad": 9, "y_grad": 2},
    "ops_and_registry.mul_backward": {"for_x": 4, "for_y": 3},
    "ops_and_registry.with_upstream": {"for_x": 8, "for_y": 6},
    "ops_and_registry.without_inputs": {"possible": "no"},
    "ops_and_registry.unknown_name": {"debug": "message", "release": "key error"},
    "nodes.second_node": {"op_name": "add", "inputs": [12, 3], "output": 15, "grad": 0},
    "nodes.shared": {"same_object": True},
    "nodes.frozen": {"nodes": 1, "x_grad": 4, "y_grad": "None"},
    "nodes.calls": {"nodes": 3, "ops": 1},
    "recording.count": {"nodes": 2},
    "recording.positions": {"e_index": 0, "f_index": 1},
    "recording.owners": {
        "shows_all": "list",
        "needs_no_graph": "tensors",
        "frees_itself": "tensors",
    },
    "recording.recorded": {"op_names": ["sub", "mul", "add"]},
    "order.reversed_list": {"order": [1, 0]},
    "order.dead_node": {"whole_list": [2, 1, 0], "ancestors": [2, 0], "sub_adds": 0},
    "order.wasted": {"visits": 30},
    "order.forward_order": {"x_grad": 1},
    "order.doubled": {"right": 4, "walked": 8},
    "self_check.q1": {
        "op_0": "mul",
        "inputs_0": [5, 2],
        "output_0": 10,
        "grad_0": 0,
        "op_1": "add",
        "inputs_1": [10, 5],
        "output_1": 15,
        "grad_1": 0,
    },
    "self_check.q2": {
        "after_x": False,
        "after_y": False,
        "nodes": 0,
        "result": 12,
        "result_requires_grad": False,
    },
    "self_check.q3": {
        "order_of_w": [2, 0],
        "order_of_r": [3, 1],
        "sub_leads_to_w": False,
        "x_grad_is_changed": False,
    },
    "self_check.q4": {"debug": "a", "release": "b"},
    "self_check.q5": {"sub_adds": 0, "x_grad_with_garbage": 12, "why": "a"},
    "self_check.q6": {"x_grad": 6},
    "self_check.q7": {"x_grad": 20, "z_grad": 5},
    "self_check.q8": {"x_grad": [0, 0, 0]},
    "self_check.q9": {"nodes": 2, "x_grad": 2, "k_grad": "None"},
    "each_backward.arithmetic": {"sub_a": 1, "sub_b": -1, "div_a": 0.5, "div_b": -1.5},
    "each_backward.curves": {"tanh_at_half": 1 - math.tanh(0.5) ** 2, "relu_at_minus_2": 0},
    "each_backward.by_hand": {
        "w_grad": 1,
        "z_grad": 1,
        "x_after_add": 1,
        "x_after_mul": 5,
        "y_after_mul": 3,
    },
    "each_backward.squares": {"x_grad": 6, "y_grad": -4},
    "network.neuron": {"w1_grad": 2, "w2_grad": 4, "b_grad": 1},
    "network.node_count": {"with_reset": 6, "without_reset": 1800},
    "network.pytorch": {
        "leaves_add_up": "same",
        "only_ancestors": "same",
        "history_in_tensors": "different",
        "with_graph": "different",
    },
}
QUESTIONS = {
    f"{lesson.__name__.rpartition('.')[2]}.{name}": one
    for lesson in LESSONS
    for name, one in vars(lesson).items()
    if isinstance(one, Question)
}
MISTAKES = [
    pytest.param(name, mistake, id=f"{name}-{mistake.name}={mistake.value}")
    for name, question in QUESTIONS.items()
    for mistake in question._mistakes
]


def test_every_question_has_an_answer_worked_by_hand():
    assert set(QUESTIONS) == set(RIGHT)


@pytest.fixture(params=QUESTIONS)
def asked(request):
    return QUESTIONS[request.param], RIGHT[request.param]


def test_blank_is_not_tried_and_gives_nothing_away(asked):
    question, right = asked
    for answer in (question.check, question.compare):
        for blanks in ({}, dict.fromkeys(right, ...), dict.fromkeys(right)):
            feedback = answer(**blanks)
            assert feedback.outcome is Outcome.NOT_TRIED
            assert not feedback
            for name in right:
                assert name in feedback.text
            assert "true" not in feedback.text
    # one blank among right answers
    last = list(right)[-1]
    assert question.check(**right | {last: ...}).outcome is Outcome.NOT_TRIED


def test_right_is_right_and_put_beside_the_truth(asked):
    question, right = asked
    for answer in (question.check, question.compare):
        feedback = answer(**right)
        assert feedback.outcome is Outcome.RIGHT
        assert feedback
        assert feedback.text.count("yours") == feedback.text.count("/ true") == len(right)
        assert repr(feedback).startswith("✓ Right. ")


@pytest.mark.parametrize(("name", "mistake"), MISTAKES)
def test_each_recognised_mistake_gets_its_own_hint(name, mistake):
    question, right = QUESTIONS[name], RIGHT[name]
    assert mistake.name in right
    assert not matches(mistake.value, right[mistake.name])
    feedback = question.check(**right | {mistake.name: mistake.value})
    assert feedback.outcome is Outcome.WRONG
    assert mistake.hint in feedback.text
    assert "true" not in feedback.text
    assert mistake.hint in question.compare(**right | {mistake.name: mistake.value}).text


def test_no_two_mistakes_of_an_answer_are_the_same(asked):
    question, _ = asked
    for place, mistake in enumerate(question._mistakes):
        for other in question._mistakes[:place]:
            assert mistake.name != other.name or not matches(mistake.value, other.value)


def strange(right):
    """Return an answer of the right kind that nobody would give."""
    if isinstance(right, list):
        return [*right, right[0]]
    return "elephant" if isinstance(right, str) else 987.5


def test_any_other_wrong_answer_gets_the_general_hint_and_the_truth_stays_hidden(asked):
    question, right = asked
    for name, expected in right.items():
        feedback = question.check(**right | {name: strange(expected)})
        assert feedback.outcome is Outcome.WRONG
        assert name in feedback.text
        assert "yours" not in feedback.text
        assert "true" not in feedback.text


def test_a_wrong_prediction_is_put_beside_what_came_out(asked):
    question, right = asked
    name = next(iter(right))
    feedback = question.compare(**right | {name: strange(right[name])})
    assert feedback.outcome is Outcome.WRONG
    assert feedback.text.count("/ true") == len(right)


@pytest.mark.parametrize(
    "wrong", [object(), {"a": 1}, b"one", 10**400, float("nan"), [[]], np.array([5.0]), "no" * 999]
)
def test_no_answer_makes_a_check_fail(asked, wrong):
    question, right = asked
    for name in right:
        feedback = question.check(**right | {name: wrong})
        assert feedback.outcome is Outcome.WRONG
        assert len(feedback.text) < 500


def test_an_answer_of_the_wrong_kind_is_told_which_kind_it_must_be():
    ask = QUESTIONS
    assert (
        "must be a number" in ask["nodes.frozen"].check(nodes="one", x_grad=4, y_grad="None").text
    )
    assert "True or False" in ask["nodes.shared"].check(same_object="yes").text
    assert "must be a list" in ask["order.reversed_list"].check(order=10).text
    assert (
        'debug is one of "a", "b", "c"' in ask["self_check.q4"].check(debug="d", release="b").text
    )
    assert "a word in quotes" in ask["self_check.q4"].check(debug=1, release="b").text


def test_pythons_none_in_place_of_the_word_is_told_about_the_quotes():
    feedback = QUESTIONS["nodes.frozen"].check(nodes=1, x_grad=4, y_grad=None)
    assert feedback.outcome is Outcome.NOT_TRIED
    assert 'y_grad is one of "None", "0.0", "3.0", with the quotes.' in feedback.text


def test_hint_and_solution_are_sentences(asked):
    question, right = asked
    assert question.hint().endswith((".", "?"))
    for name in right:
        assert name in question.solution()


def test_the_general_hint_is_said_once_for_several_wrong_answers():
    feedback = QUESTIONS["why_a_graph.another"].check(x_grad=100, y_grad=200)
    assert feedback.text.count("Nudge:") == 1
    assert "x_grad = 100.0 is not it. y_grad = 200.0 is not it." in feedback.text


def test_feedback_is_plain_html_without_colour_and_without_the_learners_markup():
    feedback = QUESTIONS["self_check.q4"].check(debug="<img src=x onerror=alert(1)>", release="b")
    shown = feedback._repr_html_()
    assert shown.startswith('<p dir="ltr"><strong>✗ Not yet.</strong>')
    assert "<img" not in shown
    assert not re.search("style|color|class", shown)
    hint = QUESTIONS["self_check.q2"].hint()
    assert "<code>wanted</code>" in hint._repr_html_()
    assert repr(hint) == str(hint)


def test_pythons_assert_behaves_as_the_question_on_unknown_names_says():
    # the same two lines as in notebook 02, run both ways
    code = "ops = {}\nassert 'relu' in ops, 'nobody has registered relu'\nops['relu']"
    ends = []
    for flags in ([], ["-O"]):
        ran = subprocess.run(
            [sys.executable, *flags, "-c", code], capture_output=True, text=True, check=False
        )
        ends.append(ran.stderr.splitlines()[-1])
    assert ends == ["AssertionError: nobody has registered relu", "KeyError: 'relu'"]


def test_every_check_of_a_lesson_is_a_question_or_a_task():
    for lesson in LESSONS[1:]:
        made = [one for one in vars(lesson).values() if isinstance(one, Question | Task)]
        assert made, lesson.__name__


def test_a_mistake_says_what_to_think_about():
    for question in QUESTIONS.values():
        for mistake in question._mistakes:
            assert isinstance(mistake, Mistake)
            assert mistake.hint.endswith((".", "?"))


def test_counts_and_positions_are_written_without_a_point():
    told = QUESTIONS["nodes.frozen"].check(**RIGHT["nodes.frozen"]).text
    assert "nodes: yours 1 / true 1" in told
    assert "x_grad: yours 4.0 / true 4.0" in told
    assert "order = [0, 1]:" in QUESTIONS["order.reversed_list"].check(order=[0, 1]).text
