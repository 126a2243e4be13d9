"""What a person sees of a stepper, and can do with it."""

import json

from axe_playwright_python.sync_playwright import Axe
from browser.bars import Bars
from playwright.sync_api import expect

PREPARE = """
import minigrad as mg
x = mg.Tensor(3.0, requires_grad=True)
y = mg.Tensor(4.0, requires_grad=True)
graph = mg.ComputationGraph()
"""
LOOP_STEPS = 801  # 400 records, the seed, 400 visits
LOOP = """
import minigrad as mg
x = mg.Tensor(1.0, requires_grad=True)
graph = mg.ComputationGraph()
y = x
with graph:
    for _ in range(200):
        y = y * x
        y = y + 0.5
s = mg.step(graph, y, fold=False)
s
"""
NETWORK = """
import minigrad as mg
x = mg.Tensor(0.5, requires_grad=True, name="x")
graph, h = mg.ComputationGraph(), x
with graph:
    for layer in (1, 2, 3):
        with graph.scope(f"layer {layer}"):
            h = mg.tanh(graph, h * mg.Tensor(0.1 * layer, requires_grad=True) + x)
    loss = h * h
s = mg.step(graph, loss, fold=True)
s
"""
MATRICES = """
import minigrad as mg, numpy as np
W = mg.Tensor(np.arange(6.0).reshape(2, 3) - 2, requires_grad=True)
big = mg.Tensor(np.ones((3, 40)), requires_grad=True)
graph = mg.ComputationGraph()
with graph:
    out = (W @ big).sum()
"""
RECORD = "with graph:\n    z = x * y\n    w = z + x\n"


class StepperPage(Bars):
    """A stepper in the output of a cell, or in the page of a host."""

    @property
    def page(self):
        return self.root.page

    @property
    def keyboard(self):
        return self.page.keyboard

    def box(self, key):
        """Return the rows of a box or an edge's label, with single blanks."""
        rows = self.root.locator(f'[data-key="{key}"] text').all_text_contents()
        return [" ".join(row.split()) for row in rows]

    def state(self, key):
        return self.root.locator(f'svg [data-key="{key}"]').get_attribute("class").split()

    def gradients(self):
        """Return before and after of each row of the table."""
        table = {}
        for row in self.root.locator(".mg-table tbody tr").all():
            cells = row.locator("th, td").all_text_contents()
            table[cells[0]] = (cells[2], cells[3])
        return table

    def picture(self):
        """Return all that is seen, except where the keyboard is."""
        return self.root.locator(".mg-stepper").evaluate(
            "node => [node.innerText, node.querySelector('svg').outerHTML,"
            " node.querySelector('input').value].join('\\n')"
        )

    def expect_theme(self, name):
        is_dark = name.startswith("Dark")
        expect(self.root).to_have_class("minigrad mg-dark" if is_dark else "minigrad")

    def expect_no_barrier(self):
        """See that axe finds nothing that keeps people out."""
        found = Axe().run(self.page, context=".minigrad").response["violations"]
        told = [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
        assert told == [], json.dumps(told, indent=1)

    def expect_step(self, number, count=5):
        expect(self.root.locator(".mg-step")).to_have_text(f"Step {number} of {count}")


def stepper_in(host, code, kind=StepperPage):
    """Run code as a cell, and show the stepper that it ends with, until its picture is there."""
    widget = host.run(code)
    made = kind(host.show(widget))
    made.widget, made.host = widget, host
    made.root.locator("svg").wait_for()
    return made


def go_to(stepper, step):
    """Drag the slider to a step, counted from 0."""
    stepper.root.get_by_label("Step", exact=True).evaluate(
        "(slider, step) => { slider.value = step; slider.dispatchEvent(new Event('input')); }", step
    )
    stepper.expect_step(step + 1, LOOP_STEPS)


def expect_box(stepper, key):
    expect(stepper.root.locator(f'svg [data-key="{key}"]')).to_be_visible()
