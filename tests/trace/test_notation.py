"""How names are written: Greek, indices and powers, nothing hidden, and their own direction."""

import json

import pytest
from awkward import ANY_TEXT
from fontTools.ttLib import TTFont
from hypothesis import given

import minigrad as mg
from minigrad.diagram.fonts import bundled_folder
from minigrad.diagram.rows import box_lines, text_width
from minigrad.trace import Snapshot, Trace
from minigrad.trace.notation import GREEK, HIDDEN, SIGNS, SMALL, isolated, visible, written


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("alpha", "α"),
        ("Omega", "Ω"),
        ("lambda_", "λ"),
        ("lambda_1", "λ₁"),
        ("beta1", "β₁"),
        ("d_alpha", "d_α"),
        ("mu_hat", "μ_hat"),
        (r"\alpha", "α"),
        ("x_1", "x₁"),
        ("x_12", "x₁₂"),
        ("x_i", "xᵢ"),
        ("alpha_t", "αₜ"),
        ("x_{ij}", "xᵢⱼ"),
        ("W_{out}", "Wₒᵤₜ"),
        ("x_{1,2}", "x₁,₂"),
        ("w^2", "w²"),
        ("W^T", "Wᵀ"),
        ("x^-1", "x⁻¹"),
        ("e^{-x}", "e⁻ˣ"),
        ("x_1^2", "x₁²"),
        ("(a+b)^2", "(a+b)²"),
        (r"$\alpha$", "α"),
        (r"$\beta_{ij}^2$", "βᵢⱼ²"),
        (r"the loss $\partial L$", "the loss ∂ L"),
        ("$\alpha$", "α"),  # without the r, Python reads \a as one sign, and \t as another
        ("$\theta_1$", "θ₁"),
        ("w_1*x_1 + b", "w₁*x₁ + b"),
        ("∂L/∂w_1", "∂L/∂w₁"),
    ],
)
def test_a_name_is_written_as_one_would_write_it(name, text):
    assert written(name) == text


@pytest.mark.parametrize(
    "name",
    [
        *("x", "w1", "loss", "my_layer", "hidden_layer", "x_train", "loss_1", "batch_2_mean"),
        *("W_out", "n_steps", "x_", "_x_1", "__x", "x__1", "x_1_2", "alphabet", "Alpha", "spin"),
        *("W_q", "x^", "$", "$5 and $6", "a\\", "\\N", r"$\foo x_1$", "{z}", "a->b", ""),
    ],
)
def test_words_stay_words_and_what_is_no_notation_stays_as_it_is(name):
    assert written(name) == name


def test_an_index_for_which_there_is_no_letter_stays_readable():
    assert [written(name) for name in ("x_{b}", "x_{b,c}", "e^alpha")] == ["x_b", "x_{b,c}", "e^α"]


@pytest.mark.parametrize("face", ["DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"])
def test_the_font_of_the_pictures_has_all_that_names_are_written_with(face):
    letters = {*GREEK.values(), *SIGNS.values()}.union(*(one.values() for one in SMALL.values()))
    with TTFont(bundled_folder() / face) as font:
        assert letters <= {*map(chr, font.getBestCmap())}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("\x00", r"\x00"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\x85\x0b", r"\x85\x0b"),
        ("a\u2028b", r"a\u2028b"),
        ("\u202eabc", r"\u202eabc"),
        ("\u2067\u2069\u200f\u061c", r"\u2067\u2069\u200f\u061c"),
        ("\ud800", r"\ud800"),
        ("\ufeff\uffff", r"\ufeff\uffff"),
    ],
)
def test_what_nobody_could_see_and_what_turns_text_around_is_shown(name, text):
    assert visible(name) == written(name) == text


@given(ANY_TEXT)
def test_whatever_the_name_it_can_be_written_into_any_file(name):
    text = written(name)
    assert not HIDDEN.search(text)
    text.encode()  # halves of characters cannot be


@pytest.mark.parametrize("piece", ["q_", "$", "x_{", "\\", "x^", "$a ", "x_1", ")", "alpha_"])
def test_a_very_long_name_takes_no_long_time(piece):
    assert written(piece * 20_000)


def test_only_what_runs_from_right_to_left_is_isolated():
    assert isolated("x₁ → é") == "x₁ → é"
    assert [isolated(name) for name in ("שלום", "سلام", "١")] == [
        "\u2068שלום\u2069",
        "\u2068سلام\u2069",
        "\u2068١\u2069",
    ]
    assert text_width(isolated("שלום")) == 4


def difference(first, second, name="c"):
    a, b = mg.Tensor(3.0, True, first), mg.Tensor(4.0, True, second)
    graph = mg.ComputationGraph()
    c = mg.sub(graph, a, b)
    c.name = name
    return graph, c, a


