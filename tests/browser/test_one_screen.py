"""All that a step needs is in sight: the node at work, its operands, the words and Next."""

import nbformat
import pytest
from browser.conftest import NOTEBOOKS
from browser.sight import READABLE, SIGHT, faults, read_through, run_and_advance, walk
from browser.zoo import DEAD, NETWORK, NEURON, RUNNING, ZOO, boxes_of, needs
from notebooks.outputs import see_that_each_check_tells

HEIGHT = 650  # px
SIZES = [(1400, 950), (1100, 700), (700, 950)]
EXAMPLES = {"running": RUNNING, "dead": DEAD, "neuron": NEURON, "network": NETWORK}
LESSONS = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
FEW_BOXES = 8


def made(code):
    names = {}
    exec(code, names)
    return names["s"], names["graph"]


def test_in_a_notebook_the_examples_need_one_screen(open_notebook):
    lab = open_notebook(**EXAMPLES, after="None")
    page = lab.page
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(SIGHT)
    needed = {name: needs(*made(code)) for name, code in EXAMPLES.items()}
    wrong = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for place, name in enumerate(EXAMPLES):
            page.evaluate("place => window.sight.begin(place)", place)
            seen = run_and_advance(page, place)
            root = page.evaluate_handle("() => window.shown").as_element()
            most = min(HEIGHT, seen["pane"])
            if not (seen["next"] and seen["isWhole"] and seen["height"] <= most):
                wrong.append((width, name, seen))
            first = page.evaluate("root => window.sight.picture(root)", root)
            is_readable = first["seen"] == first["boxes"] and first["text"] >= READABLE
            if width == SIZES[0][0] and first["boxes"] <= FEW_BOXES and not is_readable:
                wrong.append((width, name, first))
            found = walk(page, root, needed[name])
            wrong.extend((width, name, fault) for fault in faults(found))
            page.evaluate("root => window.sight.fit(root)", root)
            fitted = page.evaluate("root => window.sight.picture(root)", root)
            if fitted["seen"] < fitted["boxes"]:
                wrong.append((width, name, "Fit", fitted))
    page.emulate_media(reduced_motion="no-preference")
    assert wrong == []


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_without_a_complaint_and_after_each_cell_next_is_in_sight(
    open_notebook, name, server
):
    lab = open_notebook(name)
    lab.page.set_viewport_size({"width": 1400, "height": 950})
    found = read_through(lab.page, lab.cell_count())
    assert [one for one in found if one["next"] is False or not one["isWhole"]] == []
    lab.command("docmanager:save")
    # what a learner gets has blanks
    see_that_each_check_tells(nbformat.read(server.folder / name, 4), "○")


@pytest.mark.parametrize("name", ZOO)
def test_at_every_step_the_boxes_at_work_the_words_and_next_are_in_sight(host, name):
    host.page.set_viewport_size({"width": 1400, "height": 950})
    host.page.emulate_media(reduced_motion="reduce")
    stepper = host.run(ZOO[name])
    root = host.show(stepper)
    needed = needs(stepper, host.names["graph"])
    found = walk(host.page, root, needed)
    first = boxes_of(stepper)
    host.page.emulate_media(reduced_motion="no-preference")
    assert first > 1
    assert faults(found) == []
