// The stepper and the live graph. Everything that is shown was computed in Python and sent
// once; what is shown depends on the step's index alone, and stepping asks no kernel.

const SYNC_DELAY = 250; // ms of rest, or the focus gone: then the kernel is told the step
const NOTHING_YET = "—";
const SMALLEST_SCALE = 0.8; // of the diagram's text; a wider diagram scrolls
const LARGEST_SCALE = 4;
const ZOOM_STEP = 1.25;
const SPEEDS = { slow: 4000, normal: 2200, fast: 1000 }; // ms from step to step
const MOST_BESIDE = 42; // characters of a gradient table that fits beside the diagram
const MOST_SIZERS = 12;
const ANSWER_LIMIT = 8000; // ms for the kernel to make a file
const ANSWER_LIMIT_OF_ALL = 120000; // and one with all steps
const FILES = [
  // of one step, and of all
  ["svg", false, "SVG"],
  ["png", false, "PNG"],
  ["pdf", false, "PDF"],
  ["pdf", true, "PDF pages"],
  ["gif", true, "GIF"],
  ["pptx", true, "PowerPoint"],
  ["html", true, "Web page"],
];
const MARGIN = 8; // px around what is scrolled into view

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// Writes a text into a node that has one, and touches the page only if it is another.
function write(node, text) {
  const held = node.firstChild;
  if (held.data !== text) held.data = text;
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
  svg.removeAttribute("height");
  svg.removeAttribute("width");
  place.append(svg);
  setScale(svg, null);
  return svg;
}

function naturalWidth(svg) {
  return svg.viewBox.baseVal.width * (96 / 72);
}

// A scale of null stands for: as wide as there is room for, and never unreadable.
function setScale(svg, scale) {
  const width = naturalWidth(svg);
  svg.style.width = `${width * (scale ?? 1)}px`;
  svg.style.minWidth = scale === null ? `${width * SMALLEST_SCALE}px` : "0";
  svg.style.maxWidth = scale === null ? "100%" : "none";
}

function makeDiagram(place, payload, onInspect) {
  const svg = insertDiagram(place, payload.svg);
  svg.setAttribute("role", "group"); // of boxes that can be pressed, and no mere image
  const parts = [...svg.querySelectorAll("[data-key]")].map((group) => {
    const { key } = group.dataset;
    return { group, key, kind: "", looks: [], texts: group.querySelectorAll("text"), shown: null };
  });
  const found = new Map(parts.map((part) => [part.key, part]));
  const boxes = Object.keys(payload.tensors).map((key) => found.get(key)); // as they were recorded
  for (const { group, key } of boxes) {
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", `Inspect ${payload.tensors[key].name}`);
    group.setAttribute("tabindex", "-1");
    group.addEventListener("click", () => onInspect(key));
  }
  boxes[0]?.group.setAttribute("tabindex", "0"); // the others by arrow keys
  place.addEventListener("keydown", (event) => {
    const now = boxes.findIndex(({ group }) => group === event.target);
    if (now < 0) return;
    const towards = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (towards) {
      const next = boxes[(now + towards + boxes.length) % boxes.length].group;
      boxes[now].group.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      onInspect(boxes[now].key);
    } else return;
    event.preventDefault();
  });
  return {
    zoom: makeZoom(place, svg),
    focus(key) {
      boxes.find((box) => box.key === key)?.group.focus({ preventScroll: true });
    },
    use(film) {
      for (const part of parts) {
        Object.assign(part, film[part.key]);
        part.shown = null;
      }
    },
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

// Buttons, Ctrl and the wheel, and dragging; the wheel alone scrolls the page.
function makeZoom(place, svg) {
  const shown = () => svg.getBoundingClientRect().width / naturalWidth(svg);
  const zoomTo = (wanted, x = place.clientWidth / 2, y = place.clientHeight / 2) => {
    const before = shown();
    const scale = Math.min(LARGEST_SCALE, Math.max(SMALLEST_SCALE, wanted));
    const [left, top] = [place.scrollLeft + x, place.scrollTop + y];
    setScale(svg, scale);
    place.scrollLeft = (left * scale) / before - x;
    place.scrollTop = (top * scale) / before - y;
  };
  const bar = element("span", { class: "mg-zoom", role: "group", "aria-label": "Size" });
  const actions = [
    ["−", "Smaller", () => zoomTo(shown() / ZOOM_STEP)],
    ["+", "Larger", () => zoomTo(shown() * ZOOM_STEP)],
    ["Fit", "Fit", () => setScale(svg, null)],
  ];
  for (const [text, name, act] of actions) {
    const button = element("button", { type: "button", class: "mg-button", title: name }, text);
    button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    bar.append(button);
  }
  place.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { left, top } = place.getBoundingClientRect();
      const factor = event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP;
      zoomTo(shown() * factor, event.clientX - left, event.clientY - top);
    },
    { passive: false },
  );
  letDrag(place);
  return bar;
}

