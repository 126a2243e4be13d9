"""The Graphviz worker: what it answers, and what happens when it fails, dies or hangs."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import minigrad as mg
from minigrad.diagram.graphviz.process import GraphvizProcess, graphviz_process
from minigrad.engine.errors import DrawingError

DOT = "digraph { a -> b }"
# a layout that takes far longer than any test lasts
TANGLE = "digraph {" + "".join(f"{a}->{b};" for a in range(150) for b in range(a)) + "}"
OPEN = Path("/proc/self/fd")
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


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
    for _ in range(5):
        killed = graphviz_process.pid
        os.kill(killed, KILL)
        assert "<svg" in mg.draw(running.graph).svg
        assert graphviz_process.pid != killed


def test_a_worker_that_dies_at_work_gives_one_clear_sentence(worker):
    def kill_at_work():
        while worker.pid is None:
            pass
        os.kill(worker.pid, KILL)

    # it is started by this request, so it cannot have died before it
    killer = threading.Thread(target=kill_at_work)
    killer.start()
    with pytest.raises(DrawingError, match=r"stopped unexpectedly.*starts it anew"):
        worker.render(TANGLE, "dot", ["svg"])
    killer.join()
    assert b"<svg" in worker.render(DOT, "dot", ["svg"])[0]


def test_a_layout_that_takes_too_long_is_stopped_and_said(worker):
    worker.render(DOT, "dot", ["svg"])
    worker.time_limit = 0.05
    with pytest.raises(DrawingError, match=r"longer than 0.05 s"):
        worker.render(TANGLE, "dot", ["svg"])
    worker.time_limit = 20
    assert b"<svg" in worker.render(DOT, "dot", ["svg"])[0]


@pytest.mark.skipif("sys.platform == 'win32'", reason="Windows has no timer signal")
def test_after_an_interrupt_each_answer_belongs_to_its_question(worker):
    worker.render(DOT, "dot", ["svg"])

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            worker.render(TANGLE, "dot", ["svg"])
    finally:
        signal.signal(signal.SIGALRM, before)
    for name in ("first", "second"):
        assert name.encode() in worker.render(f"digraph {{ {name} }}", "dot", ["svg"])[0]


@pytest.mark.skipif("not hasattr(os, 'fork')", reason="there is no fork here")
def test_a_forked_child_leaves_the_parents_worker_alone():
    code = (
        "import os, sys, warnings, minigrad as mg\n"
        "from minigrad.diagram.graphviz.process import graphviz_process as worker\n"
        "warnings.simplefilter('ignore', DeprecationWarning)\n"
        "draw = lambda: worker.render('digraph { a }', 'dot', ['svg'])[0][:5]\n"
        "assert draw() == b'<?xml'\n"
        "mine = worker.pid\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    assert worker.pid is None and draw() == b'<?xml' and worker.pid != mine\n"
        "    sys.exit(0)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert draw() == b'<?xml' and worker.pid == mine\n"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-X", "dev", "-c", code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


FORK_WHILE_A_THREAD_DRAWS = """
import gc, os, sys, threading, time, warnings
import minigrad as mg
warnings.simplefilter("ignore", DeprecationWarning)
graph, x = mg.ComputationGraph(), mg.Tensor(0.5, requires_grad=True)
with graph:
    y = x
    for _ in range(8):
        y = y * x
first = mg.draw(graph).svg
before, busy = mg.step(graph), True

def work():
    while busy:
        stepper = mg.step(graph)
        stepper.export(f"{sys.argv[1]}/steps.pdf", steps=range(3), overwrite=True)
        stepper.close()

thread = threading.Thread(target=work)
thread.start()
failed = []
for number in range(12):
    time.sleep(0.011 * number)
    child = os.fork()
    if not child:
        assert mg.draw(graph).svg == first
        assert gc.isenabled()
        stepper = mg.step(graph)
        assert len(stepper.frame(-1).png(300)) > 1000
        before.frame(3).svg
        before.close()
        os._exit(0) if number % 2 else sys.exit(0)
    for _ in range(1000):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        time.sleep(0.01)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        status = "hung"
    failed += [status] if status else []
busy = False
thread.join()
print(failed, mg.draw(graph).svg == first)
"""


@pytest.mark.skipif("not hasattr(os, 'fork')", reason="there is no fork here")
def test_a_child_that_is_forked_while_a_thread_draws_can_draw_itself(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", FORK_WHILE_A_THREAD_DRAWS, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert (ran.stdout, ran.stderr) == ("[] True\n", "")


@pytest.mark.skipif("sys.platform == 'win32'", reason="Windows has no alarms")
@pytest.mark.parametrize("dot", [DOT, TANGLE], ids=["at rest", "at work"])
def test_a_worker_outlives_a_killed_parent_by_a_moment_only(dot):
    code = (
        "import sys, threading, time\n"
        "from minigrad.diagram.graphviz.process import GraphvizProcess\n"
        "worker = GraphvizProcess(time_limit=1)\n"
        "ask = lambda: worker.render(sys.argv[1], 'dot', ['svg'])\n"
        "asking = threading.Thread(target=ask, daemon=True)\n"
        "asking.start()\n"
        "asking.join(0.5)\n"
        "print(worker.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, dot], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as parent:
        orphan = int(parent.stdout.readline())
        assert is_running(orphan)
        parent.kill()
    deadline = time.monotonic() + 20
    while is_running(orphan):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_running(pid):
    """Tell whether a process runs; one that ended and was not waited for does not."""
    ran = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return ran.stdout.strip()[:1] not in ("", "Z")


@pytest.mark.skipif(
    "not os.path.isdir('/proc/self/fd')", reason="there is nothing to count them by"
)
def test_a_hundred_drawings_and_restarts_of_the_worker_leave_no_descriptor_open(worker):
    worker.render(DOT, "dot", ["svg"])
    before = len(list(OPEN.iterdir()))
    for number in range(100):
        if number % 20 == 0:
            worker.close()
        worker.render(DOT, "dot", ["svg"])
    assert len(list(OPEN.iterdir())) == before


@pytest.mark.parametrize("python", [None, "", "/no/such/python"])
def test_a_worker_that_cannot_be_started_is_told(worker, monkeypatch, python):
    monkeypatch.setattr("sys.executable", python)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DrawingError, match="could not be started"):
        worker.render(DOT, "dot", ["svg"])


def test_a_syntax_error_is_told_and_the_worker_lives_on(worker):
    worker.render(DOT, "dot", ["svg"])
    alive = worker.pid
    with pytest.raises(mg.DrawingError, match=r"could not draw this graph \(its text") as unread:
        worker.render('digraph { "a }', "dot", ["svg"])
    assert "syntax error" in unread.value.printed
    assert "syntax error" not in str(unread.value)
    with pytest.raises(mg.DrawingError, match="rendering no-such failed") as unknown:
        worker.render(DOT, "dot", ["no-such"])
    assert "not recognized" in unknown.value.printed
    assert "not recognized" not in str(unknown.value)
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
