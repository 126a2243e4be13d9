"""The questions of predict mode, as the page and exported pages are sent them."""

import json
import re

import pytest

import minigrad as mg
from minigrad.engine.errors import BackwardError, ExportError
from minigrad.stepper.variants import LARGEST_WITH_CHOICE


@pytest.fixture
def stepper(running):
    made = mg.step(running.graph, running.w)
    yield made
    made.close()


def questions(stepper, key):
    """Return the questions of a variant as the page reads them, with their texts."""
    return questions_in({"payload": stepper.payload, "questions": stepper.questions}, key)


def questions_in(state, key):
    """Return the questions in what a page is sent."""
    state = json.loads(json.dumps(state))
    sent, about = state["questions"], state["payload"]["variants"][key]
    text = sent["texts"].__getitem__
    return {
        step: one
        | {name: text(one[name]) for name in ("question", "about", "told", "otherwise")}
        | {"mistakes": [(value, near, text(hint)) for value, near, hint in one["mistakes"]]}
        | {"choices": [(position, text(label)) for position, label in one["choices"]]}
        for step, one in sent["lists"].get(about["same"], {}).items()
        if int(step) in about["asked"]
    }


def chain(nodes):
    graph, x = mg.ComputationGraph(), mg.Tensor(1.5, requires_grad=True, name="x")
    y = x
    with graph:
        for _ in range(nodes):
            y = y * x
    return graph


def test_each_question_stands_at_the_step_that_answers_it(stepper):
    asked = questions(stepper, "ancestors/node")
    assert list(asked) == ["3", "4"]
    assert asked["4"]["answer"] == [5.0, 0.0005]
    assert asked["4"]["told"] == "x.grad is 5.0 after this step."
    assert asked["4"]["mistakes"][0][:2] == (4.0, 0.0004)
    assert asked["4"]["mistakes"][0][2].startswith("That is only the new part")
    assert asked["4"]["choices"] == []


def test_a_node_is_right_or_wrong_and_never_nearly_right(stepper):
    asked = questions(stepper, "ancestors/edge")
    first = asked["3"]
    assert first["choices"] == [(0, "#0 mul, z = x × y"), (1, "#1 add, w = z + x")]
    assert first["answer"] == [1, 0]
    assert [(value, near) for value, near, _ in first["mistakes"]] == [(0, 0)]


def test_orders_that_are_the_same_share_their_questions(stepper, dead_node):
    same = {key: variant["same"] for key, variant in stepper.payload["variants"].items()}
    assert same["append/node"] == same["ancestors/node"] == "ancestors/node"
    assert list(stepper.questions["lists"]) == ["ancestors/node", "ancestors/edge"]
    other = mg.step(dead_node.graph, dead_node.w)
    lists = other.questions["lists"]
    assert lists["ancestors/node"] != lists["append/node"]
    other.close()


def test_large_graphs_are_not_asked_about_and_their_payload_does_not_grow():
    small, large = chain(LARGEST_WITH_CHOICE), chain(LARGEST_WITH_CHOICE + 1)
    with_questions, without = mg.step(small), mg.step(large)
    assert with_questions.questions["lists"]
    assert not without.questions["lists"]
    assert len(json.dumps(without.questions)) < 1000
    views = json.dumps(with_questions.payload["views"])
    assert len(json.dumps(with_questions.questions)) < len(views) / 2
    for made in (with_questions, without):
        made.close()
    with pytest.raises(BackwardError, match="up to 60 nodes, and this one has 61"):
        mg.step(large, predict=True)


def test_an_order_that_visits_nothing_has_no_questions(running):
    made = mg.step(running.graph, running.w, order=[])
    assert "own/node" not in made.questions["lists"]
    assert "ancestors/node" in made.questions["lists"]
    made.close()


@pytest.fixture
def scoped():
    """Return h = x * x + x in a scope, and w = h * x after it."""
    graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True, name="x")
    with graph:
        with graph.scope("square"):
            h = x * x + x
        h.name = "h"
        w = h * x
    w.name = "w"
    return graph, w


def test_what_a_folded_group_shows_at_once_is_not_asked_for(scoped):
    stepper = mg.step(*scoped, fold=True, predict=True)
    assert [one["about"] for one in questions(stepper, "ancestors/node").values()] == [
        "what node #2 passes on to x"
    ]
    stepper.unfold()
    assert stepper.payload["predict"] is True
    assert [one["about"] for one in questions(stepper, "ancestors/node").values()] == [
        "what node #2 passes on to x",
        "x.grad after node #1",
        "x.grad after node #0",
    ]
    stepper.close()


def test_predict_is_off_unless_asked_for(stepper, running):
    assert stepper.payload["predict"] is False
    asking = mg.step(running.graph, running.w, predict=True)
    assert asking.payload["predict"] is True
    asking.close()
    with pytest.raises(BackwardError, match="predict must be True or False, not 'yes'"):
        mg.step(running.graph, running.w, predict="yes")


class TestExports:
    def sent(self, path):
        text = path.read_text(encoding="utf-8")
        return json.loads(re.search(r'<script type="application/json">(.*?)</script>', text)[1])

    def test_a_page_is_a_quiz_if_it_is_to_be_or_the_stepper_is(self, stepper, running, tmp_path):
        asking = mg.step(running.graph, running.w, predict=True)
        for made, options, expected in (
            (stepper, {}, False),
            (stepper, {"predict": True}, True),
            (asking, {}, True),
            (asking, {"predict": False}, False),
        ):
            path = made.export(tmp_path / "quiz.html", overwrite=True, **options)
            assert self.sent(path)["payload"]["predict"] is expected
        asked = questions_in(self.sent(path), "ancestors/node")
        assert asked == questions(stepper, "ancestors/node")
        asking.close()

    def test_only_a_page_can_ask(self, stepper, tmp_path):
        with pytest.raises(ExportError, match=r"a \.png file has no predict"):
            stepper.export(tmp_path / "quiz.png", predict=True)
        with pytest.raises(ExportError, match="predict must be True or False, not 3"):
            stepper.export(tmp_path / "quiz.html", predict=3)
        assert list(tmp_path.iterdir()) == []

    def test_a_quiz_without_questions_is_refused(self, tmp_path):
        stepper = mg.step(chain(LARGEST_WITH_CHOICE + 1))
        with pytest.raises(ExportError, match="no questions about this graph"):
            stepper.export(tmp_path / "quiz.html", predict=True)
        assert list(tmp_path.iterdir()) == []
        stepper.close()

    def test_names_in_questions_run_nothing(self, named, tmp_path):
        path = mg.step(named("</script>")).export(tmp_path / "quiz.html", predict=True)
        text = path.read_text(encoding="utf-8")
        assert "</script>.grad" not in text
        assert (
            "</script>.grad is still empty"
            in questions_in(self.sent(path), "ancestors/node")["2"]["question"]
        )