function letDrag(place) {
  let start = null;
  place.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    if (event.target.closest("[role='button']") || event.target === place) return;
    event.preventDefault(); // of a selection of text
    place.focus({ preventScroll: true });
    start = { x: event.clientX + place.scrollLeft, y: event.clientY + place.scrollTop };
    place.setPointerCapture(event.pointerId);
  });
  place.addEventListener("pointermove", (event) => {
    if (!start) return;
    place.scrollLeft = start.x - event.clientX;
    place.scrollTop = start.y - event.clientY;
  });
  for (const end of ["pointerup", "pointercancel"]) {
    place.addEventListener(end, () => {
      start = null;
    });
  }
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
  ].map((characters) => characters + 2);
}

function makeTable(rows) {
  const columns = element("colgroup");
  const widths = columnWidths(rows);
  for (const width of widths) {
    columns.append(element("col", { style: `width: ${width}ch; min-width: ${width}ch` }));
  }
  const head = element("tr");
  for (const title of ["tensor", "value", "before", "after"]) {
    head.append(element("th", { scope: "col" }, title));
  }
  const body = element("tbody");
  const cells = rows.map((row) => {
    const value = element("td", {}, " ");
    const before = element("td", {}, " ");
    const after = element("td", {}, " ");
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
    characters: widths.reduce((a, b) => a + b),
    show(step) {
      let first = null;
      for (const { row, line, value, before, after } of cells) {
        const last = entryAt(row.gradients, step);
        const earlier = entryAt(row.gradients, step - 1);
        const dead = row.dead !== null && step >= row.dead ? " dead" : "";
        write(value, row.recorded <= step ? row.value : NOTHING_YET);
        write(before, earlier ? earlier[1] : row.before);
        write(after, (last ? last[1] : row.before) + dead);
        if (last !== earlier) first ??= line;
        line.className = last !== earlier ? "mg-changed" : "";
      }
      bringRowIntoView(first);
    },
  };
}

function makeList(className, label, entries, onJump) {
  const items = entries.map((entry) => {
    const button = element("button", { type: "button" });
    button.append(element("span", { class: "mg-mark", "aria-hidden": "true" }, " "));
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
      let current = null;
      for (const { entry, button } of items) {
        const place = step < entry.step ? "next" : step > entry.last ? "past" : "now";
        if (place === "now") current = button;
        if (button.dataset.place === place) continue;
        button.dataset.place = place;
        write(button.firstChild, { now: "●", past: "✓", next: "○" }[place]);
        if (place === "now") button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      }
      bringRowIntoView(current);
    },
  };
}

function wordsOf({ title, sentence, formulas, wrong }) {
  const lines = element("div", { class: "mg-formulas" });
  for (const formula of formulas) {
    const end = formula.lastIndexOf(" = ") + 3;
    const result = element("strong", {}, formula.slice(end));
    lines.append(element("code", {}, formula.slice(0, end), result));
  }
  const flag = wrong ? [element("strong", { class: "mg-flag" }, "⚠ wrong order"), " "] : [];
  return [element("p", {}, ...flag, element("strong", {}, title), ` ${sentence}`), lines];
}

// Hidden under the words of a step lie the longest words of all, so the place keeps its height
// and screen readers keep one place to listen to.
function makeExplanation(steps) {
  const weight = ({ title, sentence, formulas }) => {
    return title.length + sentence.length + 60 * formulas.length + formulas.join("").length;
  };
  const longest = [...steps].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_SIZERS);
  const sizers = longest.map((words) =>
    element("div", { class: "mg-sizer", "aria-hidden": "true" }, ...wordsOf(words)),
  );
  const words = element("div", { "aria-live": "polite" });
  return {
    place: element("div", { class: "mg-explanation" }, ...sizers, words),
    show(step) {
      words.replaceChildren(...wordsOf(step));
    },
  };
}

