// The stepper and the live graph. Everything that is shown was computed in Python and sent
// once; what is shown depends on the step's index alone, and stepping asks no kernel.

const SYNC_DELAY = 250; // ms of rest, or the focus gone: then the kernel is told the step
const NOTHING_YET = "—";
const SMALLEST_SCALE = 0.62; // of the diagram's text; a wider diagram scrolls

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
      bringIntoView(place, svg.querySelector(`[data-key="${payload.steps[step].key}"]`));
    },
    describe(text) {
      svg.setAttribute("aria-label", text);
    },
  };
}

// Scrolls the diagram, never the page.
function bringIntoView(place, group) {
  if (!group || place.scrollWidth <= place.clientWidth) return;
  const frame = place.getBoundingClientRect();
  const box = group.getBoundingClientRect();
  if (box.left < frame.left || box.right > frame.right) {
    place.scrollLeft += (box.left + box.right - frame.left - frame.right) / 2;
  }
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

function makeTable(rows) {
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
        if (row.dead) after.textContent += " dead";
        line.classList.toggle("mg-changed", last !== earlier);
      }
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
    },
  };
}

function makeExplanation() {
  const place = element("div", { class: "mg-explanation", "aria-live": "polite" });
  return {
    place,
    show({ title, sentence, formulas }) {
      const lines = element("div", { class: "mg-formulas" });
      for (const formula of formulas) {
        const end = formula.lastIndexOf(" = ") + 3;
        const result = element("strong", {}, formula.slice(end));
        lines.append(element("code", {}, formula.slice(0, end), result));
      }
      place.replaceChildren(element("p", {}, element("strong", {}, title), ` ${sentence}`), lines);
    },
  };
}

function panel(title, content) {
  return element("section", {}, element("h3", {}, title), content);
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
  const explanation = makeExplanation();
  const side = element(
    "div",
    { class: "mg-side" },
    panel("graph.nodes", nodes.list),
    panel("Gradients", table.table),
    panel("Backward order", order.list),
  );
  root.replaceChildren(
    element("div", { class: "mg-stepper" }, controls.bar, picture, explanation.place, side),
  );
  const diagram = makeDiagram(picture, payload);
  // JupyterLab: keys typed here are no shortcuts for cells; it looks at the focused element only
  for (const focusable of root.querySelectorAll("button, input, [tabindex]")) {
    focusable.setAttribute("data-lm-suppress-shortcuts", "true");
  }

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
  return {
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

function bindStepper(root, model) {
  let timer = null;
  const tellKernel = () => {
    clearTimeout(timer);
    timer = null;
    try {
      model.save_changes();
    } catch {
      // a kernel that is gone need not know
    }
  };
  const stepper = makeStepper(root, model.get("payload"), (step) => {
    model.set("index", step); // shows it in every view of this model
    clearTimeout(timer);
    timer = setTimeout(tellKernel, SYNC_DELAY);
  });
  const show = () => stepper.show(model.get("index"));
  model.on("change:index", show);
  show();
  const leave = () => timer !== null && tellKernel();
  root.addEventListener("focusout", leave);
  return () => {
    leave();
    root.removeEventListener("focusout", leave);
    model.off("change:index", show);
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
