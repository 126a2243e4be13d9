"""Where a notebook scrolls to when a widget comes.

The notebook is a stand-in; all lessons are run in a real one in test_one_screen.py.
"""

import pytest
from browser.stepper_page import PREPARE, RECORD

# as JupyterLab has it: the next cell is the active one, and the page scrolls by that alone
NOTEBOOK = """([next, active, scroll]) => {
    document.body.innerHTML = `<style>
        .jp-WindowedPanel-outer { height: 800px; overflow: auto; }
        .jp-Cell { min-height: 100px; overflow-anchor: none; }
        .jp-Cell.jp-mod-active { overflow-anchor: auto; }
        .before, .after { height: 1200px; }
        main { margin: 0; }
    </style><div class="jp-Notebook"><div class="jp-WindowedPanel-outer">
        <div class="jp-Cell before" tabindex="-1">before</div>
        <div class="jp-Cell ran" tabindex="-1">ran<main></main></div>
        <div class="jp-Cell next" tabindex="-1">${next}</div>
        <div class="jp-Cell after" tabindex="-1">after</div>
    </div></div>`;
    const cell = document.querySelector(active);
    cell.classList.add("jp-mod-active");
    (cell.querySelector("[contenteditable]") ?? cell).focus({ preventScroll: true });
    document.querySelector(".jp-WindowedPanel-outer").scrollTop = scroll;
}"""
SEEN = """() => {
    const pane = document.querySelector(".jp-WindowedPanel-outer");
    const frame = pane.getBoundingClientRect();
    const from = (one) => one.getBoundingClientRect().top - frame.top;
    const widget = document.querySelector(".minigrad") ?? document.querySelector("main");
    return { scroll: pane.scrollTop, widget: from(widget),
             left: frame.bottom - widget.getBoundingClientRect().bottom,
             active: from(document.querySelector(".jp-mod-active")) };
}"""
MARGIN = 8


class Notebook:
    """A notebook in the page of a host, one of whose cells has just been run."""

    def __init__(self, host, next_cell="next", active=".next", scroll=1100):
        self.host = host
        self.page = host.page
        self.page.evaluate(NOTEBOOK, [next_cell, active, scroll])

    def show(self):
        """Show a stepper as the output of the cell, and return where all is."""
        self.host.show(self.host.run(PREPARE + RECORD + "mg.step(graph, w)"))
        self.rest()
        return self.seen()

    def seen(self):
        return self.page.evaluate(SEEN)

    def scroll_to(self, place):
        """Scroll as a script does."""
        pane = self.page.locator(".jp-WindowedPanel-outer")
        pane.evaluate("(pane, place) => { pane.scrollTop = place; }", place)
        self.rest()

    def rest(self):
        """Let the page be laid out, and be laid out again for what that has led to."""
        twice = "() => new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(d)))"
        self.page.evaluate(twice)


def test_a_widget_that_would_grow_out_of_sight_is_seen_whole(host):
    seen = Notebook(host).show()
    assert seen["widget"] == pytest.approx(MARGIN, abs=1)
    assert seen["left"] > MARGIN


def test_it_stays_so_when_the_notebook_scrolls_once_more(host):
    notebook = Notebook(host)
    notebook.show()
    notebook.scroll_to(1500)
    assert notebook.seen()["widget"] == pytest.approx(MARGIN, abs=1)


def test_and_is_left_alone_from_the_readers_first_key_or_turn_of_the_wheel(host):
    notebook = Notebook(host)
    notebook.show()
    notebook.page.mouse.move(300, 300)
    notebook.page.mouse.wheel(0, 1)
    notebook.rest()
    notebook.scroll_to(1500)
    assert notebook.seen()["scroll"] == 1500


@pytest.mark.parametrize(
    ("next_cell", "active", "scroll"),
    [
        ("next", ".ran", 550),  # it was run and not left
        ("next", ".after", 1100),  # more than one cell was run, or the reader went on
        ("next", ".before", 550),  # a notebook that was opened again
        ('<p contenteditable="true">a line of code</p>', ".next", 1100),  # the reader types
    ],
)
def test_otherwise_it_comes_where_the_browser_lets_it(host, next_cell, active, scroll):
    notebook = Notebook(host, next_cell, active, scroll)
    before = notebook.seen()["active"]
    seen = notebook.show()
    assert seen["widget"] < 0 or seen["left"] < 0
    assert seen["active"] == pytest.approx(before, abs=1)


def test_in_an_empty_cell_that_waits_for_code_nobody_types_yet(host):
    seen = Notebook(host, '<p contenteditable="true"><br></p>').show()
    assert seen["widget"] == pytest.approx(MARGIN, abs=1)


def test_who_has_scrolled_away_meanwhile_is_left_there(host):
    notebook = Notebook(host)
    notebook.scroll_to(0)
    assert notebook.show()["scroll"] == 0


def test_who_has_gone_elsewhere_is_left_there(host):
    notebook = Notebook(host)
    notebook.page.evaluate("() => document.activeElement.blur()")
    assert notebook.show()["widget"] < 0


def test_a_page_that_is_no_notebook_of_jupyters_is_not_scrolled(host):
    notebook = Notebook(host)
    notebook.page.evaluate("() => document.querySelector('.jp-Notebook').className = 'page'")
    assert notebook.show()["widget"] < 0