// The learner's own lines; at each step the piece that recorded its node stands out.
function makeCode({ lines, marks }) {
  const rows = lines.map((line) =>
    element("span", { class: "mg-line" }, ...(line === null ? ["⋯"] : [line || " "])),
  );
  const list = element("pre", { class: "mg-code", tabindex: "0", "aria-label": "Your code" });
  list.append(...rows);
  let lit = [];
  return {
    list,
    show(key) {
      for (const row of lit) {
        rows[row].classList.remove("mg-now");
        rows[row].replaceChildren(lines[row] || " ");
      }
      lit = [];
      if (!marks[key]) return;
      const [first, last, start, end] = marks[key];
      for (let row = first; row <= last; row += 1) {
        const line = lines[row] ?? "";
        const from = row === first ? start : line.length - line.trimStart().length;
        const to = row === last && end ? end : line.length;
        const mark = element("mark", {}, line.slice(from, to));
        rows[row].classList.add("mg-now");
        rows[row].replaceChildren(line.slice(0, from), mark, line.slice(to));
        lit.push(row);
      }
      bringRowIntoView(rows[first]);
    },
  };
}

// ---- the inspector -------------------------------------------------------------------

function makeSheet(title, sheet) {
  if (!sheet.rows.length) {
    return element("div", {}, element("h4", {}, title), element("code", {}, sheet.label));
  }
  const figures = element("ul", { class: "mg-figures" });
  for (const [name, number] of sheet.figures) {
    figures.append(element("li", {}, `${name} `, element("code", {}, number)));
  }
  const head = element("tr", {}, element("td"));
  for (const column of sheet.columns) {
    head.append(element("th", { scope: "col", class: "mg-index" }, column));
  }
  const body = element("tbody");
  sheet.texts.forEach((texts, row) => {
    const line = element("tr", {}, element("th", { scope: "row", class: "mg-index" }, sheet.rows[row]));
    texts.forEach((text, column) => {
      const shade = sheet.shades[row][column];
      const cell = element("td", {}, text);
      if (shade) {
        cell.className = shade < 0 ? "mg-minus" : "mg-plus";
        cell.style.setProperty("--shade", `${Math.abs(shade) * 45}%`);
      }
      line.append(cell);
    });
    body.append(line);
  });
  const table = element("table", { class: "mg-sheet", "aria-label": title });
  table.append(element("thead", {}, head), body);
  const scroll = element("div", { class: "mg-wide", tabindex: "0", role: "group" }, table);
  scroll.setAttribute("aria-label", `${title}, as a table`);
  const parts = [element("h4", {}, title), scroll, figures];
  if (sheet.label) parts.splice(1, 0, element("p", { class: "mg-message" }, sheet.label));
  return element("div", {}, ...parts);
}

function makeInspector(payload, onClose) {
  const close = element("button", { type: "button", class: "mg-button" }, "Close");
  close.setAttribute("aria-label", "Close the inspector");
  const title = element("h3");
  const sheets = element("div", { class: "mg-sheets" });
  const place = element("section", { class: "mg-inspector", "aria-label": "Inspector" });
  place.append(element("div", { class: "mg-head" }, title, close), sheets);
  place.hidden = true;
  let key = null;
  const shut = () => {
    const closed = key;
    key = null;
    place.hidden = true;
    if (closed !== null) onClose(closed);
  };
  close.addEventListener("click", shut);
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    shut();
  });
  return {
    place,
    open(wanted) {
      key = wanted;
      place.hidden = false;
      close.focus({ preventScroll: true });
      place.scrollIntoView({ block: "nearest" });
    },
    show(step, gradients) {
      if (key === null) return;
      const { name, about, frozen, value } = payload.tensors[key];
      const held = [...sheets.querySelectorAll(".mg-wide")].indexOf(sheets.getRootNode().activeElement);
      title.replaceChildren(element("strong", {}, name), ` ${about}`);
      const shown = [makeSheet(`Value of ${name}`, payload.sheets[value])];
      const gradient = entryAt(gradients[key] ?? [], step);
      if (gradient) {
        shown.push(makeSheet(`Gradient of ${name}`, payload.sheets[gradient[1]]));
      } else if (!frozen) {
        shown.push(element("p", {}, `${name} has no gradient at this step.`));
      } else {
        shown.push(element("p", {}, `${name} is frozen: it gets no gradient.`));
      }
      sheets.replaceChildren(...shown);
      if (held >= 0) {
        const places = [...sheets.querySelectorAll(".mg-wide"), close];
        places[Math.min(held, places.length - 1)].focus({ preventScroll: true });
      }
    },
  };
}

