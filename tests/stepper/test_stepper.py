"""The stepper and the live graph, as far as Python goes."""

import gc
import json
import re
import weakref

import pytest
import traitlets

import minigrad as mg
from minigrad.diagram.palette import darken
from minigrad.engine.errors import BackwardError, ExportError, MinigradError
from minigrad.stepper.assets import CSS
from minigrad.stepper.fallback import key_of, still_behind
from minigrad.stepper.widget_lifetime import cell_has_run


@pytest.fixture
def stepper(running):
    made = mg.step(running.graph, running.w)
    yield made
    made.close()


def test_it_starts_at_the_first_step(stepper):
    assert stepper.index == 0
    assert len(stepper.steps) == 5
    assert repr(stepper) == "Stepper(step 1 of 5)"


def test_the_index_can_be_set_within_the_steps_only(stepper):
    stepper.index = 4
    for wrong in (5, -1):
        with pytest.raises(traitlets.TraitError, match="steps 0 to 4"):
            stepper.index = wrong
    assert stepper.index == 4


def test_the_page_is_sent_everything_once_as_json(stepper):
    payload = json.loads(json.dumps(stepper.payload))
    assert payload["mode"] == "step"
    assert payload["variants"]["ancestors/node"] == {
        "order": "ancestors",
        "grain": "node",
        "same": "ancestors/node",
        "asked": [3, 4],
        "moments": {"ancestors/edge": [0, 1, 2, 3, 5]},
        "length": 5,
        "shown": [[0, 0]],
        "stops": None,
    }
    view = payload["views"]["0"]
    variant = view["variants"]["ancestors/node"]
    assert [variant["steps"][str(step)]["title"] for step in (3, 4)] == [
        "Backward through node #1, add.",
        "Backward through node #0, mul.",
    ]
    assert [entry["text"] for entry in variant["order"]] == ["seed", "#1 add", "#0 mul"]
    assert [node["code"] for node in view["nodes"]] == ["z = x × y", "w = z + x"]
    table = {row["name"]: row for row in variant["table"]}
    assert table["x"]["after"] == [[0, "—"], [3, "1.0"], [4, "5.0"]]
    assert table["x"]["before"] == [[0, "—"], [4, "1.0"], [5, "5.0"]]
    assert table["x"]["changed"] == [3, 4]
    assert table["y"]["after"] == [[0, "—"], [4, "3.0"]]
    assert table["z (#0)"]["value"] == [[0, "12.0"]]
    assert table["w (#1)"]["value"] == [[0, "—"], [1, "15.0"]]
    assert list(table) == ["x", "y", "z (#0)", "w (#1)"]
    keys = set(variant["film"])
    assert keys == {"t0", "t1", "n0", "n1", "e0", "e1", "e2", "e3"}
    assert len(json.dumps(payload)) < 100_000


def test_a_leaf_by_itself_has_a_seed_and_nothing_more():
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    stepper = mg.step(mg.ComputationGraph(), x)
    assert [step.kind for step in stepper.steps] == ["seed"]
    assert "grad  1.0  (seed)" in stepper.frame().svg.replace("\xa0", " ")
    assert stepper.payload["windows"] == [""]
    stepper.close()


def test_a_frozen_tensor_has_no_row_and_a_dead_node_is_marked(dead_node):
    stepper = mg.step(dead_node.graph, dead_node.w, order="append")
    variant = stepper.payload["views"]["0"]["variants"]["append/node"]
    table = {row["name"]: row["after"] for row in variant["table"]}
    assert list(table) == ["x", "y", "z (#0)", "q (#1)", "w (#2)"]
    assert table["q (#1)"] == [(0, "—"), (3, "— dead")]  # the seed is when it is known
    assert "dead" not in str([table[name] for name in table if name != "q (#1)"])
    stepper.close()


def test_a_frame_can_be_had_from_either_end(stepper):
    assert stepper.frame(4).svg == stepper.frame(-1).svg
    assert stepper.frame().svg == stepper.frame(0).svg
    with pytest.raises(IndexError, match="steps 0 to 4"):
        stepper.frame(5)


def test_a_frame_is_described_in_words(stepper):
    told = stepper.frame(4).description
    assert told.startswith("Step 5 of 5. Backward through node #0, mul.")
    assert "x.grad: 1.0 + ∂w/∂z · y = 1.0 + 1.0 × 4.0 = 5.0" in told


