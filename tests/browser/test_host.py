"""The host itself: it does between a page and a widget what JupyterLab and a kernel do."""

import threading

import anywidget
import pytest
import traitlets
from playwright.sync_api import expect

ECHO = """
function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "minigrad";
  el.append(root);
  const show = () => { root.textContent = JSON.stringify(model.get("value")); };
  const hear = (content, buffers) => {
    const bytes = buffers.map((one) => [...new Uint8Array(one.buffer)]);
    root.dataset.heard = JSON.stringify([content, bytes]);
  };
  model.on("change:value", show);
  model.on("msg:custom", hear);
  root.onclick = () => model.send({ clicked: true }, undefined, [new Uint8Array([1, 2, 255])]);
  window.models = [...(window.models ?? []), model];
  show();
  return () => {
    model.off("change:value", show);
    model.off("msg:custom", hear);
    window.left = (window.left ?? 0) + 1;
  };
}
export default { render };
"""


class Echo(anywidget.AnyWidget):
    """Shows one value, and writes down what is sent."""

    _esm = ECHO
    _css = ".minigrad { color: rgb(1, 2, 3); }"
    value = traitlets.Any().tag(sync=True)
    bytes_of = traitlets.Dict().tag(sync=True)

    def __init__(self, **given):
        super().__init__(**given)
        self.heard = []
        self.on_msg(lambda _, content, buffers: self.heard.append((content, buffers)))


@pytest.fixture
def echo(host):
    return Echo(value=[1, {"a": None}], bytes_of={"x": b"\x00\xff"})


def test_a_trait_goes_to_the_page_at_first_and_at_each_change(host, echo):
    root = host.show(echo)
    expect(root).to_have_text('[1,{"a":null}]')
    expect(root).to_have_css("color", "rgb(1, 2, 3)")
    echo.value = "other"
    expect(root).to_have_text('"other"')


def test_what_was_changed_before_it_is_shown_is_shown(host, echo):
    echo.value = 7
    expect(host.show(echo)).to_have_text("7")


def test_binary_traits_arrive_as_views_of_bytes(host, echo):
    host.show(echo)
    got = "() => [...new Uint8Array(window.models[0].get('bytes_of').x.buffer)]"
    assert host.page.evaluate(got) == [0, 255]


def test_a_change_in_the_page_goes_to_the_widget_once_it_is_saved(host, echo):
    host.show(echo)
    host.page.evaluate("() => window.models[0].set('value', [2])")
    host.page.evaluate("() => window.models[0].send({ after: 1 })")
    host.wait_until(lambda: echo.heard)
    assert echo.value == [1, {"a": None}]
    host.page.evaluate("() => window.models[0].save_changes()")
    host.wait_until(lambda: echo.value == [2])


def test_all_views_of_a_widget_share_its_model(host, echo):
    views = host.show(echo, views=2)
    expect(views).to_have_count(2)
    host.page.evaluate("() => window.models[0].set('value', 5)")
    expect(views).to_have_text(["5", "5"])


def test_of_what_is_saved_in_a_row_the_last_wins_and_no_echo_goes_back_on_it(host, echo):
    host.show(echo)
    seen = host.page.evaluate(
        """() => new Promise((resolve) => {
            const [model] = window.models;
            const seen = [];
            model.on("change:value", () => {
                seen.push(model.get("value"));
                if (model.get("value") === 20) setTimeout(() => resolve(seen), 200);
            });
            let next = 1;
            const timer = setInterval(() => {
                model.set("value", next);
                model.save_changes();
                next += 1;
                if (next > 20) clearInterval(timer);
            }, 3);
        })"""
    )
    assert seen == list(range(1, 21))
    host.wait_until(lambda: echo.value == 20)


def test_messages_and_their_bytes_go_both_ways(host, echo):
    root = host.show(echo)
    root.click()
    host.wait_until(lambda: echo.heard == [({"clicked": True}, [b"\x01\x02\xff"])])
    echo.send({"n": 1}, [b"\x05\x00"])
    expect(root).to_have_attribute("data-heard", '[{"n":1},[[5,0]]]')


def test_another_thread_may_speak_while_the_page_is_looked_at(host, echo):
    root = host.show(echo)
    thread = threading.Thread(target=lambda: echo.send({"from": "thread"}))
    thread.start()
    expect(root).to_have_attribute("data-heard", '[{"from":"thread"},[]]')
    thread.join()


def test_a_closed_widget_is_as_one_whose_kernel_is_gone(host, echo):
    host.show(echo)
    echo.close()
    refused = """() => {
        try { window.models[0].send({}); } catch (error) { return error.message; }
        return null;
    }"""
    host.page.wait_for_function(f"() => ({refused})() !== null")


def test_views_are_cleaned_up_and_widgets_closed(host, echo):
    host.show(echo, views=2)
    host.close()
    assert host.page.evaluate("window.left") == 2
    assert echo.comm is None


def test_a_cell_has_its_source_and_the_names_of_those_before(host):
    host.run("def twice(x):\n    return 2 * x\n")
    assert host.run("y = twice(4)\ny + 1") == 9
    assert host.run("y = 0") is None
    assert host.run("import inspect\ninspect.getsource(twice)").startswith("def twice(x):")


def test_it_wears_the_themes_of_jupyterlab(host):
    colour = "() => getComputedStyle(document.body).backgroundColor"
    seen = set()
    for name in ("Light", "Dark"):
        host.use_theme(name)
        seen.add(host.page.evaluate(colour))
    assert seen == {"rgb(255, 255, 255)", "rgb(17, 17, 17)"}