function panel(title, content) {
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

function makeButton(name, title, onClick) {
  const button = element("button", { type: "button", title, class: "mg-button" }, name);
  button.addEventListener("click", onClick);
  return button;
}

function makeSelect(label, choices, onChoose) {
  const select = element("select", { "aria-label": label, title: label });
  for (const [value, text] of choices) select.append(element("option", { value }, text));
  select.addEventListener("change", () => onChoose(select.value));
  return select;
}

// Goes from step to step by itself, with one timer, until the end or until someone moves.
function makePlayer(advance) {
  let timer = null;
  const button = makeButton("Play", "step by itself", () => (timer === null ? play() : stop()));
  const speed = makeSelect("Speed", Object.keys(SPEEDS).map((name) => [name, name]), () => {
    if (timer !== null) wait();
  });
  speed.value = "normal";
  const stop = () => {
    clearTimeout(timer);
    timer = null;
    button.textContent = "Play";
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(play, SPEEDS[speed.value]);
  };
  const play = () => {
    button.textContent = "Pause";
    if (advance()) wait();
    else stop();
  };
  return { button, speed, stop };
}

function makeControls(go) {
  const bar = element("div", { class: "mg-controls", role: "group", "aria-label": "Stepping" });
  const buttons = {};
  let current = 0;
  let count = 1;
  let expected = null; // the step that the player goes to; any other is someone else's
  const player = makePlayer(() => {
    expected = current < count - 1 ? current + 1 : 0;
    go(expected);
    return current < count - 1;
  });
  const move = (target) => {
    player.stop();
    go(target);
  };
  const moves = [
    ["Start", "first step", () => 0],
    ["Back", "previous step", () => current - 1],
    ["Next", "next step", () => current + 1],
    ["End", "last step", () => count - 1],
  ];
  for (const [name, title, target] of moves) {
    buttons[name] = makeButton(name, title, () => move(target()));
    bar.append(buttons[name]);
  }
  buttons.Next.classList.add("mg-primary");
  const slider = element("input", { type: "range", min: 0, step: 1, "aria-label": "Step" });
  slider.addEventListener("input", () => move(Number(slider.value)));
  const label = element("span", { class: "mg-step" });
  bar.append(player.button, player.speed, slider, label);
  return {
    bar,
    stop: player.stop,
    show(step, title, steps) {
      current = step;
      count = steps;
      if (step !== expected) player.stop();
      label.textContent = `Step ${step + 1} of ${count}`;
      slider.max = count - 1;
      slider.value = step;
      slider.setAttribute("aria-valuetext", `${label.textContent}: ${title}`);
      // aria-disabled and not disabled: a pressed button must keep the focus at the end
      for (const name of ["Start", "Back"]) buttons[name].ariaDisabled = String(step === 0);
      for (const name of ["Next", "End"]) buttons[name].ariaDisabled = String(step === count - 1);
    },
  };
}

// Which order, and how fine; a menu with a single entry is not shown.
function makeChoices(payload, onChoose) {
  const places = [
    ["Order of the backward pass", payload.orders, "order: "],
    ["How much is one step", payload.grains, ""],
  ];
  const selects = places.map(([label, choices, before]) =>
    makeSelect(
      label,
      choices.map(([value, text]) => [value, before + text]),
      () => onChoose(selects.map((select) => select.value).join("/")),
    ),
  );
  return {
    selects: selects.filter((select) => select.options.length > 1),
    show(version) {
      version.split("/").forEach((value, place) => {
        selects[place].value = value;
      });
    },
  };
}

// The panels that differ from version to version.
function makeVersion(version, go) {
  const table = makeTable(version.table);
  const order = makeList("mg-order", "Backward order", version.order, go);
  return { ...version, table, order };
}

// The step of another version that is about the same, or else where its backward pass starts.
function sameMoment({ kind, key }, steps) {
  const same = steps.findIndex((step) => step.kind === kind && step.key === key);
  return same >= 0 ? same : steps.findIndex((step) => step.kind === "seed");
}

function makeStepper(root, payload, onMove, save) {
  let name = null;
  let version = null;
  let current = 0;
  const go = (step) => {
    onMove(Math.max(0, Math.min(version.steps.length - 1, step)), name);
  };
  const controls = makeControls(go);
  const choices = makeChoices(payload, (chosen) => {
    controls.stop();
    onMove(sameMoment(version.steps[current], payload.versions[chosen].steps), chosen);
  });
  const picture = element("div", { class: "mg-diagram", tabindex: "0", role: "group" });
  picture.setAttribute(
    "aria-label",
    "Diagram; left and right arrow keys step, up and down go from box to box",
  );
  const inspector = makeInspector(payload, (key) => diagram.focus(key));
  const inspect = (key) => {
    controls.stop(); // one reads
    inspector.open(key);
    inspector.show(current, version.gradients);
  };
  const diagram = makeDiagram(picture, payload, inspect);
  const saving = save && makeSaving(save, () => current);
  const options = element("div", { class: "mg-options", role: "group", "aria-label": "Options" });
  options.append(...choices.selects, diagram.zoom);
  if (saving) options.append(saving.button, saving.menu);
  const bars = element("div", { class: "mg-bars" }, controls.bar, options);
  const jump = (step) => {
    controls.stop();
    go(step);
  };
  const nodes = makeList("mg-nodes", "The list of nodes", payload.nodes, jump);
  const all = Object.values(payload.versions).flatMap((one) => one.steps);
  const explanation = makeExplanation(all);
  const side = element("div", { class: "mg-side" });
  const stepper = element("div", { class: "mg-stepper" }, bars, picture);
  stepper.append(explanation.place, inspector.place, side);
  root.replaceChildren(stepper);
  keepKeys(root);
  const code = payload.code.lines.length ? makeCode(payload.code) : null;
  const versions = {};
  const use = (wanted) => {
    name = wanted;
    versions[name] ??= makeVersion(payload.versions[name], jump);
    version = versions[name];
    diagram.use(version.film);
    const panels = [
      panel("Gradients", version.table.table),
      panel("Backward order", version.order.list),
      panel("graph.nodes", nodes.list),
    ];
    if (code) panels.unshift(panel("Your code", code.list));
    side.replaceChildren(...panels);
    stepper.classList.toggle("mg-broad", version.table.characters > MOST_BESIDE);
  };
  root.onkeydown = (event) => {
    const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    const target = event.target;
    const count = version.steps.length;
    const keys = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: count - 1 };
    if (!plain || !(event.key in keys)) return;
    if (target.type === "range" || target.tagName === "SELECT") return;
    event.preventDefault();
    controls.stop();
    go(keys[event.key]);
  };
  return {
    destroy: controls.stop,
    receiveFile: saving?.receive,
    show(step, wanted) {
      if (wanted !== name) use(wanted);
      current = step;
      const words = version.steps[step];
      controls.show(step, words.title, version.steps.length);
      choices.show(name);
      diagram.show(step);
      diagram.describe([words.title, words.sentence, ...words.formulas].join(" "));
      version.table.show(step);
      nodes.show(step);
      code?.show(words.key);
      version.order.show(step);
      explanation.show(words);
      inspector.show(step, version.gradients);
    },
  };
}

