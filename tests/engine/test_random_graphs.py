"""Random graphs of all ops: finite differences where there are slopes, written rules at corners."""

import math

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.engine.errors import GradcheckError
from minigrad.engine.recorders import operate

INF = math.inf


def op(name, *operands, **attrs):
    return operate(name, operands, attrs)


def pair(a, b):
    return op("stack", a, b, axis=0)


# what is recorded, and of the same on plain numbers the local derivatives; None: it was not taken
UNARY = {
    "neg": lambda x: [-1.0],
    "abs": lambda x: [None if x == 0 else math.copysign(1.0, x)],
    "relu": lambda x: [1.0 if x > 0 else None],
    "clip": lambda x: [1.0 if -1 <= x <= 1 else None],
    "sqrt": lambda x: [INF if x == 0 else 0.5 / math.sqrt(x)],
    "log": lambda x: [INF if x == 0 else 1 / x],
    "exp": lambda x: [math.exp(x)],
    "sin": lambda x: [math.cos(x)],
    "cos": lambda x: [-math.sin(x)],
    "tanh": lambda x: [1 - math.tanh(x) ** 2],
    "sigmoid": lambda x: [1 / (2 + math.exp(x) + math.exp(-x))],
    "pow 0": lambda x: [None],
    "pow 2": lambda x: [2 * x],
    "pow ½": lambda x: [INF if x == 0 else 0.5 / math.sqrt(x)],
    "moved": lambda x: [1.0],
}


def larger(a, b):
    return [0.5, 0.5] if a == b else [1.0, None] if a > b else [None, 1.0]


def share(a, b):  # of softmax at the first: p·(1 - p), and the negative of it
    if INF in (-a, -b):
        return [None, None]
    slope = 1 / (2 + math.exp(a - b) + math.exp(b - a))
    return [slope, -slope]


def surprise(a, b):  # of log_softmax at the first: 1 - p, and the negative of it
    if b == -INF:
        return [0.0, None]
    chance = 1.0 if a == -INF else 1 / (1 + math.exp(a - b))
    return [chance, -chance]


BINARY = {
    "add": lambda a, b: [1.0, 1.0],
    "sub": lambda a, b: [1.0, -1.0],
    "mul": lambda a, b: [b, a],
    "div": lambda a, b: [INF, INF] if b == 0 else [1 / b, -a / b / b],
    "maximum": larger,
    "minimum": lambda a, b: larger(-a, -b),
    "max": larger,
    "min": lambda a, b: larger(-a, -b),
    "where yes": lambda a, b: [1.0, None],
    "where no": lambda a, b: [None, 1.0],
    "getitem": lambda a, b: [None, 1.0],
    "sum": lambda a, b: [1.0, 1.0],
    "mean": lambda a, b: [0.5, 0.5],
    "mse": lambda a, b: [2 * (a - b), -2 * (a - b)],
    "matmul": lambda a, b: [2 * a, 2 * b],
    "softmax": share,
    "log_softmax": surprise,
    "cross_entropy": lambda a, b: [None if d is None else -d for d in surprise(a, b)],
}


def record(name, a, b):
    """Record an op of the tables above on one or two tensors of one shape, or that broadcast."""
    kind, _, detail = name.partition(" ")
    if kind == "pow":
        return op("pow", a, {"0": 0.0, "2": 2.0, "½": 0.5}[detail])
    if kind == "clip":
        return op("clip", a, low=-1.0, high=1.0)
    if kind == "moved":
        wide = op("broadcast_to", a.reshape(1, 1), shape=(2, 1))
        both = op("concatenate", op("transpose", wide, axes=(1, 0)), wide.reshape(1, 2), axis=0)
        return both[1, 0]
    if kind == "where":
        return op("where", a, b, condition=detail == "yes")
    if kind in ("max", "min", "sum", "mean"):
        return op(kind, pair(a, b), axis=0)
    if kind == "getitem":
        return pair(a, b)[1]
    if kind == "matmul":
        both = pair(a, b)
        return both @ both
    if kind in ("softmax", "log_softmax"):
        return op(kind, pair(a, b), axis=-1)[0]
    if kind == "cross_entropy":
        return op(kind, pair(a, b), targets=0)
    return op(kind, a) if name in UNARY else op(kind, a, b)


