// The stepper and the live graph. Everything that is shown was computed in Python and sent
// once; what is shown depends on the step's index alone, and stepping asks no kernel.

const SYNC_DELAY = 250; // ms of rest, or the focus gone: then the kernel is told the step
const NOTHING_YET = "—";
const SMALLEST_SCALE = 0.8; // of the diagram's text; a wider diagram scrolls
const MARGIN = 8; // px around what is scrolled into view

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// The last entry that has begun at a step; entries are [first step, …] in order.
function entryAt(entries, step) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle][0] <= step) low = middle + 1;
    else high = middle;
  }
  return low ? entries[low - 1] : null;
}

// ---- the diagram ---------------------------------------------------------------------

function insertDiagram(place, svgText) {
  place.replaceChildren();
  if (!svgText) return null;
  const parsed = new DOMParser().parseFromString(svgText, "image/svg+xml");
  const svg = document.importNode(parsed.documentElement, true);
  const width = svg.viewBox.baseVal.width * (96 / 72);
  svg.removeAttribute("height");
  svg.removeAttribute("width");
  svg.style.width = `${width}px`;
  svg.style.minWidth = `${width * SMALLEST_SCALE}px`;
  place.append(svg);
  return svg;
}

function makeDiagram(place, payload) {
  const svg = insertDiagram(place, payload.svg);
  const parts = [];
  for (const group of svg.querySelectorAll("[data-key]")) {
    const { kind, looks } = payload.film[group.dataset.key];
    parts.push({ group, kind, looks, texts: group.querySelectorAll("text"), shown: null });
  }
  return {
    show(step) {
      for (const part of parts) {
        const look = entryAt(part.looks, step);
        if (look !== part.shown) showLook(part, look);
      }
      bringIntoView(
        place,
        parts.filter((part) => part.kind !== "edge" && isAtWork(part)).map((part) => part.group),
      );
    },
    describe(text) {
      svg.setAttribute("aria-label", text);
    },
  };
}

// Scrolls the diagram, never the page, until all groups are in it; if they don't fit, the
// first of them, which is where the numbers arrive.
function bringIntoView(place, groups) {
  if (!groups.length) return;
  const frame = place.getBoundingClientRect();
  const boxes = groups.map((group) => group.getBoundingClientRect());
  const move = (start, end, from, to) => {
    const low = Math.min(...boxes.map((box) => box[start])) - MARGIN;
    const high = Math.max(...boxes.map((box) => box[end])) + MARGIN;
    if (low < from || high - low > to - from) return low - from;
    return high > to ? high - to : 0;
  };
  place.scrollLeft += move("left", "right", frame.left, frame.right);
  place.scrollTop += move("top", "bottom", frame.top, frame.bottom);
}

function isAtWork(part) {
  const [, state, changed] = part.shown;
  return state === "active" || changed;
}

function showLook(part, look) {
  const [, state, changed, rows] = look;
  const kind = part.kind === "edge" ? "edge" : `box ${part.kind}`;
  part.group.setAttribute("class", `${kind} ${state}${changed ? " changed" : ""}`);
  part.texts.forEach((text, row) => {
    text.textContent = rows[row] ?? "";
  });
  part.shown = look;
}

// ---- the panels beside and below it --------------------------------------------------

// As wide as the widest text of any step, so that nothing moves when numbers arrive.
function columnWidths(rows) {
  const longest = (texts) => Math.max(...texts.map((text) => text.length));
  const gradients = rows.flatMap((row) => [row.before, ...row.gradients.map((entry) => entry[1])]);
  const dead = rows.some((row) => row.dead !== null) ? 6 : 0;
  const after = Math.max(longest(["after", ...gradients]), dead);
  return [
    longest(["tensor", ...rows.map((row) => row.name)]),
    longest(["value", ...rows.map((row) => row.value)]),
    longest(["before", ...gradients]),
    after,
  ].map((characters) => `width: ${characters + 2}ch; min-width: ${characters + 2}ch`);
}

function makeTable(rows) {
  const columns = element("colgroup");
  for (const width of columnWidths(rows)) columns.append(element("col", { style: width }));
  const head = element("tr");
  for (const title of ["tensor", "value", "before", "after"]) {
    head.append(element("th", { scope: "col" }, title));
  }
  const body = element("tbody");
  const cells = rows.map((row) => {
    const value = element("td");
    const before = element("td");
    const after = element("td");
    const line = element(
      "tr",
      { "data-key": row.key },
      element("th", { scope: "row" }, row.name),
      value,
      before,
      after,
    );
    body.append(line);
    return { row, line, value, before, after };
  });
  const table = element(
    "table",
    { class: "mg-table", "aria-label": "Gradients before and after this step" },
    columns,
    element("thead", {}, head),
    body,
  );
  return {
    table,
    show(step) {
      for (const { row, line, value, before, after } of cells) {
        value.textContent = row.recorded <= step ? row.value : NOTHING_YET;
        const last = entryAt(row.gradients, step);
        const earlier = entryAt(row.gradients, step - 1);
        before.textContent = earlier ? earlier[1] : row.before;
        after.textContent = last ? last[1] : row.before;
        if (row.dead !== null && step >= row.dead) after.textContent += " dead";
        line.classList.toggle("mg-changed", last !== earlier);
      }
      bringRowIntoView(cells.find(({ line }) => line.classList.contains("mg-changed"))?.line);
    },
  };
}

