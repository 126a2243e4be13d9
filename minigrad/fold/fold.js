// Groups of nodes, folded to one box or open: what there is to press for it.

import { ANSWER_LIMIT, NO_ANSWER, element, makeButton } from "../stepper/page/elements.js";

// Without a way to send, there is no kernel to draw another picture, and nothing to press. With
// the answer all of this is built anew.
export function makeFolding(groups, send) {
  const status = element("span", { role: "status" });
  let timer = null;
  const fold = (wish) => {
    status.textContent = "Drawing…";
    clearTimeout(timer);
    timer = setTimeout(() => {
      status.textContent = NO_ANSWER;
    }, ANSWER_LIMIT);
    send(wish);
  };
  const toggle = ({ key, folded }) => fold({ fold: !folded, key });
  const isAny = groups.folded || groups.open;
  return {
    toggle: send ? toggle : null,
    bar: send && isAny ? makeBar(groups, fold, toggle, status) : null,
    stop: () => clearTimeout(timer),
  };
}

function makeBar({ named, folded, open }, fold, toggle, status) {
  const bar = element("span", { class: "mg-scopes", role: "group", "aria-label": "Scopes" });
  for (const one of named) {
    const title = one.folded ? "show its nodes" : "show it as one box";
    const button = makeButton(one.name, title, () => toggle(one));
    button.ariaExpanded = String(!one.folded);
    button.dataset.key = one.key;
    bar.append(button);
  }
  for (const [isShown, name, title, wish] of [
    [folded, "Open all", "show all nodes", false],
    [open, "Fold all", "show each as one box", true],
  ]) {
    if (isShown) bar.append(makeButton(name, title, () => fold({ fold: wish, key: null })));
  }
  bar.append(status);
  return bar;
}