// The kernel makes the files, as `stepper.export` does; the page offers them for download.
function makeSaving(save, step) {
  const asked = new Set(); // of this view: others of the same stepper hear the answers too
  let timer = null;
  const menu = element("span", { class: "mg-saving", role: "group", "aria-label": "Save as" });
  const status = element("span", { role: "status" });
  menu.hidden = true;
  const button = makeButton("Save…", "save this step, or all of them", () => {
    menu.hidden = !menu.hidden;
    button.ariaExpanded = String(!menu.hidden);
    if (!menu.hidden) menu.querySelector("button").focus({ preventScroll: true });
  });
  button.ariaExpanded = "false";
  const tell = (text) => {
    clearTimeout(timer);
    status.textContent = text;
  };
  for (const [format, all, name] of FILES) {
    const ask = () => {
      const id = `${Date.now()} ${Math.random()}`;
      const wish = { format, all, step: step(), theme: "light", id };
      asked.add(wish.id);
      tell(all ? "Drawing all steps…" : "Drawing…");
      timer = setTimeout(() => {
        tell("The kernel does not answer; if it is not busy, start it and run the cell again.");
      }, all ? ANSWER_LIMIT_OF_ALL : ANSWER_LIMIT);
      save(wish);
    };
    const what = all ? "all steps" : "this step";
    menu.append(makeButton(name, `save ${what} as ${format}`, ask));
  }
  menu.append(status);
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    button.click();
    button.focus();
  });
  return {
    button,
    menu,
    receive(content, buffers) {
      if (!asked.delete(content.id)) return;
      if (content.failed) {
        tell(content.failed);
        return;
      }
      const name = content.all ? "steps" : `step_${content.step + 1}`;
      const link = element("a", { download: `${name}.${content.format}` });
      link.href = URL.createObjectURL(new Blob([buffers[0]]));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), ANSWER_LIMIT);
      tell(`Saved ${link.download}.`);
    },
  };
}

