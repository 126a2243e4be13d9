"""The first notebook in a real JupyterLab: the graph grows, the stepper steps, both ways."""

import re

import pytest
from browser.stepper_page import PREPARE, StepperPage
from playwright.sync_api import expect

NOTEBOOK = "00_start_here.ipynb"


@pytest.fixture
def lab(open_notebook):
    return open_notebook(NOTEBOOK)


def test_the_notebook_from_first_cell_to_stepping_without_a_kernel(lab, server):
    expect(lab.run("setup")).to_contain_text("[OK] drawing: Graphviz answers")

    # the live diagram: nothing, then #0 mul, then #1 add
    live = lab.run("empty-graph").locator(".minigrad")
    expect(live).to_contain_text("Nothing recorded yet")
    expect(live.locator("[data-key]")).to_have_count(0)
    lab.run("record-mul")
    live = lab.show("empty-graph").locator(".minigrad")
    expect(live.locator('[data-key="n0"]')).to_contain_text("#0 mul")
    expect(live.locator('[data-key="n0"]')).to_contain_text(re.compile(r"z\s+12\.0"))
    expect(live.locator('[data-key="n1"]')).to_have_count(0)
    lab.run("record-add")
    live = lab.show("empty-graph").locator(".minigrad")
    expect(live.locator('[data-key="n1"]')).to_contain_text("#1 add")
    expect(live.locator('[data-key="n1"]')).to_contain_text(re.compile(r"w\s+15\.0"))
    expect(lab.run("nodes")).to_contain_text("GraphNode('mul'")
    expect(lab.run("prediction")).to_contain_text("Not tried yet")

    # the stepper, forwards
    stepper = StepperPage(lab.run("stepper").locator(".minigrad"))
    stepper.expect_step(1)
    pictures = [stepper.picture()]
    assert stepper.box("n0") == ["#0 mul ×", "z 12.0", "grad —"]
    assert stepper.box("n1") == ["#1 add +", "w —", "grad —"]
    stepper.press("Next")
    stepper.expect_step(2)
    pictures.append(stepper.picture())
    nothing = ("—", "—")
    assert set(stepper.gradients().values()) == {nothing}

    stepper.press("Next")  # the seed
    stepper.expect_step(3)
    pictures.append(stepper.picture())
    assert stepper.box("n1") == ["#1 add +", "w 15.0", "grad 1.0 (seed)"]
    assert stepper.gradients() == {
        "x": nothing,
        "y": nothing,
        "z (#0)": nothing,
        "w (#1)": ("—", "1.0"),
    }

    stepper.press("Next")  # backward through #1 add
    stepper.expect_step(4)
    pictures.append(stepper.picture())
    assert "active" in stepper.state("n1")
    assert stepper.box("e2") == ["× 1", "+1.0"]
    assert stepper.gradients() == {
        "x": ("—", "1.0"),
        "y": nothing,
        "z (#0)": ("—", "1.0"),
        "w (#1)": ("1.0", "1.0"),
    }

    stepper.press("Next")  # backward through #0 mul
    stepper.expect_step(5)
    pictures.append(stepper.picture())
    assert stepper.box("t0") == ["x leaf", "value 3.0", "grad 1.0 + 4.0 = 5.0"]
    assert stepper.box("t1") == ["y leaf", "value 4.0", "grad none + 3.0 = 3.0"]
    assert stepper.box("e0") == ["× y = 4.0", "+4.0"]
    assert stepper.box("e1") == ["× x = 3.0", "+3.0"]
    assert stepper.gradients() == {
        "x": ("1.0", "5.0"),
        "y": ("—", "3.0"),
        "z (#0)": ("1.0", "1.0"),
        "w (#1)": ("1.0", "1.0"),
    }
    expect(stepper.root.locator(".mg-explanation")).to_contain_text(
        "x.grad: 1.0 + ∂w/∂z · y = 1.0 + 1.0 × 4.0 = 5.0"
    )

    # and back again: every earlier picture comes back
    for number in (4, 3, 2, 1):
        stepper.press("Back")
        stepper.expect_step(number)
        assert stepper.picture() == pictures[number - 1]

    # the rest of the notebook, then without a kernel
    expect(lab.run("backward")).to_contain_text("x.grad = 5.0")
    expect(lab.run("backward")).to_contain_text("x.grad = 10.0")  # leaves add up
    lab.run("save")
    assert (server.folder / "w.png").stat().st_size > 10_000
    stepper = StepperPage(lab.show("stepper").locator(".minigrad"))
    stepper.expect_step(5)  # the cell before set stepper.index

    lab.shut_down_kernel()
    assert server.kernels() == []
    for number in (4, 3, 2, 1):
        stepper.press("Back")
        stepper.expect_step(number)
        assert stepper.picture() == pictures[number - 1]
    stepper.press("End")
    stepper.expect_step(5)
    assert stepper.picture() == pictures[4]


def test_the_diagram_grows_while_a_cell_is_still_running(open_notebook, server):
    go_on = server.folder / "go on"
    lab = open_notebook(
        watch=PREPARE + "mg.watch(graph)",
        record="from pathlib import Path\nimport time\n"
        "with graph:\n    z = x * y\n"
        "while not Path('go on').exists(): time.sleep(0.01)\n"
        "with graph:\n    w = z + x\n",
    )
    lab.run("watch")
    lab.start("record")
    live = lab.show("watch").locator(".minigrad")
    expect(live.locator('[data-key="n0"]')).to_contain_text("#0 mul")
    expect(live.locator('[data-key="n1"]')).to_have_count(0)
    go_on.touch()
    expect(live.locator('[data-key="n1"]')).to_contain_text(re.compile(r"w\s+15\.0"))