function makeList(className, label, entries, onJump) {
  const items = entries.map((entry) => {
    const button = element("button", { type: "button" });
    button.append(element("span", { class: "mg-mark", "aria-hidden": "true" }));
    button.append(element("span", {}, entry.text));
    if (entry.code) button.append(element("code", {}, entry.code));
    button.addEventListener("click", () => onJump(entry.step));
    return { entry, button };
  });
  const list = element("ol", { class: className, "aria-label": label });
  for (const { button } of items) list.append(element("li", {}, button));
  return {
    list,
    show(step) {
      for (const { entry, button } of items) {
        const place = entry.step === step ? "now" : entry.step < step ? "past" : "next";
        button.dataset.place = place;
        button.firstChild.textContent = { now: "●", past: "✓", next: "○" }[place];
        if (place === "now") button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      }
      bringRowIntoView(items.find(({ entry }) => entry.step === step)?.button);
    },
  };
}

function wordsOf({ title, sentence, formulas }) {
  const lines = element("div", { class: "mg-formulas" });
  for (const formula of formulas) {
    const end = formula.lastIndexOf(" = ") + 3;
    const result = element("strong", {}, formula.slice(end));
    lines.append(element("code", {}, formula.slice(0, end), result));
  }
  return [element("p", {}, element("strong", {}, title), ` ${sentence}`), lines];
}

// Hidden under the words of a step lie the longest words of all, so the place keeps its height.
function makeExplanation(steps) {
  const weight = ({ sentence, formulas }) => sentence.length + 90 * formulas.length;
  const longest = steps.reduce((a, b) => (weight(b) > weight(a) ? b : a));
  const sizer = element("div", { class: "mg-sizer", "aria-hidden": "true" }, ...wordsOf(longest));
  const words = element("div", { "aria-live": "polite" });
  return {
    place: element("div", { class: "mg-explanation" }, sizer, words),
    show(step) {
      words.replaceChildren(...wordsOf(step));
    },
  };
}

function panel(title, content) {
  const scroll = element("div", { class: "mg-scroll" }, content);
  return element("section", {}, element("h3", {}, title), scroll);
}

// Scrolls a panel, never the page, until one of its rows is in it.
function bringRowIntoView(row) {
  const scroll = row?.closest(".mg-scroll");
  if (!scroll || scroll.scrollHeight <= scroll.clientHeight) return;
  const { top, bottom } = scroll.getBoundingClientRect();
  const box = row.getBoundingClientRect();
  if (box.top < top + 2 * MARGIN || box.bottom > bottom) {
    scroll.scrollTop += (box.top + box.bottom - top - bottom) / 2;
  }
}

// ---- the stepper ---------------------------------------------------------------------

function makeControls(count, go) {
  const bar = element("div", { class: "mg-controls", role: "group", "aria-label": "Stepping" });
  const buttons = {};
  const moves = [
    ["Start", "first step", () => 0],
    ["Back", "previous step", (now) => now - 1],
    ["Next", "next step", (now) => now + 1],
    ["End", "last step", () => count - 1],
  ];
  let current = 0;
  for (const [name, title, target] of moves) {
    const button = element("button", { type: "button", title, class: "mg-button" }, name);
    if (name === "Next") button.classList.add("mg-primary");
    button.addEventListener("click", () => go(target(current)));
    buttons[name] = button;
    bar.append(button);
  }
  const slider = element("input", { type: "range", min: 0, max: count - 1, step: 1 });
  slider.setAttribute("aria-label", "Step");
  slider.addEventListener("input", () => go(Number(slider.value)));
  const label = element("span", { class: "mg-step" });
  bar.append(slider, label);
  return {
    bar,
    show(step, title) {
      current = step;
      label.textContent = `Step ${step + 1} of ${count}`;
      slider.value = step;
      slider.setAttribute("aria-valuetext", `${label.textContent}: ${title}`);
      // aria-disabled and not disabled: a pressed button must keep the focus at the end
      for (const name of ["Start", "Back"]) buttons[name].ariaDisabled = String(step === 0);
      for (const name of ["Next", "End"]) buttons[name].ariaDisabled = String(step === count - 1);
    },
  };
}