def test_names_that_run_from_right_to_left_leave_a_difference_in_its_order():
    graph, c, _ = difference("שלום", "سلام")
    trace = Trace.of(graph, c)
    assert trace.explain(trace.steps[0]).formulas == (
        "c = \u2068שלום\u2069 - \u2068سلام\u2069 = 3.0 - 4.0 = -1.0",
    )


def test_the_plain_name_stays_what_code_sees():
    graph, c, a = difference("alpha", "x_1", "w^2")
    snapshot = Snapshot.of(graph)
    alpha = snapshot.vertices["t0"]
    assert (a.name, alpha.given_name, alpha.label, alpha.name) == ("alpha", "alpha", "α", "α")
    nudge = mg.nudge(graph, c)
    nudge.move(alpha=5.0)
    assert nudge.values == {"alpha": 5.0, "x_1": 4.0}
    assert repr(nudge).startswith("Nudge(α = 5.0, x₁ = 4.0: w² = 1.0")
    assert "α.grad" in mg.compare(mg.step(graph, c), mg.step(graph, c, seed=2.0)).differences[-1]
    assert mg.why(graph, c, a).title.startswith("∂w²/∂α = 1.0")


def test_two_names_that_would_look_the_same_are_left_as_they_are():
    graph, _, _ = difference("alpha", "α")
    boxes = [box_lines(vertex, None)[0] for vertex in Snapshot.of(graph).vertices.values()]
    assert boxes == ["alpha\tleaf", "α\tleaf", "#0 sub\t-"]
    again, _, _ = difference("alpha", "alpha")
    assert [one.name for one in Snapshot.of(again).vertices.values()][:2] == ["α", "α"]


def test_a_power_within_a_rule_is_put_in_parentheses():
    x, y = mg.Tensor(6.0, True, "x"), mg.Tensor(2.0, True, "y^2")
    graph = mg.ComputationGraph()
    q = mg.div(graph, x, y)
    trace = Trace.of(graph, q)
    assert [one.rule for one in trace.steps[-1].contributions] == ["1/(y²)", "-x/(y²)²"]


class Odd(mg.Differentiable):
    """Doubles, and says so in words that no file can hold."""

    symbol = "\u202e\ud800"
    derivatives = ("{0}\x00\ud800",)
    passes_on = "\ud800"

    def forward(self, inputs, note=""):
        return inputs[0].values * 2

    def backward(self, grad_output, inputs, output, note=""):
        return [grad_output * 2]


@pytest.mark.parametrize(
    "name", ["\ud800", "a\x00\x1b", "\u202eabc", "x\r", "א\u2069\udfff", "\\" * 9]
)
def test_nothing_that_is_shown_holds_what_no_page_can(name):
    ops = mg.OpRegistry()
    for key, op in {name: Odd(), "mul": mg.registry.get("mul")}.items():
        ops.register(key, op)
    graph, a = mg.ComputationGraph(ops), mg.Tensor(3.0, requires_grad=True, name=name)
    with graph, graph.scope(name):
        b = graph.apply(name, a, note=name)
        b.name = f"{name}b"
        c = b * a
    steppers = [mg.step(graph, c, fold=fold, predict=True) for fold in (False, True)]
    nudge, live, why = mg.nudge(graph, c), mg.watch(graph), mg.why(graph, c, a)
    comparison = mg.compare(steppers[0], mg.step(graph, c, order="append"), titles=(name, "b"))
    shown = [graph, a, *graph.nodes, mg.draw(graph), mg.first_nonfinite(graph, seed=float("nan"))]
    shown += [*steppers, nudge, live, why, comparison]
    told = [repr(one) for one in shown]
    told += [one._repr_mimebundle_() for one in (graph, *steppers, nudge, live, comparison)]
    told += [why._repr_mimebundle_()["text/html"], mg.draw(graph).to_graphviz().source]
    told += [one.get_state() for one in (*steppers, nudge, live, comparison)]
    assert json.dumps(told, ensure_ascii=False, default=str).encode()
    assert live.payload["pictures"]


def test_the_sign_of_an_op_is_isolated_too():
    class Minus(mg.Differentiable):
        symbol = "פחות"

        def forward(self, inputs):
            return inputs[0].values - inputs[1].values

        def backward(self, grad_output, inputs, output):
            return [grad_output, -grad_output]

    ops = mg.OpRegistry()
    ops.register("minus", Minus())
    graph = mg.ComputationGraph(ops)
    w = graph.apply("minus", mg.Tensor(3.0, True, name="x"), mg.Tensor(2.0, True, name="y"))
    described = mg.step(graph, w).frame(0).description
    assert "3.0 \u2068פחות\u2069 2.0 = 1.0" in described
