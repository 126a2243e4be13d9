"""What a person sees of two traces side by side, and can do with them."""

from browser.bars import Bars
from playwright.sync_api import expect

DOUBLED = """
import minigrad as mg
a = mg.Tensor(1.0, requires_grad=True)
graph = mg.ComputationGraph()
with graph:
    b = a + a
    c = b + b
"""
TWO_ORDERS = DOUBLED + "s = mg.compare(mg.step(graph, c), mg.step(graph, c, order=[1, 0, 0]))\n"


class ComparePage(Bars):
    """A comparison in the output of a cell, or in the page of a host."""

    def __init__(self, root):
        super().__init__(root)
        self.page = root.page
        self.keyboard = root.page.keyboard
        self.verdict = self.root.locator(".mg-compare > .mg-explanation [aria-live]")

    def side(self, number):
        return self.root.locator(".mg-one").nth(number)

    def box(self, side, key):
        rows = self.side(side).locator(f'svg [data-key="{key}"] text').all_text_contents()
        return [" ".join(row.split()) for row in rows]

    def differing(self, side):
        marked = self.side(side).locator("svg [data-differs]").all()
        return {group.get_attribute("data-key") for group in marked}

    def table(self):
        lines = self.root.locator(".mg-common tbody tr").all()
        return [[t.strip() for t in line.locator("th, td").all_text_contents()] for line in lines]

    def expect_step(self, number, count):
        expect(self.root.locator(".mg-step")).to_have_text(f"Step {number} of {count}")
