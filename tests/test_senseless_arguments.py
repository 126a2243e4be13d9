"""Every public function with senseless arguments: one sentence of ours, or Python's own."""

import contextlib
import inspect
import itertools
import math
import warnings
from types import ModuleType

import numpy as np
import pytest
from awkward import ANY_TEXT
from conftest import build
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad import lessons
from minigrad.lessons.question import Question
from minigrad.lessons.task import Task

STEADY = settings(deadline=None, derandomize=True, database=None)
FRESH = itertools.count()


class Unanswering:
    """What raises whatever it is asked."""

    def _refuse(self, *_):
        raise RuntimeError("no answer")

    __array__ = __bool__ = __eq__ = __float__ = __getitem__ = __index__ = __int__ = _refuse
    __iter__ = __len__ = __lt__ = __repr__ = __str__ = __fspath__ = _refuse
    __hash__ = None


SINGLE = st.one_of(
    st.sampled_from(
        [None, ..., NotImplemented, True, False, np.True_, np.int8(1), np.float32(math.nan)]
    ),
    st.sampled_from([0, 1, -1, 2, 7, 10**30, -(10**30), 0.5, -0.0, math.nan, math.inf, 1e308, 1j]),
    st.sampled_from(["", "x", "dark", "all", "no", "node", "a.svg", "s{}.svg", "\0", "\ud800"]),
    ANY_TEXT,
    st.sampled_from(
        [b"x", bytearray(b"x"), memoryview(b"x"), slice(None), range(3), np.dtype("f4")]
    ),
    st.sampled_from([mg.Tensor, math, lambda *_, **__: 0, mg.registry, object()]),
    st.sampled_from(["2020-01-01"]).map(np.datetime64),
    st.sampled_from([(1,), (1, "s"), ("NaT",)]).map(lambda given: np.timedelta64(*given)),
    st.builds(Unanswering),
    st.builds(mg.ComputationGraph),
    st.builds(mg.OpRegistry),
    st.builds(lambda: (number for number in range(2))),
    st.builds(lambda: mg.step(build(unused=False).graph)),
    st.sampled_from([3.0, math.nan, [1.0, -math.inf], [[1.0, 2.0, 3.0]], np.zeros((0, 2))]).flatmap(
        lambda data: st.builds(mg.Tensor, st.just(data), st.booleans())
    ),
    st.sampled_from([np.zeros(0), np.array([1.0, 2.0]), np.array([True, False])]),
    st.sampled_from([np.array("s"), np.array([None, object()]), np.ma.masked, np.zeros((2, 0, 3))]),
)
SENSELESS = st.recursive(
    SINGLE,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from(["x", "w", "", 0, None]), inner, max_size=2),
        st.frozensets(st.sampled_from([0, 1, "x", None])),
    ),
    max_leaves=4,
)

# what makes sense, by the name of the parameter: only where it has no default
SENSIBLE = {
    "a": lambda e: e.x,
    "answers": lambda e: {},
    "axes": lambda e: (),
    "b": lambda e: e.y,
    "condition": lambda e: True,
    "count": lambda e: 4,
    "data": lambda e: 3.0,
    "f": lambda e: math.sin,
    "first": lambda e: mg.step(e.graph),
    "fn": lambda e: "mul",
    "given": lambda e: 1,
    "graph": lambda e: e.graph,
    "index": lambda e: ...,
    "inputs": lambda e: [e.x, e.y],
    "logits": lambda e: mg.Tensor([[0.0, 1.0]], requires_grad=True),
    "name": lambda e: f"name {next(FRESH)}",
    "names": lambda e: (),
    "new_values": lambda e: {e.x: 2.0},
    "op": lambda e: mg.registry.get("mul"),
    "op_name": lambda e: "mul",
    "operands": lambda e: [e.x, e.y],
    "output": lambda e: e.w,
    "path": lambda e: f"{next(FRESH)}.svg",
    "rate": lambda e: 0.1,
    "second": lambda e: mg.step(e.graph),
    "seed": lambda e: 1.0,
    "shape": lambda e: (1,),
    "source": lambda e: e.x,
    "targets": lambda e: [1],
    "tensor": lambda e: e.x,
    "values": lambda e: {},
    "weights": lambda e: [e.x],
    "x": lambda e: 3.0,
}


def setter(of, name):
    """Return the setting of an attribute as a function."""

    def call(example):
        thing = of(example)

        def put(given):
            setattr(thing, name, given)

        return put

    return call


def method(of, name):
    return lambda example: getattr(of(example), name)


