"""Long work: a bar for whoever waits, an interrupt at any point, and nothing left behind."""

import gc
import signal
import sys
import threading
from concurrent.futures import Future
from types import SimpleNamespace

import numpy as np
import pytest
from ipywidgets import Widget

import minigrad as mg
from minigrad import progress
from minigrad.diagram.graphviz import process as graphviz_module
from minigrad.diagram.graphviz.process import graphviz_process
from minigrad.progress import Bar, Count, Listener, Stopped, counted, heard_by, one_work, wait_for


class Heard(Listener):
    """Writes down what it hears."""

    def __init__(self):
        super().__init__(patience=0)
        self.told = []

    def look(self):
        self.due = 0.0  # it is always time to tell
        super().look()
        self.due = 0.0

    def tell(self, count):
        self.told.append((count.what, count.done, count.total))


class TestCounting:
    def test_each_thing_is_told_once_it_is_done(self):
        heard = Heard()
        with heard_by(heard):
            assert list(counted("abc", "Reading")) == ["a", "b", "c"]
        assert heard.told == [("Reading", done, 3) for done in range(4)]
        assert heard.counts == []

    def test_of_loops_in_each_other_the_outermost_is_told(self):
        heard = Heard()
        with heard_by(heard):
            for _ in counted(range(2), "Outer"):
                list(counted(range(5), "Inner"))
        assert {what for what, _, _ in heard.told} == {"Outer"}
        assert heard.told[-1] == ("Outer", 2, 2)

    def test_works_within_a_work_are_heard_by_the_same_listener(self):
        heard = Heard()
        with heard_by(heard), one_work():
            list(counted(range(1), "Within"))
        assert heard.told[-1] == ("Within", 1, 1)

    def test_where_nobody_listens_nothing_is_kept(self):
        assert list(counted(range(3), "Reading")) == [0, 1, 2]
        assert progress._listener.get() is None

    def test_a_work_that_has_ended_hears_nothing_of_the_next(self):
        left = Heard()
        left.close()
        progress.listen(left)
        try:
            with one_work():
                list(counted(range(3), "Reading"))
        finally:
            progress.listen(None)
        assert left.told == []

    def test_the_time_until_something_is_told_is_the_listeners_patience(self, monkeypatch):
        clock = SimpleNamespace(now=100.0)
        monkeypatch.setattr(progress.time, "monotonic", lambda: clock.now)
        told = []

        class Patient(Listener):
            def tell(self, count):
                told.append((clock.now, count.done))

        with heard_by(Patient(1.0)):
            count = Count("Reading", 100)
            for now in (100.5, 100.9, 101.0, 101.05, 101.1):
                clock.now = now
                count.one()
        assert told == [(101.0, 3), (101.1, 5)]


class TestStopping:
    def test_a_loop_ends_at_its_next_count(self):
        listener = Listener()
        done = []

        def work():
            for thing in counted(range(10), "Reading"):
                done.append(thing)
                if thing == 3:
                    listener.stop()

        with pytest.raises(Stopped), heard_by(listener):
            work()
        assert done == [0, 1, 2, 3]

    def test_a_wait_ends_too(self):
        listener = Listener()
        threading.Timer(0.05, listener.stop).start()
        with pytest.raises(Stopped), heard_by(listener):
            wait_for(Future())

    def test_what_a_future_comes_to_is_returned_or_raised(self):
        good, bad = Future(), Future()
        good.set_result(7)
        bad.set_exception(TimeoutError("its own"))
        assert wait_for(good) == 7
        with pytest.raises(TimeoutError, match="its own"):
            wait_for(bad)

    def test_no_except_exception_on_the_way_takes_it_for_a_failure(self):
        assert not issubclass(Stopped, Exception)


