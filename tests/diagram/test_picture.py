"""DOT, layout and SVG: structure, stable names, texts as given, one layout for all frames."""

import json
import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from awkward import ANY_TEXT, AWKWARD_NAMES
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.diagram import film_of, lay_out, still
from minigrad.diagram.dot import to_dot
from minigrad.diagram.palette import BACKGROUND, BOXES, EDGES
from minigrad.diagram.rows import NAME_LINES
from minigrad.diagram.svg import to_page_svg, to_svg
from minigrad.trace import Snapshot, Trace
from minigrad.trace.names import abridge
from minigrad.trace.notation import written

SVG = "{http://www.w3.org/2000/svg}"


def picture(graph):
    film = still(Snapshot.of(graph))
    return ET.fromstring(to_svg(film, film.frame(0), lay_out(film)))


def groups(root):
    return {g.get("data-key"): g for g in root.iter(f"{SVG}g") if g.get("data-key")}


def texts(group):
    return [text.text or "" for text in group.iter(f"{SVG}text")]


def test_dot_names_are_places_and_edges_keep_their_order(running):
    film = still(Snapshot.of(running.graph))
    source = to_dot(film, film.frame(0)).source
    arrows = [line.split("[")[0].strip() for line in source.splitlines() if " -> " in line]
    assert arrows == ["t0 -> n0", "t1 -> n0", "n0 -> n1", "t0 -> n1"]


def test_equal_runs_give_equal_dot_under_any_hash_seed():
    code = (
        "import minigrad as mg\n"
        "g = mg.ComputationGraph(); x = mg.Tensor(3.0, True, 'x'); y = mg.Tensor(4.0, True, 'y')\n"
        "with g: w = (x*y + x) * (y - 2) / x\n"
        "print(mg.draw(g).to_graphviz().source)"
    )
    sources = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(sources) == 1


@pytest.mark.parametrize("swapped", [False, True])
def test_the_operands_of_a_difference_stand_in_their_order(swapped):
    a = mg.Tensor(1.0, requires_grad=True, name="a")
    b = mg.Tensor(2.0, requires_grad=True, name="b")
    graph = mg.ComputationGraph()
    with graph:
        a + b  # without the minus, this would decide who stands above
        c = b - a if swapped else a - b
    assert c.grad_fn_index == 1
    layout = lay_out(still(Snapshot.of(graph)))
    height = {key: float(place["pos"].split(",")[1]) for key, place in layout.boxes.items()}
    assert (height["t0"] > height["t1"]) is not swapped


def test_the_running_example_has_x_above_y():
    x, y = (mg.Tensor(v, requires_grad=True) for v in (3.0, 4.0))
    graph = mg.ComputationGraph()
    with graph:
        x * y + x
    layout = lay_out(still(Snapshot.of(graph)))
    assert float(layout.boxes["t0"]["pos"].split(",")[1]) > float(
        layout.boxes["t1"]["pos"].split(",")[1]
    )


def test_every_box_and_edge_is_drawn_once(running):
    running.w.backward()
    found = [g.get("data-key") for g in picture(running.graph).iter(f"{SVG}g")]
    assert sorted(key for key in found if key) == [
        "e0", "e1", "e2", "e3", "n0", "n1", "t0", "t1",
    ]  # fmt: skip


@pytest.mark.parametrize("name", AWKWARD_NAMES)
def test_a_name_is_drawn_as_it_is(named, name):
    group = groups(picture(named(name)))["t0"]
    header = texts(group)[0]
    if "\n" in name:
        first, second = name.split("\n")
        assert header.startswith(first)
        assert texts(group)[1] == second
    else:
        # a tab is drawn as blanks, and stands in the title as it is
        assert header.startswith(abridge(name.replace("\t", "    "), 16))
        assert header.endswith("leaf")
    assert group.find(f"{SVG}title").text == name


def test_an_empty_name_is_replaced_by_a_place_and_a_long_one_is_cut(named):
    assert texts(groups(picture(named("")))["t0"])[0].split() == ["t0", "leaf"]
    long = groups(picture(named("q" * 10_000)))["t0"]
    assert texts(long)[0].startswith("q" * 9 + "…" + "q" * 6)
    assert long.find(f"{SVG}title").text == "q" * 10_000


