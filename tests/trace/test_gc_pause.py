"""The pause of the collector of reference cycles."""

import gc

import pytest

from minigrad.trace.gc_pause import gc_paused


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_as_it_was_after_the_pause(enabled):
    try:
        if not enabled:
            gc.disable()
        with gc_paused():
            assert not gc.isenabled()
        assert gc.isenabled() is enabled
    finally:
        gc.enable()


def test_an_error_ends_the_pause_too():
    with pytest.raises(ZeroDivisionError), gc_paused():
        _ = 1 / 0
    assert gc.isenabled()