// JupyterLab: keys typed here are no shortcuts for cells. It looks at the focused element only,
// so each says so as soon as it has the focus, and a click anywhere else focuses the whole.
function keepKeys(root) {
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

function isDark(root) {
  const { mgTheme } = root.closest("[data-mg-theme]")?.dataset ?? {};
  if (mgTheme) return mgTheme === "dark"; // an exported page has one theme
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  if (vscodeThemeKind) return vscodeThemeKind.includes("dark");
  return darkMedia.matches;
}

function followTheme(root) {
  const apply = () => root.classList.toggle("mg-dark", isDark(root));
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

// The step that is shown, a serial number that grows with each move, and the version. Page and
// kernel each have a channel to write to, so that a late echo of an earlier move changes nothing.
const CHANNELS = ["_from_python", "_from_page"];

function bindStepper(root, model) {
  let timer = null;
  let serial = -1;
  let shown = [0, ""];
  const tellKernel = () => {
    clearTimeout(timer);
    timer = null;
    model.set("_from_page", [shown[0], serial, shown[1]]);
    try {
      model.save_changes();
    } catch {
      // a kernel that is gone need not know
    }
  };
  const move = (step, version) => {
    model.set("_from_page", [step, serial + 1, version]); // shows it in every view of this model
    clearTimeout(timer);
    timer = setTimeout(tellKernel, SYNC_DELAY);
  };
  // an exported page has no kernel to make files
  const save = model.send && ((wish) => {
    tellKernel(); // which version is meant
    try {
      model.send(wish);
    } catch {
      // without an answer, the page says so
    }
  });
  const stepper = makeStepper(root, model.get("payload"), move, save);
  const receive = () => {
    const [python, page] = CHANNELS.map((name) => model.get(name));
    const newest = page[1] > python[1] ? page : python; // of two with one number, as Python has it
    const same = newest[0] === shown[0] && newest[2] === shown[1];
    if (newest[1] < serial || (newest[1] === serial && same)) return;
    serial = newest[1];
    shown = [newest[0], newest[2]];
    stepper.show(...shown);
  };
  for (const name of CHANNELS) model.on(`change:${name}`, receive);
  model.on("msg:custom", stepper.receiveFile);
  receive();
  const leave = () => timer !== null && tellKernel();
  root.addEventListener("focusout", leave);
  return () => {
    leave();
    root.removeEventListener("focusout", leave);
    for (const name of CHANNELS) model.off(`change:${name}`, receive);
    model.off("msg:custom", stepper.receiveFile);
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