@given(ANY_TEXT, ANY_TEXT, st.integers(0, 40))
@settings(max_examples=150, deadline=None)
def test_any_text_whatever_can_be_a_name_of_a_tensor_a_scope_or_an_op(name, other, backslashes):
    op = other or "double"
    ops = mg.OpRegistry()
    ops.register(op, mg.registry.get("mul"))
    graph = mg.ComputationGraph(ops)
    x = mg.Tensor(3.0, requires_grad=True, name=name)
    with graph.scope(f"s {name}"):
        graph.apply(op, x, x).name = "\\" * backslashes + name
    found = groups(picture(graph))
    lines = re.split("\r\n|\r|\n", written(name))
    heights = {text.get("y") for text in found["t0"].iter(f"{SVG}text")}
    assert len(heights) == min(len(lines), NAME_LINES) + 2  # the value and the gradient
    assert texts(found["n0"])[0].startswith("#0 ")


def test_a_picture_runs_from_left_to_right_wherever_it_is_put(running):
    # a page from right to left would count the places of its texts from their other ends
    drawing = mg.draw(running.graph)
    for svg in (drawing.svg, to_page_svg(drawing.film, drawing.layout)):
        assert ET.fromstring(svg).get("direction") == "ltr"


@pytest.mark.parametrize(("leaf", "output"), [("שלום", "סוף"), ("x א", "(ב)"), ("سلام", "a\nب")])
def test_a_name_from_right_to_left_is_an_element_beside_those_of_its_row(leaf, output):
    def cells(leaf, output):
        x = mg.Tensor(3.0, requires_grad=True, name=leaf)
        with mg.ComputationGraph() as graph:
            (x - 1.0).name = output
        found = groups(picture(graph))
        rows = [list(found[key].iter(f"{SVG}text")) for key in ("t0", "n0")]
        return [
            (text.text.strip("\u2068\u2069"), float(text.get("x")) - float(box[0].get("x")))
            for box in rows
            for text in box
        ]

    drawn = dict(cells(leaf, output))
    *_, last = output.split("\n")
    assert {leaf, "leaf", last, "2.0"} <= drawn.keys()
    # both rows as long as their box is wide: here the columns are where the blanks are elsewhere
    plain = dict(cells("x" * len(leaf), "w" * len(last)))
    header = next(text for text in plain if text.endswith("leaf"))
    assert drawn["leaf"] == pytest.approx(header.index("leaf") * 14 * 0.602, abs=0.02)
    assert drawn["2.0"] == pytest.approx((max(len(last), 5) + 1) * 14 * 0.602, abs=0.02)


def test_names_without_notation_or_direction_leave_the_dot_text_as_it_was(running):
    source = mg.draw(running.graph).to_graphviz().source
    assert not re.search("[\u200e\u2068\u2069]", source)
    x = mg.Tensor(3.0, requires_grad=True, name="שלום")
    mg.mul(running.graph, x, x).name = "x_1"
    source = mg.draw(running.graph).to_graphviz().source
    assert "\u200e\u2068שלום\u2069" in source
    assert "x₁" in source


def test_half_a_character_in_a_name_can_be_shown_and_sent(named):
    graph = named("a\ud800b")
    assert mg.draw(graph).svg.encode()
    assert json.dumps(mg.step(graph).payload).encode()
    assert str(mg.draw(graph)).encode()


def test_a_picture_has_no_ids_so_two_on_a_page_cannot_clash(running):
    root = picture(running.graph)
    assert [e for e in root.iter() if e.get("id")] == []
    assert root.get("role") == "img"
    assert "%3" not in ET.tostring(root, encoding="unicode")


def test_a_file_has_no_colour_that_an_office_program_cannot_read(running):
    text = ET.tostring(picture(running.graph), encoding="unicode")
    for unknown in ("transparent", "rgba(", "var("):
        assert unknown not in text


