"""Numbers and names as short text."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.trace.names import caller_variables, one_line, tensor_names
from minigrad.trace.numbers import as_factor, format_number, format_values, with_sign


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0.0"),
        (-0.0, "-0.0"),
        (5, "5.0"),
        (np.float32(0.1), "0.1"),
        (0.1 + 0.2, "0.3"),
        (12345.6789, "12345.7"),
        (-1e-300, "-1e-300"),
        (1e20, "1e+20"),
        (1234567, "1.23457e+06"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
    ],
)
def test_a_number_has_at_most_six_digits_and_is_a_float(number, text):
    assert format_number(number) == text


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (None, "—"),
        (np.float32(3), "3.0"),
        (np.array([1.0, -2.5]), "[1.0 -2.5]"),
        (np.array([[1.0, 2.0], [3.0, 4.0]]), "[[1.0 2.0] [3.0 4.0]]"),
        (np.array([1 / 3, 2.0]), "[0.3333 2.0]"),
        (np.ones(5), "5: all 1.0"),
        (np.linspace(1 / 3, 2 / 3, 5), "5: 0.333…0.667"),
        (np.arange(12.0).reshape(4, 3) - 1, "4×3: -1.0…10.0"),
        (np.array([1.0, np.nan, 2.0, 3.0, 4.0]), "5: 1.0…4.0, 1 nan"),
        (np.ones((0,)), "0: empty"),
        (np.ones((300_000, 0)), "300000×0: empty"),
    ],
)
def test_short_arrays_are_written_out_and_of_long_ones_the_range_is_given(values, text):
    assert format_values(values) == text


def test_contributions_carry_their_sign_and_negative_factors_their_parentheses():
    assert with_sign(np.float32(4)) == "+4.0"
    assert with_sign(np.float32(-4)) == "-4.0"
    assert with_sign(np.ones(2)) == "+ [1.0 1.0]"
    assert as_factor(np.float32(-4)) == "(-4.0)"


def test_a_name_in_a_sentence_is_one_short_line():
    assert one_line("a\nb\tc\r") == r"a⏎b⇥c\r"
    assert one_line("q" * 10_000, 16) == "q" * 9 + "…" + "q" * 6
    assert one_line("weights_of_layer_one", 16) != one_line("weights_of_layer_two", 16)
    assert one_line("ש" * 20, 16) == "\u2068" + "ש" * 9 + "…" + "ש" * 6 + "\u2069"


def test_the_first_variable_that_holds_a_tensor_names_it():
    x, other = mg.Tensor(1.0), mg.Tensor(1.0)
    names = tensor_names({"_": x, "x": x, "again": x, "other": other, "n": 3})
    assert names == {id(x): "x", id(other): "other"}


def test_the_callers_variables_are_its_locals_over_its_globals():
    def helper():
        return caller_variables()

    pytest_module = "mine"
    found = helper()
    assert found["pytest_module"] == pytest_module
    assert found["np"] is np
