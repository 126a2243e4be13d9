// What all widgets are made of: elements, buttons, panels, and the keys they keep.

export const NOTHING_YET = "—";
export const ANSWER_LIMIT = 8000; // ms for the kernel to make a file
export const NO_ANSWER = "The kernel does not answer; if it is not busy, start it and run the cell again.";
export const ENDLESS = Number.POSITIVE_INFINITY;
export const MARGIN = 8; // px around what is scrolled into view

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, `${value}`);
  }
  made.append(...children);
  return made;
}

/**
 * Writes a text into a node that has one, and touches the page only if it is another.
 *
 * @param {Node} node
 * @param {string} text
 */
export function write(node, text) {
  const held = /** @type {Text} */ (node.firstChild);
  if (held.data !== text) held.data = text;
}

/**
 * A shape in the namespace of another, which is never written out: a page asks nothing of the net.
 *
 * @param {Element} beside
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Element | string)} children
 */
export function shape(beside, tag, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(beside.namespaceURI, tag));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, `${value}`);
  made.append(...children);
  return made;
}

/**
 * @param {string} title
 * @param {HTMLElement} content
 */
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

/**
 * Scrolls a panel, never the page, until one of its rows is in it.
 *
 * @param {Element | null} row
 */
export function bringRowIntoView(row) {
  const scroll = row?.closest(".mg-scroll");
  if (!row || !scroll || scroll.scrollHeight <= scroll.clientHeight) return;
  const { top, bottom } = scroll.getBoundingClientRect();
  const box = row.getBoundingClientRect();
  if (box.top < top + 2 * MARGIN || box.bottom > bottom) {
    scroll.scrollTop += (box.top + box.bottom - top - bottom) / 2;
  }
}

/**
 * @param {string} name
 * @param {string} title
 * @param {() => void} onClick
 */
export function makeButton(name, title, onClick) {
  const button = element("button", { type: "button", title, class: "mg-button" }, name);
  button.addEventListener("click", onClick);
  return button;
}

/**
 * @param {string} label
 * @param {[value: string, text: string][]} choices
 * @param {(value: string) => void} onChoose
 */
export function makeSelect(label, choices, onChoose) {
  const select = element("select", { "aria-label": label, title: label });
  for (const [value, text] of choices) select.append(element("option", { value }, text));
  select.addEventListener("change", () => onChoose(select.value));
  return select;
}

/**
 * What has the focus, in the page or in the shadow tree that a node stands in.
 *
 * @param {Node} node
 */
export function focusedBeside(node) {
  return /** @type {Document | ShadowRoot} */ (node.getRootNode()).activeElement;
}

/**
 * JupyterLab: keys typed here are no shortcuts for cells. It looks at the focused element only,
 * so each says so as soon as it has the focus, and a click anywhere else focuses the whole.
 *
 * @param {HTMLElement} root
 */
export function keepKeys(root) {
  root.tabIndex = -1;
  root.addEventListener("focusin", ({ target }) => {
    /** @type {Element} */ (target).setAttribute("data-lm-suppress-shortcuts", "true");
  });
  root.onclick = ({ target }) => {
    const pressed = /** @type {Element} */ (target);
    if (!pressed.closest("button, input, select, [tabindex]:not(.minigrad)")) {
      root.focus({ preventScroll: true });
    }
  };
}

/** Whether nothing should move by itself. */
export function isCalm() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {() => void} work */
export function idle(work) {
  (window.requestIdleCallback ?? setTimeout)(work);
}