def public_functions():
    """Give all that can be called under a public name, by that name; each made for an example."""
    found = {}
    for name in mg.__all__:
        thing = getattr(mg, name)
        is_error = isinstance(thing, type) and issubclass(thing, Exception)
        if callable(thing) and not is_error and thing not in (mg.Differentiable, mg.GraphNode):
            found[name] = lambda example, thing=thing: thing
    for kind, of, names in [
        ("Tensor", lambda e: e.w, methods_of(mg.Tensor)),
        ("graph", lambda e: e.graph, ["apply", "holds", "record", "replay", "reset", "scope"]),
        ("registry", lambda e: mg.OpRegistry(), methods_of(mg.OpRegistry)),
        ("drawing", lambda e: mg.draw(e.graph), ["png", "save", "to_graphviz"]),
        ("stepper", lambda e: mg.step(e.graph), ["close", "export", "fold", "frame", "unfold"]),
        ("compare", lambda e: mg.compare(mg.step(e.graph), mg.step(e.graph)), ["frames"]),
        ("nudge", lambda e: mg.nudge(e.graph), ["frame", "move"]),
        ("watch", lambda e: mg.watch(e.graph), ["refresh"]),
        ("why", lambda e: mg.why(e.graph, e.w, e.x), ["draw"]),
    ]:
        found |= {f"{kind}.{name}": method(of, name) for name in names}
    for kind, of, names in [
        ("Tensor", lambda e: e.x, ["data", "grad", "name", "requires_grad"]),
        ("stepper", lambda e: mg.step(e.graph), ["index"]),
        ("compare", lambda e: mg.compare(mg.step(e.graph), mg.step(e.graph)), ["index"]),
    ]:
        found |= {f"{kind}.{name} =": setter(of, name) for name in names}
    for sign in ["add", "sub", "mul", "truediv", "pow", "matmul", "getitem", "eq", "lt", "round"]:
        found[f"Tensor {sign}"] = method(lambda e: e.x, f"__{sign}__")
        if hasattr(mg.Tensor, f"__r{sign}__"):
            found[f"Tensor r{sign}"] = method(lambda e: e.x, f"__r{sign}__")
    for lesson in (getattr(lessons, name) for name in lessons.__all__):
        for name, thing in vars(lesson).items() if isinstance(lesson, ModuleType) else ():
            if isinstance(thing, Question | Task):
                found[f"lessons {name}.check"] = lambda example, thing=thing: thing.check
    found["lessons two_moons"] = lambda example: lessons.network.two_moons
    found["lessons downhill"] = lambda example: lessons.network.downhill
    return found


def methods_of(kind):
    """Give the names of what can be called on one of a kind, but for what rooms use themselves."""
    names = {name for name, _ in inspect.getmembers(kind, callable) if not name.startswith("_")}
    return sorted(names - {"of_values", "recorded_by", "settled"})


FUNCTIONS = public_functions()


def senseless_call(data, function, example):
    """Draw a call whose arguments fit the signature, with nonsense in one or two places of it."""
    signature = inspect.signature(function)
    call = inspect.BoundArguments(signature, {})
    parameters = signature.parameters
    spoilt = (
        data.draw(st.lists(st.sampled_from(list(parameters)), min_size=1, max_size=2, unique=True))
        if parameters
        else []
    )
    for name, parameter in parameters.items():
        many = {parameter.VAR_POSITIONAL: 1, parameter.VAR_KEYWORD: 2}.get(parameter.kind, 0)
        if name in spoilt:
            given = data.draw(SENSELESS, label=name)
            call.arguments[name] = (given, (given,), {data.draw(NAMES): given})[many]
        elif parameter.default is not parameter.empty:
            call.arguments[name] = parameter.default
        elif many:
            call.arguments[name] = ((), {})[many - 1]
        else:
            call.arguments[name] = SENSIBLE[name](example)
    return call


NAMES = st.sampled_from(["x", "w", "axis", "x_grad", "nonsense"])


@pytest.fixture(scope="module", autouse=True)
def in_a_folder_of_its_own(tmp_path_factory):
    """What a senseless path comes to is written there."""
    with contextlib.chdir(tmp_path_factory.mktemp("here")):
        yield


def assert_untouched(example):
    """The running example is what it was."""
    assert [node.op_name for node in example.graph.nodes] == ["mul", "add"]
    assert [tensor.name for tensor in (example.x, example.y, example.w)] == ["x", "y", "w"]
    assert example.x.grad is None
    assert example.y.grad is None
    mg.backward(example.graph, example.w)
    assert float(example.w.data) == 15
    assert float(example.x.grad) == 5
    assert float(example.y.grad) == 3


def refusal_of(function, arguments, named):
    """Call a function; return what it raises on purpose, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # numpy's, of log(0)
            function(*arguments, **named)
    except (mg.MinigradError, TypeError) as error:
        return error
    return None


def fits(function, arguments, named):
    """Tell whether a call has the signature of a function."""
    signature = inspect.signature(function)
    try:
        signature.bind(*arguments, **named)
        if arguments and isinstance(arguments[0], mg.ComputationGraph):
            signature.bind(*arguments[1:], **named)  # mg.tanh(graph, x)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(STEADY, max_examples=12)
@given(data=st.data())
def test_senseless_arguments_are_refused_in_a_sentence(name, data):
    example = build(unused=False)
    function = FUNCTIONS[name](example)
    call = senseless_call(data, function, example)
    with mg.ComputationGraph():
        error = refusal_of(function, call.args, call.kwargs)
    if error is None:
        return
    if not isinstance(error, mg.MinigradError):
        assert not fits(function, call.args, call.kwargs), repr(error)
    assert len(str(error)) > 20
    assert_untouched(example)


@settings(STEADY, max_examples=500)
@given(
    name=st.sampled_from(list(FUNCTIONS)),
    arguments=st.lists(SENSELESS, max_size=4),
    named=st.dictionaries(NAMES, SENSELESS, max_size=2),
)
def test_wrong_signatures_are_refused_as_python_does(name, arguments, named):
    example = build(unused=False)
    function = FUNCTIONS[name](example)
    error = refusal_of(function, arguments, named)
    if error is None:
        return
    if not isinstance(error, mg.MinigradError):
        assert not fits(function, arguments, named), repr(error)
    assert_untouched(example)
