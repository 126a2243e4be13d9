"""The variants of a stepper, and what its inspector shows."""

import json

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import BackwardError, DrawingError
from minigrad.stepper.array_tables import ArrayTables, figures, table
from minigrad.stepper.variants import LARGEST_WITH_CHOICE


@pytest.fixture
def stepper(running):
    made = mg.step(running.graph, running.w)
    yield made
    made.close()


def test_a_step_can_be_a_node_or_an_edge(stepper):
    stepper.index = 4
    stepper.grain = "edge"
    assert (stepper.order, stepper.grain, len(stepper.steps)) == ("ancestors", "edge", 7)
    assert stepper.index == 5  # the first edge of the same node
    assert [s.part for s in stepper.steps[3:]] == [(1, 2), (2, 2), (1, 2), (2, 2)]
    stepper.grain = "node"
    assert stepper.index == 4


def test_the_gradients_of_both_grains_end_alike(stepper):
    ends = []
    for grain in ("node", "edge"):
        stepper.grain = grain
        ends.append({key: stepper.trace.final_gradient(key) for key in ("t0", "t1", "n0", "n1")})
    assert ends[0] == ends[1] == {"t0": 5.0, "t1": 3.0, "n0": 1.0, "n1": 1.0}


def test_an_order_of_ones_own_stands_beside_the_others(dead_node):
    stepper = mg.step(dead_node.graph, dead_node.w, order=[2, 0])
    assert [label for _, label in stepper.payload["orders"]] == [
        "ancestors of w",
        "whole list reversed",
        "as given: [2, 0]",
    ]
    assert stepper.order == "own"
    stepper.index = len(stepper.steps) - 1
    stepper.order = "append"
    assert stepper.steps[stepper.index].position == 0
    stepper.index = 5  # the visit of the dead node, which the other order does not make
    stepper.order = "ancestors"
    assert stepper.steps[stepper.index].kind == "seed"
    stepper.close()


def test_the_steps_at_which_an_order_goes_wrong_are_flagged(running):
    stepper = mg.step(running.graph, running.w, order=[0, 1])
    flags = {
        name: [step["wrong"] for step in variant["steps"].values()]
        for name, variant in stepper.payload["views"]["0"]["variants"].items()
    }
    assert flags["own/node"] == [False, False, False, True, True]
    assert not any(flags["ancestors/node"] + flags["ancestors/edge"])
    stepper.close()


@pytest.mark.parametrize("wrong", ["own", "reversed", 3])
def test_a_variant_that_is_not_there_is_refused(stepper, wrong):
    with pytest.raises(BackwardError, match="'ancestors/node', 'ancestors/edge'"):
        stepper.order = wrong
    assert stepper.order == "ancestors"


def test_an_unknown_grain_is_refused(running):
    with pytest.raises(BackwardError, match="must be 'node' or 'edge'"):
        mg.step(running.graph, running.w, grain="box")


def test_of_a_large_graph_there_is_only_what_was_asked_for():
    graph, y = chain(LARGEST_WITH_CHOICE + 1)
    stepper = mg.step(graph, y, grain="edge")
    assert list(stepper.payload["variants"]) == ["ancestors/edge"]
    stepper.close()


def chain(count):
    graph, y = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True, name="x")
    for _ in range(count):
        y = mg.neg(graph, y)
    return graph, y


@pytest.fixture(scope="module")
def long():
    stepper = mg.step(*chain(240), fold=False)
    yield stepper
    stepper.close()


@pytest.fixture(scope="module")
def second(long):
    """What the page is sent of the nodes #40 to #79."""
    sent = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long, "send", sent.append)
        long._answer(None, {"view": 1}, [])
    return json.loads(json.dumps(sent[0]["payload"]))


class TestWindows:
    """A chain of 240 nodes with nothing folded: six windows of 40 nodes."""

    def test_the_page_is_told_which_window_is_shown_when(self, long):
        payload = json.loads(json.dumps(long.payload))
        assert payload["windows"][1].startswith("Nodes #40 to #79: the kernel is drawing")
        shown = payload["variants"]["ancestors/node"]["shown"]
        # 240 records, the seed in the last window, then its forty visits
        assert shown[4:8] == [[160, 4], [200, 5], [281, 4], [321, 3]]
        assert list(payload["views"]) == ["0"]

    def test_a_view_has_the_steps_that_happen_in_it(self, second):
        variant = second["variants"]["ancestors/node"]
        assert list(map(int, variant["steps"])) == [*range(40, 80), *range(401, 441)]
        assert variant["steps"]["401"]["title"] == "Backward through node #79, neg."
        # #39 is there as an operand, with the gradient it gets in the last of these steps
        assert {row["name"]: row["after"] for row in variant["table"]}["#39"] == [
            [0, "—"],
            [440, "1.0"],
        ]

    def test_signs_lead_on(self, second):
        variant = second["variants"]["ancestors/node"]
        assert variant["signs"] == {"o79": [80, 400]}
        assert [entry["text"] for entry in variant["order"]][::41] == [
            "⋯ 161 steps before",
            "⋯ 40 more steps",
        ]
        assert [entry["step"] for entry in variant["order"]][::41] == [400, 441]
        assert [entry["text"] for entry in second["nodes"]][::41] == [
            "⋯ #0 to #39",
            "⋯ #80 to #239",
        ]

    def test_a_frame_is_that_of_the_window_in_which_the_step_happens(self, long):
        assert "#79 neg" in long.frame(401).svg
        assert "#81 neg" not in long.frame(401).svg
        assert "of 240 nodes, of which #40 to #79 are shown" in long.frame(401).description

    def test_a_window_that_cannot_be_drawn_is_told_to_the_page(self, long, monkeypatch):
        def fail(*films, **options):
            raise DrawingError("Graphviz took longer than 20 s")

        monkeypatch.setattr("minigrad.diagram.layout.lay_out", fail)
        sent = []
        monkeypatch.setattr(long, "send", sent.append)
        long._answer(None, {"view": 4}, [])
        assert sent == [{"view": 4, "failed": "Graphviz took longer than 20 s"}]

    def test_shared_leaves_do_not_make_every_view_long(self):
        x, graph = mg.Tensor(1.0, requires_grad=True), mg.ComputationGraph()
        y = x
        with graph:
            for _ in range(300):
                y = y * x
        stepper = mg.step(graph, y, fold=False)
        looks = stepper.payload["views"]["0"]["variants"]["ancestors/node"]["film"]["t0"]["looks"]
        # at rest while 40 nodes are recorded, then two looks a visit and how it was before
        assert len(looks) <= 2 + 40 * 2
        stepper.close()


