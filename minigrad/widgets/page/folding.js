// Groups of nodes, folded to one box or open: what there is to press for it.

import { element, makeButton } from "./elements.js";

// Without `fold` there is no kernel to draw another picture, and nothing to press.
export function makeFolding(groups, fold) {
  const toggle = ({ key, folded }) => fold({ fold: !folded, key });
  const isAny = groups.folded || groups.open;
  return { toggle: fold ? toggle : null, bar: fold && isAny ? makeBar(groups, fold, toggle) : null };
}

function makeBar({ named, folded, open }, fold, toggle) {
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
  return bar;
}