def test_nothing_lies_outside_of_the_canvas(dead_node):
    film = film_of(Trace.of(dead_node.graph, dead_node.w, "append"))
    layout = lay_out(film)
    left, bottom, right, top = map(float, layout.bounds.split(","))
    for place in layout.boxes.values():
        x, y = map(float, place["pos"].split(","))
        half_width, half_height = float(place["width"]) * 36, float(place["height"]) * 36
        assert left - 0.01 <= x - half_width
        assert x + half_width <= right + 0.01
        assert bottom - 0.01 <= y - half_height
        assert y + half_height <= top + 0.01


@pytest.mark.parametrize("seed", [0.0, 12345.6789, -1e-300, float("nan")])
def test_places_are_the_same_on_every_frame(seed):
    x = mg.Tensor(np.float64(3.0), requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        w = x * x + x
    film = film_of(Trace.of(graph, w, seed=seed))
    layout = lay_out(film)

    def shapes(step):
        root = ET.fromstring(to_svg(film, film.frame(step), layout))
        return (
            root.get("viewBox"),
            [(e.get("d") or e.get("points")) for e in root.iter() if e.get("d") or e.get("points")],
            [(e.get("x"), e.get("y")) for e in root.iter(f"{SVG}text")],
        )

    assert all(shapes(step) == shapes(0) for step in range(film.length))


def test_states_and_the_changed_gradient_are_classes(running):
    film = film_of(Trace.of(running.graph, running.w))
    found = groups(ET.fromstring(to_svg(film, film.frame(4), lay_out(film))))
    assert found["n0"].get("class") == "box node active"
    assert found["n1"].get("class") == "box node done"
    assert found["t0"].get("class") == "box leaf active changed"
    assert found["e0"].get("class") == "edge active"
    assert found["e2"].get("class") == "edge done"


def luminance(colour):
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(theme):
    for style in BOXES[theme].values():
        assert contrast(style.text, style.fill) >= 4.5
    for style in EDGES[theme].values():
        assert contrast(style.text, BACKGROUND[theme]) >= 4.5


def test_no_two_states_of_a_node_differ_by_colour_alone():
    nodes = {n: s for n, s in BOXES["light"].items() if n.startswith("node")}
    # done and waiting have the same outline; the gradient in the text tells them apart
    assert nodes["node active"].width > nodes["node done"].width
    assert nodes["node dead"].dashed
    assert nodes["node absent"].dashed
    assert not nodes["node done"].dashed


def test_forty_doublings_are_drawn_with_both_edges_of_each():
    graph = mg.ComputationGraph()
    y = mg.Tensor(1.0, requires_grad=True)
    with graph:
        for _ in range(40):
            y = y + y
    layout = lay_out(still(Snapshot.of(graph)))
    assert len(layout.boxes) == 41
    assert len(layout.edges) == 80


def test_names_in_an_svg_have_no_prefix(running):
    # pages that take it in as it is know <g> and <text>, and nothing else
    drawing = mg.draw(running.graph)
    for svg in (drawing.svg, to_page_svg(drawing.film, drawing.layout)):
        assert set(re.findall(r"<([a-z:0-9]+)", svg)) <= {
            "svg",
            "g",
            "polygon",
            "path",
            "rect",
            "text",
            "title",
        }
        assert svg.count("xmlns") == 1


def test_a_very_deep_graph_is_traced_and_drawn_in_part():
    graph = mg.ComputationGraph()
    y = mg.Tensor(1.0, requires_grad=True)
    with graph:
        for _ in range(5_000):
            y = y + 1
    assert "#4990 add" in mg.draw(graph, nodes=range(4980, 5000)).svg
    assert len(Trace.of(graph, y).steps) == 10_001


def test_of_two_arrows_side_by_side_the_lower_one_has_its_label_below():
    graph, y = mg.ComputationGraph(), mg.Tensor(0.5, requires_grad=True)
    with graph:
        for _ in range(40):  # more boxes than Graphviz places labels for
            y = y * y
    layout = lay_out(film_of(Trace.of(graph, y)))

    def heights(edge):
        _, start, *_ = layout.edges[edge]["pos"].removeprefix("e,").split(" ")
        label = float(layout.edges[edge]["lp"].split(",")[1])
        return float(start.split(",")[1]), label

    for number in range(2, 80, 2):
        (one, label), (other, its_label) = sorted(
            [heights(f"e{number}"), heights(f"e{number + 1}")]
        )
        assert label < one < other < its_label