def test_export_writes_the_step_that_is_shown_or_asked_for(stepper, tmp_path):
    stepper.index = 4
    shown = stepper.export(tmp_path / "last.svg").read_text(encoding="utf-8")
    assert "1.0 + 4.0 = 5.0" in shown
    first = stepper.export(tmp_path / "first.svg", step=0).read_text(encoding="utf-8")
    assert "1.0 + 4.0" not in first
    with pytest.raises(ExportError, match="is there already"):
        stepper.export(tmp_path / "last.svg")


def test_a_viewer_without_widgets_is_given_a_picture_and_words(stepper):
    stepper.index = 3
    data, _ = stepper._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "image/png" in data
    assert data["image/svg+xml"] == stepper.frame(3).svg
    assert data["text/plain"].startswith("Step 4 of 5.")


def test_the_picture_behind_a_widget_is_dark_in_a_dark_page(stepper):
    behind = still_behind(stepper._repr_mimebundle_()[0])
    assert darken(f"svg.{key_of(stepper.model_id)}") in behind["text/html"]


def test_an_order_may_be_given(dead_node):
    stepper = mg.step(dead_node.graph, dead_node.w, order=[2, 0, 1])
    assert [s.position for s in stepper.steps if s.kind == "backward"] == [2, 0, 1]
    stepper.close()
    with pytest.raises(BackwardError, match="unknown order: 'reverse'"):
        mg.step(dead_node.graph, dead_node.w, order="reverse")


def test_a_stepper_keeps_no_graph_alive(running):
    graph = weakref.ref(running.graph)
    stepper = mg.step(running.graph, running.w)
    del running.graph
    gc.collect()
    assert graph() is None
    assert stepper.frame(4).svg
    stepper.close()


def test_every_rule_of_the_stylesheet_is_scoped():
    css = re.sub(r"/\*.*?\*/|@(container|media)[^{]*{", "", CSS, flags=re.DOTALL)
    for selectors in re.findall(r"([^{}]+){", css):
        outside = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", selectors))
        for part in outside.split(","):
            assert part.strip().startswith(".minigrad"), selectors


def shown(payload):
    """Return all that is written in the picture of a live graph."""
    rows = [row for *_, rows in payload["looks"].values() for row in rows]
    return "\n".join(rows).replace("\xa0", " ")


