"""The self-check in a real JupyterLab, as a student does it: types, reads, asks, mends."""

import pytest
from playwright.sync_api import expect

RIGHT = {
    "q2": {
        "after_x": "False",
        "after_y": "False",
        "nodes": "0",
        "result": "12",
        "result_requires_grad": "False",
    },
    "q3": {
        "order_of_w": "[2, 0]",
        "order_of_r": "[3, 1]",
        "sub_leads_to_w": "False",
        "x_grad_is_changed": "False",
    },
    "q5": {"sub_adds": "0", "x_grad_with_garbage": "12", "why": '"a"'},
    "q7": {"x_grad": "20", "z_grad": "5"},
    "q8": {"x_grad": "[0, 0, 0]"},
    "q9": {"nodes": "2", "x_grad": "2", "k_grad": '"None"'},
}


class Student:
    """Somebody who works through the notebook with a keyboard."""

    def __init__(self, lab):
        self.lab = lab

    def answer(self, cell, **answers):
        """Put answers in place of what stands behind the equals signs, and run the cell."""
        self.lab.show(cell)
        for name, value in answers.items():
            self.write(cell, f"{name} = ", f"{name} = {value}")
        return self.lab.run(cell)

    def write(self, cell, start, text):
        """Type a new line over the one that has a certain start."""
        lines = self.lab.page.locator(f'[data-cell-id="{cell}"] .cm-line').all_text_contents()
        (number,) = [k for k, line in enumerate(lines) if line.startswith(start)]
        self.lab.page.locator(f'[data-cell-id="{cell}"] .cm-line').nth(number).click()
        for key in ("Home", "Shift+End"):
            self.lab.page.keyboard.press(key)
        self.lab.page.keyboard.type(text)

    def ask(self, call):
        """Ask in the cell that is there for it."""
        self.lab.show("help")
        lines = self.lab.page.locator('[data-cell-id="help"] .cm-line')
        self.write("help", lines.first.text_content(), call)
        return self.lab.run("help")


@pytest.fixture
def student(open_notebook):
    lab = open_notebook("06_self_check.ipynb")
    lab.run("setup")
    return Student(lab)


def expect_colours_of_page(lab, output):
    """See that what is said has the colour of the other words, in both themes."""
    words = lab.page.locator(".jp-MarkdownOutput p").first
    colours = "node => getComputedStyle(node).color"
    light = words.evaluate(colours)
    assert output.locator("p").first.evaluate(colours) == light
    lab.command("apputils:change-theme", theme="JupyterLab Dark")
    expect(words).not_to_have_css("color", light)
    assert output.locator("p").first.evaluate(colours) == words.evaluate(colours)
    lab.command("apputils:change-theme", theme="JupyterLab Light")


def test_the_self_check_from_blank_to_all_right(student):
    # not tried: nothing is given away
    expect(student.lab.run("q6")).to_contain_text("○ Not tried yet.")
    expect(student.lab.show("q6")).not_to_contain_text("6.0")

    # a wrong answer gets the hint at its own mistake: one arrow of two
    output = student.answer("q6", x_grad=3)
    expect(output).to_contain_text("✗ Not yet. x_grad = 3.0: that is one of the two arrows")
    expect(output).not_to_contain_text("6.0")
    expect_colours_of_page(student.lab, output)
    # another mistake, another hint
    expect(student.answer("q6", x_grad=9)).to_contain_text("that is the value of w")

    # asking for a hint, which does not tell the answer
    hint = student.ask("lesson.q6.hint()")
    expect(hint).to_contain_text("Nudge: 3.001 · 3.001")
    expect(hint).not_to_contain_text("x_grad")

    # right
    output = student.answer("q6", x_grad=6)
    expect(output).to_contain_text("✓ Right. Two arrows out of one box, 3 along each.")
    expect(output).to_contain_text("x_grad: yours 6.0 / true 6.0")

    # several answers in one cell: what is blank is named, then what is wrong
    output = student.answer("q1", op_0='"mul"', inputs_0="[5, 2]", output_0=10, grad_0=0)
    expect(output).to_contain_text("Still blank: op_1, inputs_1, output_1, grad_1.")
    output = student.answer("q1", op_1='"add"', inputs_1="[5, 10]", output_1=15, grad_1=1)
    expect(output).to_contain_text(
        "inputs_1 = [5.0, 10.0]: right numbers, but in the order of the call"
    )
    expect(output).to_contain_text("grad_1 = 1.0: that comes with the backward pass")
    output = student.answer("q1", inputs_1="[10, 5]", grad_1=0)
    expect(output).to_contain_text("inputs_1: yours [10.0, 5.0] / true [10.0, 5.0]")

    # forward order in place of backward order, and an answer that is none of the choices
    output = student.answer("q3", **RIGHT["q3"] | {"order_of_w": "[0, 2]"})
    expect(output).to_contain_text("right nodes, in forward order")
    expect(student.answer("q4", debug='"d"', release='"b"')).to_contain_text('one of "a", "b", "c"')
    expect(student.answer("q4", debug='"a"')).to_contain_text("✓ Right.")

    # the others
    for cell, answers in RIGHT.items():
        expect(student.answer(cell, **answers)).to_contain_text("✓ Right.")
    expect(student.ask("lesson.q7.solution()")).to_contain_text("So x_grad = 20.0, z_grad = 5.0.")
