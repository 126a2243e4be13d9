"""From left to right or from top to bottom: what fits, columns of what is tall, and labels."""

from itertools import combinations, pairwise

import pytest

import minigrad as mg
from minigrad.diagram import Layouts, film_of, still
from minigrad.diagram.directions import best_direction
from minigrad.diagram.layout import CELL, MOST_PLACED_LABELS
from minigrad.engine.errors import DrawingError
from minigrad.trace import Snapshot, Trace


def chain(count):
    """Return a graph of one op after the other."""
    graph, y = mg.ComputationGraph(), mg.Tensor(0.7, requires_grad=True, name="x")
    with graph:
        for _ in range(count):
            y = y.tanh()
    return graph, y


def boxes(layout):
    """Return left, bottom, right and top of each box."""
    found = {}
    for key, place in layout.boxes.items():
        x, y = map(float, place["pos"].split(","))
        width, height = (float(place[name]) * 72 for name in ("width", "height"))
        found[key] = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    return found


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize(
    ("right", "down", "best"),
    [
        ((500, 100), (100, 400), "right"),  # both fit: one reads from left to right
        ((800, 100), (300, 400), "right"),  # a little smaller
        ((1300, 100), (300, 400), "down"),
        ((1300, 100), (300, 2000), "right"),
    ],
)
def test_the_direction_is_the_one_in_which_the_picture_is_larger(right, down, best):
    assert best_direction({"right": right, "down": down}, (690, 450)) == best


def test_results_stand_to_the_right_or_below(running):
    layouts = Layouts(film_of(Trace.of(running.graph, running.w)))
    right, down = boxes(layouts["right"]), boxes(layouts["down"])
    for before, after in pairwise(("t0", "n0", "n1")):
        assert right[before][2] < right[after][0]
        assert down[before][1] > down[after][3]


def test_each_box_is_as_wide_as_its_own_text():
    graph = mg.ComputationGraph()
    long = mg.Tensor(3.0, requires_grad=True, name="a_rather_long_name")
    short = mg.Tensor(4.0, requires_grad=True, name="y")
    with graph:
        long * short
    found = boxes(Layouts(still(Snapshot.of(graph)))["right"])
    widths = {key: right - left for key, (left, _, right, _) in found.items()}
    assert widths["t1"] < 0.8 * widths["t0"]


@pytest.mark.parametrize("count", [4, 7, 14])
def test_a_tall_chain_goes_on_in_a_column_beside(count):
    graph, _ = chain(count)
    layouts = Layouts(still(Snapshot.of(graph)))
    down = layouts["down"]
    found = boxes(down)
    assert not any(overlap(*pair) for pair in combinations(found.values(), 2))
    cut = [column.keys for column in down.columns] or [list(found)]
    columns = [sorted(keys, key=lambda key: int(key[1:]) + (key[0] == "n")) for keys in cut]
    assert [key for column in columns for key in column] == ["t0", *(f"n{k}" for k in range(count))]
    for column in columns:  # each runs down from the top, to the right of the one before
        heights = [found[key][1] for key in column]
        assert heights == sorted(heights, reverse=True)
    tops = [found[column[0]][3] for column in columns]
    assert max(tops) - min(tops) < 40
    lefts = [found[column[0]][0] for column in columns]
    assert lefts == sorted(lefts)
    width, height = down.size
    assert height / CELL[1] < 1.7 * width / CELL[0]


def test_up_to_eight_boxes_can_be_read_whole_in_a_cell():
    """At 11 px, that is at 0.59 of the size of a box's text, 14 points."""
    for count in range(1, 8):
        graph, w = chain(count)
        layout = Layouts(film_of(Trace.of(graph, w))).fitting("auto", (490, 330))
        width, height = layout.size
        assert min(490 / width, 330 / height) >= 11 / (14 * 96 / 72), count


def test_labels_stand_on_no_box_where_there_are_many():
    graph, y = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True, name="x")
    x = y
    with graph:
        for _ in range(MOST_PLACED_LABELS // 2 + 2):
            y = y * x
            y = y.tanh()
    layout = Layouts(film_of(Trace.of(graph, y)))["down"]
    found = boxes(layout)
    assert len(found) > MOST_PLACED_LABELS
    places = [tuple(map(float, place["lp"].split(","))) for place in layout.edges.values()]
    for x, y in places:
        assert not any(box[0] < x < box[2] and box[1] < y < box[3] for box in found.values())


def test_a_picture_of_many_boxes_is_laid_out_in_one_direction_unless_another_is_asked_for():
    graph, _ = chain(MOST_PLACED_LABELS + 5)
    layouts = Layouts(still(Snapshot.of(graph)))
    assert layouts.at_hand == ("down",)
    assert layouts.fitting("auto").direction == "down"
    assert layouts.fitting("right").direction == "right"


@pytest.mark.parametrize("direction", ["right", "down"])
def test_the_direction_can_be_chosen_everywhere(running, direction):
    assert mg.draw(running.graph, direction=direction).layout.direction == direction
    stepper = mg.step(running.graph, running.w, direction=direction)
    assert stepper.frame(3).layout.direction == direction
    assert list(stepper.payload["views"]["0"]["pictures"]) == [direction]
    assert list(mg.watch(running.graph, direction=direction).payload["pictures"]) == [direction]
    assert mg.why(running.graph, running.w, running.x).draw(
        direction=direction
    ).layout.direction == (direction)


@pytest.mark.parametrize("given", ["left", "", None, 3, "Right"])
def test_what_is_no_direction_is_refused(running, given):
    allowed = "auto.*right.*down"
    with pytest.raises(DrawingError, match=allowed):
        mg.draw(running.graph, direction=given)
    with pytest.raises(DrawingError, match=allowed):
        mg.step(running.graph, running.w, direction=given)
    with pytest.raises(DrawingError, match=allowed):
        mg.watch(running.graph, direction=given)


def test_the_page_gets_both_directions_to_choose_from(running):
    view = mg.step(running.graph, running.w).payload["views"]["0"]
    assert list(view["pictures"]) == ["right", "down"]
    for text in view["pictures"].values():
        assert all(f'data-key="{key}"' in text for key in (*view["brief"], *view["edges"]))


def test_the_dot_text_of_columns_is_as_drawn():
    graph, _ = chain(7)
    drawing = mg.draw(graph, direction="down")
    source = drawing.to_graphviz().source
    columns = drawing.layout.columns
    assert len(columns) > 1
    assert source.count("constraint=false") == len(columns) - 1
    for column in columns:
        assert f"\t\t{column.heads[0]}\n" in source
