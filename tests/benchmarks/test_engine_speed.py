"""The benchmark times what it says: all sides compute the same, in turns, and the table tells."""

import engine_speed
import pytest
import ratios

WORKLOADS = {workload.name: workload for workload in engine_speed.workloads()}
QUICK = [name for name, workload in WORKLOADS.items() if workload.function != "demo"]


@pytest.mark.parametrize("name", QUICK)
def test_all_sides_of_a_workload_agree(name):
    runs = engine_speed.runs_of(WORKLOADS[name])
    assert {"numpy", "minigrad"} <= set(runs)
    engine_speed.check_agreement(runs)


def test_sides_that_compute_something_else_are_not_compared():
    with pytest.raises(AssertionError, match="numpy"):
        engine_speed.check_agreement({"minigrad": lambda: [1.0], "numpy": lambda: [2.0]})


def test_the_table_has_a_line_for_each_side_and_what_is_to_be_reached():
    head, *lines = engine_speed.measure(WORKLOADS["100 ops on (32, 32)"], rounds=1)
    assert head == "100 ops on (32, 32), in units of numpy:"
    assert lines[0].split() == ["numpy", "1.00"]
    (ours,) = [line for line in lines if "minigrad" in line]
    assert ours.endswith(", to reach 2.5")


def test_sides_take_turns_and_slow_ones_stop_early(monkeypatch):
    order = []
    monkeypatch.setattr(ratios, "SLOW", -1.0)
    times = ratios.interleaved(
        {"a": lambda: order.append("a"), "b": lambda: order.append("b")}, rounds=5
    )
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert [len(one) for one in times.values()] == [ratios.ROUNDS_OF_SLOW] * 2


def test_a_ratio_compares_within_a_round():
    times = {"a": [1.0, 2.0, 9.0], "b": [2.0, 1.0]}
    assert ratios.ratios(times, "a", "b") == [0.5, 2.0]
    assert ratios.middle([3.0, 1.0]) == "2.00"
    assert ratios.middle([1.0, 2.0, 3.0, 4.0, 5.0]) == "3.00 (1.50–4.50)"