def test_all_variants_have_one_layout_that_holds_them(dead_node):
    stepper = mg.step(dead_node.graph, dead_node.w)
    pictures = set()
    for grain in ("node", "edge"):
        for order in ("ancestors", "append"):
            stepper.grain, stepper.order = grain, order
            pictures.add(
                tuple(part for part in stepper.frame(-1).svg.split('"') if "M" in part[:1])
            )
    assert len(pictures) == 1
    stepper.close()


def test_the_page_is_told_of_a_variant_set_in_python(stepper):
    stepper.grain = "edge"
    assert stepper._from_python == [0, 1, "ancestors/edge"]
    stepper._from_page = [6, 2, "append/edge"]
    assert (stepper.index, stepper.order, stepper.grain) == (6, "append", "edge")
    stepper._from_page = [3, 3, "append/node"]
    assert (stepper.index, stepper.order, stepper.grain) == (3, "append", "node")


def test_the_page_gets_a_file_or_the_reason_why_not(stepper):
    sent = []
    stepper.send = lambda content, buffers=None: sent.append((content, buffers))
    stepper._answer(None, {"format": "pdf", "step": 4, "theme": "light", "id": "a"}, [])
    stepper._answer(None, {"format": "pdf", "step": 40, "theme": "light", "id": "b"}, [])
    stepper._saving.join()
    (content, (data,)), (failed, _) = [one for one in sent if "progress" not in one[0]]
    assert (content["id"], failed["id"]) == ("a", "b")
    assert data.startswith(b"%PDF")
    assert "no step 40" in failed["failed"]


@pytest.mark.parametrize(
    ("kind", "start"), [("pdf", b"%PDF"), ("gif", b"GIF89a"), ("pptx", b"PK"), ("html", b"<!DOC")]
)
def test_the_page_gets_a_file_with_all_steps_too(stepper, kind, start):
    sent = []
    stepper.send = lambda content, buffers=None: sent.append((content, buffers))
    wish = {"format": kind, "all": True, "step": 4, "theme": "light", "id": "a"}
    stepper._answer(None, wish, [])
    stepper._saving.join()
    *_, (content, (data,)) = sent
    assert "failed" not in content
    assert data.startswith(start)
    if kind == "pdf":
        assert data.count(b"/Type /Page\n") == 5


class TestArrayTables:
    def test_a_single_number_needs_no_table(self):
        assert table(np.float32(2.5)) == {"label": "2.5", "rows": []}

    def test_a_large_matrix_is_abridged_in_the_middle(self):
        made = table(np.arange(3000.0).reshape(50, 60))
        assert made["rows"] == ["0", "1", "2", "3", "…", "47", "48", "49"]
        assert made["columns"] == ["0", "1", "2", "3", "…", "57", "58", "59"]
        assert made["texts"][0][:4] == ["0.0", "1.0", "2.0", "3.0"]
        assert made["texts"][7][7] == "2999.0"
        assert made["shades"][7][7] == 1.0
        assert made["shades"][4][0] is None

    def test_of_a_batch_the_first_matrix_is_shown(self):
        made = table(np.arange(24.0).reshape(2, 3, 4))
        assert made["label"] == "[0, :, :], the first of 2 matrices"
        assert made["texts"][2] == ["8.0", "9.0", "10.0", "11.0"]

    def test_figures_leave_nan_and_infinity_out_and_count_them(self):
        numbers = np.array([3.0, -4.0, np.nan, np.inf])
        assert figures(numbers) == [
            ("min", "-4.0"),
            ("max", "3.0"),
            ("mean", "-0.5"),
            ("norm", "5.0"),
            ("nan", "1"),
            ("infinite", "1"),
        ]
        assert figures(np.array([np.nan])) == [("nan", "1")]
        assert figures(np.zeros((0, 2))) == [("nan", "0")]
        json.dumps(table(numbers), allow_nan=False)

    @pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 3)])
    def test_empty_arrays_have_a_table_too(self, shape):
        json.dumps(table(np.zeros(shape)), allow_nan=False)

    def test_equal_arrays_share_a_table(self):
        tables = ArrayTables()
        assert tables.place(np.ones(3)) == tables.place(np.ones(3)) == 0
        assert tables.place(np.ones(3, np.float32)) == 1
        assert len(tables.made) == 2