class TestBar:
    def test_it_says_what_how_far_and_how_to_stop_and_goes_away(self, capsys):
        with one_work(at_once=True):
            for _ in counted(range(4000), "Reading the graph"):
                pass
        shown = capsys.readouterr().err
        assert "Reading the graph   0%|" in shown
        assert "0 of 4,000" in shown
        assert "Ctrl-C stops it" in shown
        assert shown.split("\r")[-2].strip() == ""

    def test_an_interrupt_takes_it_away(self, capsys):
        def work():
            for _ in counted(range(4), "Reading"):
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt), one_work(at_once=True):
            work()
        assert capsys.readouterr().err.split("\r")[-2].strip() == ""
        assert progress._listener.get() is None

    def test_there_is_none_for_quick_work_or_where_nobody_looks(self, capsys, monkeypatch):
        monkeypatch.setattr(progress, "PATIENCE", 0.0)
        with one_work():  # not a terminal
            list(counted(range(5), "Reading"))
        monkeypatch.undo()
        monkeypatch.setattr(progress, "_someone_waits", lambda: True)
        with one_work():
            list(counted(range(5), "Reading"))
        assert capsys.readouterr().err == ""

    def test_another_thread_shows_none(self, monkeypatch):
        monkeypatch.setattr(progress, "_in_notebook", lambda: True)
        found = []
        assert progress._someone_waits()
        thread = threading.Thread(target=lambda: found.append(progress._someone_waits()))
        thread.start()
        thread.join()
        assert found == [False]

    def test_without_tqdm_the_work_is_done_all_the_same(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
        with one_work(at_once=True):
            assert list(counted(range(3), "Reading")) == [0, 1, 2]

    def test_a_step_of_a_large_graph_shows_its_phases_in_one_bar(self, large, monkeypatch, capsys):
        monkeypatch.setattr(progress, "_someone_waits", lambda: True)
        monkeypatch.setattr(progress, "PATIENCE", 0.0)
        stepper = mg.step(large.graph)
        shown = capsys.readouterr().err
        for phase in ("Reading the graph", "Stepping backward", "Collecting gradients"):
            assert phase in shown
        assert shown.split("\r")[-2].strip() == ""
        stepper.close()

    def test_its_widgets_are_closed_and_its_place_is_empty(self, monkeypatch):
        from tqdm.notebook import tqdm

        updates = []
        place = SimpleNamespace(update=lambda *given, **how: updates.append((given, how)))
        before = set(_widgets())

        def make(count):
            return tqdm(total=count.total, display=False, leave=False)

        monkeypatch.setattr(progress, "_make_bar", make)
        monkeypatch.setattr(progress, "_put_into_output", lambda bar: place)
        with heard_by(Bar(0.0)):
            for _ in counted(range(3), "Reading"):
                break
        assert updates == [(({},), {"raw": True})]
        assert set(_widgets()) == before


def _widgets():
    from ipywidgets.widgets import widget

    return widget._instances


@pytest.fixture
def large():
    """A loop of 210 nodes, which has six windows."""
    graph = mg.ComputationGraph()
    x = mg.Tensor(1.0, requires_grad=True, name="x")
    y = x
    with graph:
        for _ in range(105):
            y = y * x
            y = y + 0.5
    mg.backward(graph)
    pair = mg.step(small()), mg.step(small(), order=[0])
    yield SimpleNamespace(graph=graph, x=x, y=y, pair=pair)
    for one in pair:
        close(one)


def interrupt_at(place, function):
    """Run a function, and interrupt it at the so-manyth line of minigrad's that it runs.

    Return what it returned, or None if it was interrupted, and how many lines it ran. Widgets of
    earlier runs are freed before: as they go they run lines too, at whatever point that is.
    """
    gc.collect()
    ran = 0

    def trace(frame, event, argument):
        nonlocal ran
        name = frame.f_globals.get("__name__", "")
        if not name.startswith("minigrad.") or name in NOT_COUNTED:
            return None
        if event == "line":
            ran += 1
            if ran == place:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return function(), ran
    except KeyboardInterrupt:
        return None, ran
    finally:
        sys.settrace(before)


NOT_COUNTED = {
    # what the others rely on: an interrupt in their own few lines is not mended
    "minigrad.progress",
    "minigrad.trace.gc_pause",
    # waits for longer or shorter; another test is about that
    "minigrad.diagram.graphviz.process",
}


@pytest.fixture
def few_to_collect():
    """Spare the collector what is there already: it is called for each interrupt."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("few_to_collect")
@pytest.mark.parametrize(
    "call",
    [
        lambda large: mg.step(large.graph),
        lambda large: mg.draw(large.graph, nodes=range(100, 120)).svg,
        lambda large: mg.why(large.graph, large.y, large.x, most=2),
        lambda large: mg.nudge(small()),
        lambda large: mg.watch(large.graph),
        lambda large: mg.compare(*large.pair),
    ],
    ids=["step", "draw", "why", "nudge", "watch", "compare"],
)
def test_an_interrupt_at_any_point_leaves_nothing_half_made(large, call):
    close(call(large))  # fonts are read once
    nodes, data, grad = list(large.graph.nodes), np.copy(large.x.data), np.copy(large.x.grad)
    widgets = set(_widgets())
    made, count = interrupt_at(None, lambda: call(large))
    close(made)
    middle = [10 * 3**k for k in range(20) if 10 * 3**k < count - 10]
    interrupted = []
    # but for the last two, when all is made and goes to the caller
    for place in [*range(1, 10), *middle, *range(count - 10, count - 1)]:
        made, ran = interrupt_at(place, lambda: call(large))
        if made is None:
            interrupted.append(place)
        else:  # it waited for less than it did when its lines were counted
            assert ran < place
            close(made)
        assert gc.isenabled()
        assert progress._listener.get() is None
        assert set(_widgets()) == widgets
    assert len(interrupted) > len(middle) + 9
    assert large.graph.nodes == nodes
    assert (large.x.data, large.x.grad) == (data, grad)
    (svg,) = graphviz_process.render("digraph { still_there }", "dot", ["svg"])
    assert b"still_there" in svg


def close(made):
    if isinstance(made, Widget):
        layout = made.layout
        made.close()
        layout.close()


def small():
    graph = mg.ComputationGraph()
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    mg.mul(graph, x, x)
    return graph


@pytest.mark.skipif("sys.platform == 'win32'", reason="Windows has no timer signal")
def test_a_signal_while_graphviz_works_ends_the_call_and_the_worker(monkeypatch, capfd):
    graph = mg.ComputationGraph()
    xs = [mg.Tensor(float(k), requires_grad=True, name=f"x{k}") for k in range(60)]
    y = xs[0]
    with graph:
        for k in range(100):
            y = y + xs[k % 60]
            y = y - xs[k * 7 % 60]
    first = mg.draw(small()).svg
    ask = graphviz_module._Line.ask

    def ask_and_interrupt(line, request):
        ask(line, request)
        signal.setitimer(signal.ITIMER_REAL, 0.05)

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    monkeypatch.setattr(graphviz_module._Line, "ask", ask_and_interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            mg.draw(graph, nodes=range(200)).svg  # noqa: B018 - which draws it
    finally:
        signal.signal(signal.SIGALRM, before)
        monkeypatch.undo()
    assert graphviz_process.pid is None
    assert mg.draw(small()).svg == first
    assert capfd.readouterr() == ("", "")