NAMES = sorted([*UNARY, *BINARY])


@st.composite
def programs(draw, names, most):
    """A list of calls, each on leaves or on earlier results: a name and two places."""
    count = draw(st.integers(1, most))
    return [
        (draw(st.sampled_from(names)), *draw(st.tuples(*[st.integers(0, 2 + k)] * 2)))
        for k in range(count)
    ]


def test_every_registered_op_is_in_the_tables():
    used = {"reshape", "transpose", "broadcast_to", "concatenate", "stack"}
    assert {name.partition(" ")[0] for name in NAMES} - {"moved"} | used == set(mg.registry.names())


CORNERS = st.sampled_from([0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -2.0, INF, -INF])
QUICK = settings(max_examples=400, deadline=None, derandomize=True, database=None)


def by_the_rules(program, values, leaf):
    """Return the gradient of one leaf by the tables, forward along the paths that were taken.

    None if a derivative on one of them is not finite: then there is nothing to compare.
    """
    moves = [1.0 if place == leaf else None for place in range(3)]
    for name, first, second in program:
        places = [first] if name in UNARY else [first, second]
        moved = None
        if any(moves[place] is not None for place in places):
            numbers = [values[place] for place in places]
            try:
                locals_ = (UNARY | BINARY)[name](*numbers)
            except (OverflowError, ValueError, ZeroDivisionError):
                return None
            for place, local in zip(places, locals_, strict=True):
                if local is None or moves[place] is None:
                    continue
                if not math.isfinite(local):
                    return None
                moved = (moved or 0.0) + local * moves[place]
        moves.append(moved)
    return moves[-1] or 0.0


@given(programs(NAMES, 7), st.lists(CORNERS, min_size=3, max_size=3))
@QUICK
def test_at_corners_and_infinities_gradients_follow_the_written_rules(program, numbers):
    leaves = [mg.Tensor(np.float64(one), requires_grad=True) for one in numbers]
    results = list(leaves)
    with mg.ComputationGraph(), np.errstate(all="ignore"):
        for name, first, second in program:
            results.append(record(name, results[first], results[second]))
        values = [one.item() for one in results]
        assume(not any(map(math.isnan, values)))
        results[-1].backward()
    for place, leaf in enumerate(leaves):
        right = by_the_rules(program, values, place)
        if right is not None and math.isfinite(right):
            found = 0.0 if leaf.grad is None else leaf.grad
            np.testing.assert_allclose(found, right, rtol=1e-7, atol=1e-9)


SHAPES = st.sampled_from([(), (2,), (2, 1), (1, 2)])
ELEMENTWISE = [
    *(set(UNARY) - {"moved", "exp"}),
    *("add", "sub", "mul", "div", "maximum", "minimum", "where yes", "where no"),
]


@given(
    programs(sorted(ELEMENTWISE), 6),
    st.lists(SHAPES, min_size=3, max_size=3),
    st.integers(0, 1_000),
)
@settings(QUICK, max_examples=120)
def test_where_there_are_slopes_gradients_are_those_that_are_measured(program, shapes, seed):
    rng = np.random.default_rng(seed)
    # most of them on whole numbers, where ties and bounds are
    leaves = [
        mg.Tensor(rng.integers(-2, 3, shape) + 0.37 * rng.integers(0, 3, shape), True)
        for shape in shapes
    ]

    def compute(*tensors):
        results = list(tensors)
        for name, first, second in program:
            results.append(record(name, results[first], results[second]))
        return results[-1].sum() + tensors[0].sum()

    try:
        mg.gradcheck(compute, leaves, rtol=1e-4, atol=1e-6)
    except GradcheckError as error:
        told = str(error)
        assert "cannot be measured" in told or "no slope to measure" in told, told
