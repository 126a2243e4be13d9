"""Files for the page, drawn in the background: one after the other, told about, and stopped."""

import gc
import threading

import pytest

import minigrad as mg
from minigrad.diagram.graphviz import workers
from minigrad.diagram.graphviz.process import GraphvizProcess, graphviz_process
from minigrad.progress import counted
from minigrad.stepper import download_jobs as jobs_module
from minigrad.stepper.download_jobs import DownloadJobs


class Page:
    """Takes what is sent, and wakes up whoever waits for it."""

    def __init__(self):
        self.sent = []
        self._news = threading.Condition()

    def __call__(self, content, buffers=()):
        with self._news:
            self.sent.append((content, list(buffers)))
            self._news.notify_all()

    def wait_for(self, wanted):
        def found():
            return [content for content, _ in self.sent if wanted(content)]

        with self._news:
            assert self._news.wait_for(found, timeout=60), self.sent
            return found()[0]

    def ends(self):
        """Return how each file ended, in order."""
        words = ("stopped", "failed")
        ends = [(content, data) for content, data in self.sent if "progress" not in content]
        return [
            (
                content["id"],
                next((word for word in words if word in content), data[0] if data else None),
            )
            for content, data in ends
        ]


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setattr(jobs_module, "PATIENCE", 0.0)
    return Page()


@pytest.fixture
def saving(page):
    made = DownloadJobs(page)
    yield made
    made.stop()
    made.join()


def slow(release):
    """Return work of a hundred parts, which waits after the third of them."""

    def draw():
        for part in counted(range(100), "Drawing"):
            if part == 3:
                release.wait(60)
        return b"all"

    return draw


def test_it_tells_how_far_it_is_and_then_sends_the_file(saving, page):
    release = threading.Event()
    saving.ask({"id": "a"}, slow(release))
    assert page.wait_for(lambda content: "progress" in content)["progress"] == ["Drawing", 0, 100]
    release.set()
    saving.join()
    assert page.ends() == [("a", b"all")]


def test_one_after_the_other_and_the_thread_ends_with_the_last(saving, page):
    release, at_work = threading.Event(), []

    def draw(name):
        at_work.append(name)
        release.wait(60)
        return name

    for name in (b"a", b"b", b"c"):
        saving.ask({"id": name}, lambda name=name: draw(name))
    release.set()
    saving.join()
    assert at_work == [b"a", b"b", b"c"]
    assert page.ends() == [(name, name) for name in (b"a", b"b", b"c")]
    assert "minigrad-saving" not in [thread.name for thread in threading.enumerate()]
    saving.ask({"id": "later"}, lambda: b"d")
    saving.join()
    assert page.ends()[-1] == ("later", b"d")


def test_stop_ends_the_file_that_is_drawn_and_no_other(saving, page):
    release = threading.Event()
    saving.ask({"id": "a"}, slow(release))
    saving.ask({"id": "b"}, lambda: b"next")
    page.wait_for(lambda content: "progress" in content)
    saving.stop("a")
    release.set()
    saving.join()
    assert page.ends() == [("a", "stopped"), ("b", b"next")]


def test_a_file_that_waits_can_be_stopped_before_its_turn(saving, page):
    release, drawn = threading.Event(), []
    saving.ask({"id": "a"}, slow(release))
    saving.ask({"id": "b"}, lambda: drawn.append("b") or b"b")
    saving.stop("b")
    release.set()
    saving.join()
    assert page.ends() == [("a", b"all"), ("b", "stopped")]
    assert drawn == []


def test_an_error_goes_to_the_page_and_the_next_file_is_drawn(saving, page):
    saving.ask({"id": "a"}, lambda: 1 / 0)
    saving.ask({"id": "b"}, lambda: b"next")
    saving.join()
    assert page.ends() == [("a", "failed"), ("b", b"next")]
    assert page.sent[0][0]["failed"] == "division by zero"


@pytest.fixture
def stepper(page):
    graph = mg.ComputationGraph()
    x = mg.Tensor(1.0, requires_grad=True, name="x")
    y = x
    with graph:
        for _ in range(10):
            y = y * x
    made = mg.step(graph, y)
    made.send = page
    made.graph_drawn = graph
    yield made
    made.close()


ALL_PAGES = {"format": "pdf", "all": True, "step": 0, "theme": "light", "id": "a"}


def test_stop_while_graphviz_draws_ends_its_processes(stepper, page, monkeypatch):
    started = []

    class Counted(GraphvizProcess):
        def __init__(self):
            super().__init__()
            started.append(self)

    monkeypatch.setattr(workers, "GraphvizProcess", Counted)
    stepper._answer(None, ALL_PAGES, [])
    page.wait_for(lambda content: content.get("progress", [""])[0] == "Drawing")
    stepper._answer(None, {"stop": ["a"]}, [])
    stepper._saving.join()
    assert page.ends() == [("a", "stopped")]
    assert started
    assert [worker.pid for worker in started] == [None] * len(started)
    assert gc.isenabled()


def test_a_closed_stepper_draws_no_more(stepper, page):
    stepper._answer(None, ALL_PAGES, [])
    page.wait_for(lambda content: "progress" in content)
    stepper.close()
    stepper._saving.join()
    assert page.ends() == [("a", "stopped")]


def test_meanwhile_the_kernel_draws_with_its_own_worker_and_the_same_bytes_come(stepper, page):
    page.sent.clear()
    stepper._answer(None, ALL_PAGES, [])
    page.wait_for(lambda content: "progress" in content)
    before = graphviz_process.pid
    for step in range(3):
        assert stepper.frame(step).png(200).startswith(b"\x89PNG")
    assert graphviz_process.pid == before
    assert "<svg" in mg.draw(stepper.graph_drawn).svg
    stepper._saving.join()
    stepper._answer(None, ALL_PAGES, [])
    stepper._saving.join()
    (_, first), (_, second) = page.ends()
    assert first == second
    assert first.count(b"/Type /Page\n") == len(stepper.steps)


def test_all_pages_are_of_the_variant_that_was_shown_when_it_was_asked_for(stepper, page):
    fine = mg.step(stepper.graph_drawn, grain="edge")
    fine.send = page
    count = len(fine.steps)
    fine._answer(None, ALL_PAGES, [])
    fine.grain = "node"
    fine._saving.join()
    ((_, data),) = page.ends()
    assert len(fine.steps) < count
    assert data.count(b"/Type /Page\n") == count
    fine.close()
