"""The Graphviz worker: what it answers, and what happens when it fails, dies or hangs."""

import os
import signal
import subprocess
import sys
import threading

import pytest

import minigrad as mg
from minigrad.diagram.graphviz_process import GraphvizProcess, graphviz_process
from minigrad.errors import DrawingError

DOT = "digraph { a -> b }"


@pytest.fixture
def worker():
    process = GraphvizProcess()
    yield process
    process.close()


def test_it_renders_several_formats_of_one_layout(worker):
    svg, png = worker.render(DOT, "dot", ["svg", "png"])
    assert b"<svg" in svg
    assert png.startswith(b"\x89PNG")


def test_one_process_serves_many_requests(worker):
    worker.render(DOT, "dot", ["svg"])
    first = worker.pid
    worker.render(DOT, "dot", ["svg"])
    assert worker.pid == first


def test_a_killed_worker_is_replaced_and_the_next_drawing_works(running):
    drawing = mg.draw(running.graph)
    assert "<svg" in drawing.svg
    killed = graphviz_process.pid
    os.kill(killed, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    graphviz_process._process.wait()
    assert "<svg" in mg.draw(running.graph).svg
    assert graphviz_process.pid != killed


def test_a_worker_that_dies_at_work_gives_one_clear_sentence(worker):
    worker.render(DOT, "dot", ["svg"])
    # the worker is there when the request starts, and gone before it can answer
    process = worker._process
    process.stdout.close()
    process.stdout = open(os.devnull, "rb")  # noqa: SIM115 - closed by the worker's owner
    with pytest.raises(DrawingError, match=r"stopped unexpectedly.*starts it anew"):
        worker.render(DOT, "dot", ["svg"])
    assert b"<svg" in worker.render(DOT, "dot", ["svg"])[0]


def test_a_layout_that_takes_too_long_is_stopped_and_said(worker):
    tangle = "digraph {" + "".join(f"{a}->{b};" for a in range(150) for b in range(a)) + "}"
    worker.render(DOT, "dot", ["svg"])
    worker.time_limit = 0.05
    with pytest.raises(DrawingError, match=r"longer than 0.05 s"):
        worker.render(tangle, "dot", ["svg"])
    worker.time_limit = 20
    assert b"<svg" in worker.render(DOT, "dot", ["svg"])[0]


def test_a_syntax_error_is_told_and_the_worker_lives_on(worker):
    worker.render(DOT, "dot", ["svg"])
    alive = worker.pid
    with pytest.raises(DrawingError, match=r"could not draw this graph.*syntax error"):
        worker.render('digraph { "a }', "dot", ["svg"])
    with pytest.raises(DrawingError, match="rendering no-such failed"):
        worker.render(DOT, "dot", ["no-such"])
    assert worker.pid == alive


def test_threads_take_turns(worker):
    found = []

    def work(name):
        (svg,) = worker.render(f"digraph {{ {name} }}", "dot", ["svg"])
        found.append(name.encode() in svg)

    threads = [threading.Thread(target=work, args=(f"node{k}",)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8


def test_closing_twice_is_fine_and_a_closed_worker_starts_again(worker):
    worker.render(DOT, "dot", ["svg"])
    worker.close()
    worker.close()
    assert worker.pid is None
    assert worker.render(DOT, "dot", ["svg"])


def test_nothing_is_ever_printed_in_a_plain_script_without_a_main_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import minigrad as mg\n"
        "x = mg.Tensor(3.0, requires_grad=True, name='x\\tx')\n"
        "graph = mg.ComputationGraph()\n"
        "with graph: w = x * x\n"
        "for name in ('w.svg', 'w.png', 'w.pdf'): mg.draw(graph).save(name)\n"
        "mg.step(graph, w).export('step.pdf')\n"
    )
    # names that would shadow what the worker imports, if it looked in the user's folder
    (tmp_path / "json.py").write_text("raise SystemExit('imported the wrong json')")
    ran = subprocess.run(
        [sys.executable, "-P", str(script)], cwd=tmp_path, capture_output=True, text=True
    )
    assert (ran.stdout, ran.stderr, ran.returncode) == ("", "", 0)
    written = {path.name for path in tmp_path.iterdir()} - {"script.py", "json.py"}
    assert written == {"w.svg", "w.png", "w.pdf", "step.pdf"}
