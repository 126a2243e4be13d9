"""Where the head stands that tells of something passed back along an edge."""

import math

import pytest

from minigrad.diagram.curves import BACK_LENGTH, WHERE_BACK, Curve, back_corners

RIGHT = "e,110,0 0,0 30,0 60,0 100,0"
DOWN = "e,0,-110 0,0 0,-30 0,-60 0,-100"
AROUND = "e,80,-10 0,0 20,0 40,0 80,0 80,-20 80,-60 80,-80"
"""80 to the right, then 80 down."""


def test_a_part_of_the_length_of_a_straight_line():
    assert Curve.read(RIGHT).length == pytest.approx(100)
    assert Curve.read(RIGHT).at(0.25) == pytest.approx((25, 0, 1, 0))
    assert Curve.read(DOWN).at(0.25) == pytest.approx((0, -25, 0, -1))
    assert Curve.straight((0, 0), (30, 40)).at(0.5) == pytest.approx((15, 20, 0.6, 0.8))


def test_the_length_goes_on_over_the_pieces_of_a_curve():
    around = Curve.read(AROUND)
    assert around.length == pytest.approx(160)
    assert around.at(0.25) == pytest.approx((40, 0, 1, 0))
    assert around.at(0.75) == pytest.approx((80, -40, 0, -1))


def test_a_bend_is_followed():
    # a quarter of a circle of radius 100, as cubic pieces are made of it
    bow = 55.228
    quarter = Curve([(0, 0), (bow, 0), (100, 100 - bow), (100, 100)])
    half = math.sqrt(0.5)
    assert quarter.length == pytest.approx(50 * math.pi, rel=0.01)
    assert quarter.at(0.5) == pytest.approx((100 * half, 100 - 100 * half, half, half), abs=0.1)


def test_the_head_stands_nearer_to_the_operand_and_points_to_it():
    assert WHERE_BACK < 0.5
    assert Curve.read(RIGHT).back() == pytest.approx((100 * WHERE_BACK, 0, -1, 0))
    assert Curve.read(DOWN).back() == pytest.approx((0, -100 * WHERE_BACK, 0, 1))
    tip, *others = back_corners()
    assert tip == (BACK_LENGTH / 2, 0)
    assert all(x < tip[0] for x, _ in others)


def test_on_a_short_edge_it_reaches_neither_into_the_operand_nor_over_the_middle():
    edge = Curve.straight((0, 0), (2 * BACK_LENGTH, 0)).back()
    assert edge.ahead(BACK_LENGTH / 2)[0] > 0
    assert Curve.straight((0, 0), (4, 0)).back() == pytest.approx((2, 0, -1, 0))


def test_a_line_without_length_has_a_place_all_the_same():
    assert Curve.straight((3, 4), (3, 4)).back()[:2] == (3, 4)
