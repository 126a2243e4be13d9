// What all widgets are made of: elements, buttons, panels, and the keys they keep.

export const NOTHING_YET = "—";
export const ANSWER_LIMIT = 8000; // ms for the kernel to make a file
export const NO_ANSWER = "The kernel does not answer; if it is not busy, start it and run the cell again.";
export const MARGIN = 8; // px around what is scrolled into view

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// Writes a text into a node that has one, and touches the page only if it is another.
export function write(node, text) {
  const held = node.firstChild;
  if (held.data !== text) held.data = text;
}

// The last entry that has begun at a step; entries are [first step, …] in order.
export function entryAt(entries, step) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle][0] <= step) low = middle + 1;
    else high = middle;
  }
  return low ? entries[low - 1] : null;
}

export function panel(title, content) {
  const scroll = element("div", { class: "mg-scroll" }, content);
  if (content.tagName === "TABLE") {
    // nothing in it takes the focus, so it does itself, to be scrolled by keys
    for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", title]]) {
      scroll.setAttribute(name, value);
    }
  }
  return element("section", {}, element("h3", {}, title), scroll);
}

// Scrolls a panel, never the page, until one of its rows is in it.
export function bringRowIntoView(row) {
  const scroll = row?.closest(".mg-scroll");
  if (!scroll || scroll.scrollHeight <= scroll.clientHeight) return;
  const { top, bottom } = scroll.getBoundingClientRect();
  const box = row.getBoundingClientRect();
  if (box.top < top + 2 * MARGIN || box.bottom > bottom) {
    scroll.scrollTop += (box.top + box.bottom - top - bottom) / 2;
  }
}

export function makeButton(name, title, onClick) {
  const button = element("button", { type: "button", title, class: "mg-button" }, name);
  button.addEventListener("click", onClick);
  return button;
}

export function makeSelect(label, choices, onChoose) {
  const select = element("select", { "aria-label": label, title: label });
  for (const [value, text] of choices) select.append(element("option", { value }, text));
  select.addEventListener("change", () => onChoose(select.value));
  return select;
}

// JupyterLab: keys typed here are no shortcuts for cells. It looks at the focused element only,
// so each says so as soon as it has the focus, and a click anywhere else focuses the whole.
export function keepKeys(root) {
  root.tabIndex = -1;
  root.addEventListener("focusin", ({ target }) => {
    target.setAttribute("data-lm-suppress-shortcuts", "true");
  });
  root.onclick = (event) => {
    if (!event.target.closest("button, input, select, [tabindex]:not(.minigrad)")) {
      root.focus({ preventScroll: true });
    }
  };
}

export function idle(work) {
  (window.requestIdleCallback ?? setTimeout)(work);
}
