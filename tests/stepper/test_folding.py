"""Folding in the stepper: by name, by a press in the page, in any sequence."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.engine.errors import DrawingError
from minigrad.stepper import variants as variants_module
from minigrad.stepper.payload import whole_payload


def network():
    x = mg.Tensor(0.5, requires_grad=True, name="x")
    graph, h = mg.ComputationGraph(), x
    with graph:
        for layer in (1, 2, 3):
            with graph.scope(f"layer {layer}"):
                with graph.scope("sum"):
                    weight = mg.Tensor(0.1 * layer, requires_grad=True, name=f"w{layer}")
                    h = h * weight + x
                h = mg.tanh(graph, h)
        with graph.scope("loss"):
            loss = h**2
    loss.name = "loss"
    return graph, loss


@pytest.fixture
def stepper():
    made = mg.step(*network())
    yield made
    made.close()


def shown_groups(stepper):
    return {one["name"]: one["folded"] for one in stepper.payload["groups"]["named"]}


def test_scopes_are_folded_and_opened_by_name(stepper):
    assert shown_groups(stepper)["▾ layer 2"] is False
    stepper.fold("layer 2")
    assert shown_groups(stepper)["▸ layer 2"] is True
    assert [node["text"] for node in stepper.payload["views"]["0"]["nodes"]][3] == "#3 to #5"
    stepper.unfold()
    assert not any(shown_groups(stepper).values())
    stepper.fold()
    names = ["▸ layer 1", "▸ layer 2", "▸ layer 3", "▸ loss"]
    assert shown_groups(stepper) == dict.fromkeys(names, True)


def test_a_name_of_no_scope_is_refused_and_nothing_changes(stepper):
    before = shown_groups(stepper)
    with pytest.raises(DrawingError, match="there is no scope 'layer 9' to fold"):
        stepper.fold("layer 1", "layer 9")
    assert shown_groups(stepper) == before


def test_the_step_stays_the_same_moment(stepper):
    stepper.index = 4  # recording #4, in layer 2
    stepper.fold("layer 2")
    assert stepper.index == 4
    assert repr(stepper) == "Stepper(steps 4–6 of 21)"
    assert "▸ layer 2" in stepper.frame().svg
    stepper.unfold("layer 2")
    assert repr(stepper) == "Stepper(step 5 of 21)"


def test_a_press_in_the_page_folds_one_or_all(stepper):
    stepper._answer(None, {"fold": True, "key": "s2"}, [])
    assert [name for name, folded in shown_groups(stepper).items() if folded] == ["▸ layer 2"]
    stepper._answer(None, {"fold": True, "key": None}, [])
    assert all(shown_groups(stepper).values())
    stepper._answer(None, {"fold": False, "key": "s0"}, [])
    assert [name for name, folded in shown_groups(stepper).items() if not folded] == ["▾ layer 1"]


def test_the_slides_of_a_folded_stepper_are_what_it_shows(stepper, tmp_path):
    stepper.fold()
    paths = stepper.export(tmp_path / "{}.svg", steps="all", caption=True)
    assert len(paths) == 9  # three layers and the loss, recorded and visited, and the seed
    texts = [path.read_text(encoding="utf-8").replace("\xa0", " ") for path in paths]
    assert "step 12 of 21" in texts[5]
    assert "steps 13–15 of 21" in texts[6]
    assert "Backward through layer 3: nodes #8 to #6." in texts[6]


def test_the_exported_page_is_folded_as_the_stepper_is(stepper, tmp_path):
    stepper.fold("layer 1", "loss")
    page = stepper.export(tmp_path / "w.html").read_text(encoding="utf-8")
    assert "▸ layer 1" in page
    assert "<title>Backward pass of loss</title>" in page


ACTIONS = st.one_of(
    st.tuples(st.just("fold"), st.sampled_from(["layer 1", "layer 2", "layer 3", "sum"])),
    st.tuples(st.just("unfold"), st.sampled_from(["layer 1", "layer 2", "layer 3", "sum"])),
    st.tuples(st.just("index"), st.integers(0, 20)),
    st.tuples(st.just("grain"), st.sampled_from(["node", "edge"])),
    st.tuples(st.just("constants"), st.booleans()),
)


@pytest.mark.parametrize("largest", [60, 4])
@settings(max_examples=10, deadline=None)
@given(actions=st.lists(ACTIONS, min_size=1, max_size=8))
def test_any_sequence_comes_to_what_is_drawn_anew(largest, actions):
    graph, loss = network()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variants_module, "MOST_WHOLE", largest)  # of 4 boxes: with windows
        patch.setattr("minigrad.diagram.windows.WINDOW", min(largest, 40))
        used = mg.step(graph, loss)
        for name, value in actions:
            if name in ("fold", "unfold"):
                getattr(used, name)(value)
            else:
                setattr(used, name, value)
            used.frame()  # as a page does, it looks at what is there
        anew = mg.step(graph, loss, grain=used.grain, fold=False, constants=used.constants)
        anew._redraw(folded=used._variants.folded)
        assert used.frame(used.index).svg == anew.frame(used.index).svg
        sent, sent_anew = (
            json.loads(json.dumps(whole_payload(one._variants))) for one in (used, anew)
        )
        for view, view_anew in zip(
            sent["views"].values(), sent_anew["views"].values(), strict=True
        ):
            variant = f"ancestors/{used.grain}"
            assert view["pictures"] == view_anew["pictures"]
            assert view["variants"][variant] == view_anew["variants"][variant]
        used.close()
        anew.close()