class TestLiveGraph:
    @pytest.fixture(autouse=True)
    def _draw_at_once(self, monkeypatch):
        monkeypatch.setattr("minigrad.stepper.live.SHORTEST_PAUSE", 0)
        monkeypatch.setattr("minigrad.stepper.live.REST", 0)

    def test_it_starts_with_a_sentence_and_grows_with_each_record(self):
        x, y = (mg.Tensor(v, requires_grad=True) for v in (3.0, 4.0))
        graph = mg.ComputationGraph()
        live = mg.watch(graph, variables={"x": x, "y": y})
        assert live.payload["pictures"] == {}
        assert "Nothing recorded yet" in live.payload["message"]
        z = mg.mul(graph, x, y)
        assert live.payload["message"] == "graph.nodes holds 1 node; the newest is #0 mul."
        assert "#0 mul" in shown(live.payload)
        mg.add(graph, z, x)
        cell_has_run()
        assert live.payload["message"] == "graph.nodes holds 2 nodes; the newest is #1 add."
        live.close()

    def test_pictures_rest_while_a_cell_records_and_the_last_one_comes_at_its_end(
        self, monkeypatch
    ):
        monkeypatch.setattr("minigrad.stepper.live.SHORTEST_PAUSE", 1000)
        graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
        live = mg.watch(graph)
        pictures = []
        live.observe(lambda change: pictures.append(change["new"]), "payload")
        for _ in range(20):
            x = mg.neg(graph, x)
        assert pictures == []
        cell_has_run()
        cell_has_run()
        assert [picture["message"] for picture in pictures] == [
            "graph.nodes holds 20 nodes; the newest is #19 neg."
        ]
        live.close()

    def test_it_shows_gradients_after_backward_and_empties_after_a_reset(self, running):
        live = mg.watch(running.graph)
        running.w.backward()
        cell_has_run()
        assert "5.0" in shown(live.payload)
        running.graph.reset()
        cell_has_run()
        assert live.payload["pictures"] == {}
        live.close()

    def test_of_a_large_graph_the_newest_nodes_are_drawn(self, monkeypatch):
        monkeypatch.setattr("minigrad.stepper.live.SHORTEST_PAUSE", 3600.0)  # only when told to
        graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
        live = mg.watch(graph)
        for count in range(240):
            if count in (100, 199, 202):  # before, at and after the last window's first node
                live.refresh()
            x = mg.neg(graph, x)
        cell_has_run()
        assert live.payload["message"] == (
            "graph.nodes holds 240 nodes; the newest is #239 neg. The picture shows #200 to #239."
        )
        assert "#239 neg" in shown(live.payload)
        assert "#198 neg" not in shown(live.payload)
        live.close()

    def test_a_loop_that_resets_shows_whole_graphs_alone_in_one_layout(self):
        graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True, name="x")
        live = mg.watch(graph)
        pictures = []
        live.observe(lambda change: pictures.append(change["new"]), "payload")
        for value in (1.0, 11.0, 2.0, 3.0):
            x.data = value
            x.zero_grad()
            graph.reset()
            with graph:
                y = (x * 2.0 + 1.0) * x
            y.backward()
        first_whole = next(k for k, one in enumerate(pictures) if "holds 3 nodes" in one["message"])
        later = pictures[first_whole:]
        assert all("holds 3 nodes" in one["message"] for one in later)
        # once all is recorded and not yet differentiated, and then whole passes only
        assert ["grad  —" in shown(one) for one in later] == [True, *[False] * 4]
        assert len({json.dumps(one["pictures"]) for one in later[-3:]}) == 1
        cell_has_run()
        assert "holds 3 nodes" in live.payload["message"]
        live.close()

    def test_a_loop_with_scopes_keeps_its_layout_too(self):
        graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True, name="x")
        live = mg.watch(graph)
        pictures = []
        live.observe(lambda change: pictures.append(change["new"]), "payload")
        for value in (1.0, 11.0, 2.0, 3.0):
            x.data = value
            x.zero_grad()
            graph.reset()
            with graph:
                with graph.scope("line"):
                    y = x * 2.0 + 1.0
                y = y * x
            y.backward()
        assert "▾ line" in shown(pictures[-1])
        assert len({json.dumps(one["pictures"]) for one in pictures[-3:]}) == 1
        live.close()

    def test_a_live_graph_of_many_nodes_folds_its_scopes(self):
        graph, y = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True, name="x")
        live = mg.watch(graph)
        with graph:
            for name in "abcd":
                with graph.scope(name):
                    for _ in range(60):
                        y = -y
        cell_has_run()
        assert all(f"▸ {name}" in shown(live.payload) for name in "abcd")
        live.close()

    def test_a_picture_that_fails_does_not_stop_the_forward_pass(self, monkeypatch):
        graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
        live = mg.watch(graph)

        def fail(*args, **kwargs):
            raise OSError("no picture today")

        monkeypatch.setattr("minigrad.stepper.live.drawing_of_part", fail)
        mg.neg(graph, x)
        assert live.payload["message"] == "The picture failed: no picture today"
        live.close()

    def test_it_keeps_no_graph_alive(self):
        graph = mg.ComputationGraph()
        live = mg.watch(graph)
        gone = weakref.ref(graph)
        del graph
        gc.collect()
        assert gone() is None
        live.refresh()
        live.close()

    def test_only_graphs_can_be_watched(self):
        with pytest.raises(MinigradError, match="not 5"):
            mg.watch(5)
        with pytest.raises(MinigradError, match="not None"):
            mg.step(None)


def test_an_op_of_ones_own_can_be_recorded_differentiated_checked_drawn_and_stepped():
    class Cube(mg.Differentiable):
        def forward(self, inputs):
            return inputs[0].values ** 3

        def backward(self, grad_output, inputs, output):
            return [grad_output * 3 * inputs[0].values ** 2]

    mg.registry.register("cube", Cube())
    try:
        x, graph = mg.Tensor(2.0, requires_grad=True, name="x"), mg.ComputationGraph()
        w = graph.apply("cube", x)
        mg.gradcheck("cube", [x])
        assert "#0 cube" in mg.draw(graph).svg
        stepper = mg.step(graph, w)
        stepper.index = len(stepper.steps) - 1
        assert stepper.steps[-1].contributions[0].value == 12.0
        assert x.grad is None
        w.backward()
        assert (w.item(), x.grad) == (8.0, 12.0)
    finally:
        del mg.registry._ops["cube"]  # other tests look at all registered ops


def test_a_node_of_a_large_graph_can_be_found_by_its_name_as_it_is_drawn():
    h = mg.Tensor(1.0, requires_grad=True)
    names = {3: "alpha", 5: "x_1", 7: "loss", 9: "אב", 11: "q" * 20, 13: "μ", 15: "mu"}
    with mg.ComputationGraph() as graph:
        for position in range(100):
            h = h * 1.01
            h.name = names.get(position)
    index = mg.step(graph, variables={}, fold=False).payload["index"]
    assert index["names"] == names
    # two that would look the same are drawn as they are
    assert index["drawn"] == {3: ["α"], 5: ["x₁"], 11: ["q" * 9 + "…" + "q" * 6]}