function makeStepper(root, payload, onStep) {
  const count = payload.steps.length;
  const go = (step) => onStep(Math.max(0, Math.min(count - 1, step)));
  const controls = makeControls(count, go);
  const picture = element("div", { class: "mg-diagram", tabindex: "0" });
  picture.setAttribute("aria-label", "Diagram; left and right arrow keys step");
  picture.setAttribute("role", "group");
  const table = makeTable(payload.table);
  const nodes = makeList("mg-nodes", "The list of nodes", payload.nodes, go);
  const order = makeList("mg-order", "Backward order", payload.order, go);
  const explanation = makeExplanation(payload.steps);
  const side = element(
    "div",
    { class: "mg-side" },
    panel("Gradients", table.table),
    panel("Backward order", order.list),
    panel("graph.nodes", nodes.list),
  );
  root.replaceChildren(
    element("div", { class: "mg-stepper" }, controls.bar, picture, explanation.place, side),
  );
  const diagram = makeDiagram(picture, payload);
  let current = 0;
  const keys = {
    ArrowRight: () => current + 1,
    ArrowLeft: () => current - 1,
    Home: () => 0,
    End: () => count - 1,
  };
  root.onkeydown = (event) => {
    const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    if (!plain || !(event.key in keys) || event.target.type === "range") return;
    event.preventDefault();
    go(keys[event.key]());
  };
  const stopKeeping = keepKeys(root);
  return {
    destroy: stopKeeping,
    show(step) {
      current = step;
      const words = payload.steps[step];
      controls.show(step, words.title);
      diagram.show(step);
      diagram.describe([words.title, words.sentence, ...words.formulas].join(" "));
      table.show(step);
      nodes.show(step);
      order.show(step);
      explanation.show(words);
    },
  };
}

// JupyterLab: keys typed here are no shortcuts for cells. It looks at the focused element only,
// so each that can have the focus says so, and a click anywhere else focuses the whole.
function keepKeys(root) {
  root.tabIndex = -1;
  for (const one of [root, ...root.querySelectorAll("button, input, [tabindex]")]) {
    one.setAttribute("data-lm-suppress-shortcuts", "true");
  }
  const focusAll = (event) => {
    if (!event.target.closest("button, input, [tabindex='0']")) {
      root.focus({ preventScroll: true });
    }
  };
  root.addEventListener("click", focusAll);
  return () => root.removeEventListener("click", focusAll);
}

function makeLiveGraph(root) {
  const picture = element("div", { class: "mg-diagram" });
  const message = element("p", { class: "mg-message", role: "status" });
  root.replaceChildren(picture, message);
  return {
    update(payload) {
      insertDiagram(picture, payload.svg);
      picture.hidden = !payload.svg;
      message.textContent = payload.message;
    },
  };
}

// ---- theme ---------------------------------------------------------------------------

const darkMedia = window.matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  if (vscodeThemeKind) return vscodeThemeKind.includes("dark");
  return darkMedia.matches;
}

function followTheme(root) {
  const apply = () => root.classList.toggle("mg-dark", isDark());
  const observer = new MutationObserver(apply);
  observer.observe(document.body, { attributes: true });
  darkMedia.addEventListener("change", apply);
  apply();
  return () => {
    observer.disconnect();
    darkMedia.removeEventListener("change", apply);
  };
}

// ---- the widget ----------------------------------------------------------------------

function render({ model, el }) {
  const root = element("div", { class: "minigrad" });
  el.append(root);
  const stopFollowing = followTheme(root);
  const cleanUp =
    model.get("payload").mode === "step" ? bindStepper(root, model) : bindLiveGraph(root, model);
  return () => {
    cleanUp();
    stopFollowing();
    root.remove();
  };
}

// The step that is shown, and a serial number that grows with each move. Page and kernel each
// have a channel to write to, so that a late echo of an earlier move changes nothing.
const CHANNELS = ["_from_python", "_from_page"];

function bindStepper(root, model) {
  let timer = null;
  let serial = -1;
  let shown = 0;
  const tellKernel = () => {
    clearTimeout(timer);
    timer = null;
    model.set("_from_page", [shown, serial]);
    try {
      model.save_changes();
    } catch {
      // a kernel that is gone need not know
    }
  };
  const stepper = makeStepper(root, model.get("payload"), (step) => {
    model.set("_from_page", [step, serial + 1]); // shows it in every view of this model
    clearTimeout(timer);
    timer = setTimeout(tellKernel, SYNC_DELAY);
  });
  const receive = () => {
    const newest = CHANNELS.map((name) => model.get(name)).sort((a, b) => b[1] - a[1])[0];
    if (newest[1] <= serial) return;
    [shown, serial] = newest;
    stepper.show(shown);
  };
  for (const name of CHANNELS) model.on(`change:${name}`, receive);
  receive();
  const leave = () => timer !== null && tellKernel();
  root.addEventListener("focusout", leave);
  return () => {
    leave();
    root.removeEventListener("focusout", leave);
    for (const name of CHANNELS) model.off(`change:${name}`, receive);
    stepper.destroy();
  };
}

function bindLiveGraph(root, model) {
  const live = makeLiveGraph(root);
  const update = () => live.update(model.get("payload"));
  model.on("change:payload", update);
  update();
  return () => model.off("change:payload", update);
}

export default { render };
