// The stepper and the live graph. Everything that is shown was computed in Python and sent
// once; what is shown depends on the step's index alone, and stepping asks no kernel.

const SYNC_DELAY = 250; // ms of rest, or the focus gone: then the kernel is told the step
const NOTHING_YET = "—";
const SMALLEST_SCALE = 0.8; // of the diagram's text; a wider diagram scrolls
const LARGEST_SCALE = 4;
const ZOOM_STEP = 1.25;
const SPEEDS = { slow: 4000, normal: 2200, fast: 1000 }; // ms from step to step
const MOST_BESIDE = 42; // characters of a gradient table that fits beside the diagram
const WIDEST_BESIDE = 860; // px that a diagram may need to stand beside the tables
const MOST_SIZERS = 5;
const ANSWER_LIMIT = 8000; // ms for the kernel to make a file
const ANSWER_LIMIT_OF_ALL = 120000; // and one with all steps
const NO_ANSWER = "The kernel does not answer; if it is not busy, start it and run the cell again.";
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
const MOST_BUILT = 5; // views of a large graph that are kept ready to be shown
const MOST_AHEAD = 40; // views that are asked for before they are needed, in each direction
const MOST_NEXT = 24; // places of a dragged slider that are asked for before they are reached
const MOST_FRAMES = 1000;
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

function readSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const svg = document.importNode(parsed.documentElement, true);
  svg.removeAttribute("height");
  svg.removeAttribute("width");
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

// The picture of a view. Its boxes can be pressed: a tensor is inspected, a sign that stands for
// nodes outside of the view leads there.
function makeDiagram(view, onInspect, onFollow) {
  const svg = readSvg(view.svg);
  svg.setAttribute("role", "group"); // of boxes that can be pressed, and no mere image
  const parts = [...svg.querySelectorAll("[data-key]")].map((group) => {
    const { key } = group.dataset;
    return { group, key, kind: "", looks: [], texts: group.querySelectorAll("text"), shown: null };
  });
  const groups = new Map(parts.map(({ key, group }) => [key, group]));
  const [{ signs, film }] = Object.values(view.versions);
  const boxes = [
    ...Object.entries(view.tensors).map(([key, { name }]) => ({
      ...{ key, group: groups.get(key), name: `Inspect ${name}` },
      press: () => onInspect(key),
    })),
    ...Object.keys(signs).map((key) => ({
      ...{ key, group: groups.get(key), name: `Go ${film[key].looks[0][3][0]}` },
      press: () => onFollow(key),
    })),
  ];
  for (const { group, name, press } of boxes) {
    group.setAttribute("role", "button");
    group.setAttribute("aria-label", name);
    group.setAttribute("tabindex", "-1");
    group.addEventListener("click", press);
  }
  boxes[0]?.group.setAttribute("tabindex", "0"); // the others by arrow keys
  return {
    svg,
    boxes,
    use(film) {
      for (const part of parts) {
        Object.assign(part, film[part.key]);
        writeOut(part.looks);
        part.shown = null;
      }
    },
    show(step, words, key) {
      for (const part of parts) {
        const look = entryAt(part.looks, step);
        if (look !== part.shown) showLook(part, look);
      }
      svg.setAttribute("aria-label", words);
      const atWork = parts.filter((part) => part.kind !== "edge" && isAtWork(part));
      bringIntoView(
        svg.parentNode,
        atWork.map(({ group }) => group),
        atWork.filter(({ shown: [, , changed] }) => changed).map(({ group }) => group),
        groups.get(key),
      );
    },
  };
}

// Looks are sent with null for a row that stays as it was.
function writeOut(looks) {
  let before = [];
  for (const look of looks) {
    look[3] = look[3].map((row, place) => row ?? before[place]);
    before = look[3];
  }
}

// Where the pictures of the views are put, one at a time, to be zoomed, dragged, and gone through
// from box to box.
function makeCanvas() {
  const place = element("div", { class: "mg-diagram", tabindex: "0", role: "group" });
  place.setAttribute(
    "aria-label",
    "Diagram; left and right arrow keys step, up and down go from box to box",
  );
  let diagram = null;
  place.addEventListener("keydown", (event) => {
    const boxes = diagram?.boxes ?? [];
    const now = boxes.findIndex(({ group }) => group === event.target);
    if (now < 0) return;
    const towards = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (towards) {
      const next = boxes[(now + towards + boxes.length) % boxes.length].group;
      boxes[now].group.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      boxes[now].press();
    } else return;
    event.preventDefault();
  });
  const zoom = makeZoom(place, () => diagram?.svg);
  return {
    place,
    zoom: zoom.bar,
    focus(key) {
      const box = diagram?.boxes.find((one) => one.key === key);
      (box?.group ?? place).focus({ preventScroll: true });
    },
    put(another) {
      if (another === diagram) return;
      const hadFocus = place.contains(place.getRootNode().activeElement);
      diagram = another;
      place.replaceChildren(another.svg);
      place.style.minHeight = "";
      zoom.apply();
      if (hadFocus) place.focus({ preventScroll: true });
    },
    tell(text) {
      if (diagram) place.style.minHeight = `${place.offsetHeight}px`; // nothing below moves
      diagram = null;
      place.replaceChildren(element("p", { class: "mg-message", role: "status" }, text));
    },
  };
}

// Buttons, Ctrl and the wheel, and dragging; the wheel alone scrolls the page.
function makeZoom(place, picture) {
  let scale = null; // as large as fits
  const buttons = {};
  const apply = () => {
    if (picture()) setScale(picture(), scale);
    buttons.Smaller.ariaDisabled = String(scale === SMALLEST_SCALE);
    buttons.Larger.ariaDisabled = String(scale === LARGEST_SCALE);
  };
  const zoomBy = (factor, x = place.clientWidth / 2, y = place.clientHeight / 2) => {
    if (!picture()) return;
    const before = picture().getBoundingClientRect().width / naturalWidth(picture());
    scale = Math.min(LARGEST_SCALE, Math.max(SMALLEST_SCALE, before * factor));
    const [left, top] = [place.scrollLeft + x, place.scrollTop + y];
    apply();
    place.scrollLeft = (left * scale) / before - x;
    place.scrollTop = (top * scale) / before - y;
  };
  const bar = element("span", { class: "mg-zoom", role: "group", "aria-label": "Size" });
  const actions = [
    ["−", "Smaller", () => zoomBy(1 / ZOOM_STEP)],
    ["+", "Larger", () => zoomBy(ZOOM_STEP)],
    [
      "Fit",
      "Fit",
      () => {
        scale = null;
        apply();
      },
    ],
  ];
  for (const [text, name, act] of actions) {
    const button = element("button", { type: "button", class: "mg-button", title: name }, text);
    button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    buttons[name] = button;
    bar.append(button);
  }
  place.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { left, top } = place.getBoundingClientRect();
      const factor = event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP;
      zoomBy(factor, event.clientX - left, event.clientY - top);
    },
    { passive: false },
  );
  letDrag(place);
  return { bar, apply };
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

// Scrolls the diagram, never the page, if not all that is at work is in it: until it is in the
// middle, so that one sees what comes next. If it doesn't fit, where numbers arrive; and if that
// is far and wide, the one that is closest to the node that passes them on, with what else fits.
function bringIntoView(place, atWork, changed, foremost) {
  if (!atWork.length) return;
  const frame = place.getBoundingClientRect();
  const boxOf = (group) => group.getBoundingClientRect();
  const span = (boxes, start, end) => [
    Math.min(...boxes.map((box) => box[start])) - MARGIN,
    Math.max(...boxes.map((box) => box[end])) + MARGIN,
  ];
  const fits = (boxes) => {
    const [left, right] = span(boxes, "left", "right");
    const [top, bottom] = span(boxes, "top", "bottom");
    return right - left <= frame.width && bottom - top <= frame.height;
  };
  const receivers = changed.map(boxOf);
  let boxes = atWork.map(boxOf);
  if (!fits(boxes) && receivers.length && fits(receivers)) boxes = receivers;
  if (!fits(boxes)) {
    const centre = boxOf(foremost ?? atWork[0]);
    const far = (box) => Math.hypot(box.left - centre.left, box.top - centre.top);
    const nearest = (some) => [...some].sort((a, b) => far(a) - far(b));
    const [first = centre] = nearest(receivers);
    const others = [centre, ...nearest(boxes)];
    boxes = [first];
    for (const box of others) {
      if (fits([...boxes, box])) boxes.push(box);
    }
  }
  const move = (start, end, from, to) => {
    const [low, high] = span(boxes, start, end);
    return low < from || high > to ? (low + high - from - to) / 2 : 0;
  };
  place.scrollLeft += move("left", "right", frame.left, frame.right);
  place.scrollTop += move("top", "bottom", frame.top, frame.bottom);
}

function isAtWork(part) {
  const [, state, changed] = part.shown;
  return state === "active" || state === "wasted" || changed;
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
function makeExplanation() {
  const weight = ({ title, sentence, formulas }) => {
    return title.length + sentence.length + 60 * formulas.length + formulas.join("").length;
  };
  const words = element("div", { "aria-live": "polite" });
  const place = element("div", { class: "mg-explanation" }, words);
  return {
    place,
    makeRoomFor(steps) {
      const longest = [...steps].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_SIZERS);
      const sizers = longest.map((one) =>
        element("div", { class: "mg-sizer", "aria-hidden": "true" }, ...wordsOf(one)),
      );
      for (const old of place.querySelectorAll(".mg-sizer")) old.remove();
      place.prepend(...sizers);
    },
    show(step) {
      words.replaceChildren(...(step ? wordsOf(step) : []));
    },
  };
}

// The learner's own lines; at each step the piece that recorded its node stands out.
function makeCode(lines) {
  const rows = lines.map((line) =>
    element("span", { class: "mg-line" }, ...(line === null ? ["⋯"] : [line || " "])),
  );
  const list = element("pre", { class: "mg-code", tabindex: "0", "aria-label": "Your code" });
  list.append(...rows);
  let lit = [];
  return {
    list,
    show(mark) {
      for (const row of lit) {
        rows[row].classList.remove("mg-now");
        rows[row].replaceChildren(lines[row] || " ");
      }
      lit = [];
      if (!mark) return;
      const [first, last, start, end] = mark;
      for (let row = first; row <= last; row += 1) {
        const line = lines[row] ?? "";
        const from = row === first ? start : line.length - line.trimStart().length;
        const to = row === last && end ? end : line.length;
        const piece = element("mark", {}, line.slice(from, to));
        rows[row].classList.add("mg-now");
        rows[row].replaceChildren(line.slice(0, from), piece, line.slice(to));
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

function makeInspector(onClose) {
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
    show(step, view, gradients) {
      if (key !== null && !view.tensors[key]) {
        key = null; // it is not in this picture
        place.hidden = true;
      }
      if (key === null) return;
      const { name, about, frozen, value } = view.tensors[key];
      const active = sheets.getRootNode().activeElement; // in a shadow tree, it is not the page's
      const held = [...sheets.querySelectorAll(".mg-wide")].indexOf(active);
      title.replaceChildren(element("strong", {}, name), ` ${about}`);
      const shown = [makeSheet(`Value of ${name}`, view.sheets[value])];
      const gradient = entryAt(gradients[key] ?? [], step);
      if (gradient) {
        shown.push(makeSheet(`Gradient of ${name}`, view.sheets[gradient[1]]));
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

function makeControls(go, isShown) {
  const bar = element("div", { class: "mg-controls", role: "group", "aria-label": "Stepping" });
  const buttons = {};
  let current = 0;
  let count = 1;
  let expected = null; // the step that the player goes to; any other is someone else's
  const player = makePlayer(() => {
    if (!isShown()) return true; // its picture is still to come
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

// Finds a node of a large graph by its number, or the next one with an op or a name.
function makeFinder({ ops, op_of: opOf, names }, now, goTo) {
  const field = element("input", { type: "search", class: "mg-find", placeholder: "12, mul, loss" });
  const status = element("span", { role: "status" });
  const find = (text, from, direction) => {
    const count = opOf.length;
    if (/^\d+$/.test(text)) return Number(text) < count ? Number(text) : null;
    for (let far = 1; far <= count; far += 1) {
      const position = (from + direction * far + count) % count;
      if (ops[opOf[position]] === text || names[position] === text) return position;
    }
    return null;
  };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const text = field.value.trim().replace(/^#/, "");
    const { position, isRecording } = now();
    const found = text ? find(text, position, isRecording ? 1 : -1) : null;
    status.textContent = text && found === null ? `There is no node ${text}.` : "";
    if (found !== null) goTo(found, isRecording);
  });
  const label = element("label", { class: "mg-finder" }, "Go to node", field);
  return [label, status];
}

// The step of another version that is about the same, or else where its backward pass starts.
function sameMoment({ kind, key }, steps) {
  const all = Object.entries(steps);
  const same = all.find(([, step]) => step.kind === kind && step.key === key);
  return Number((same ?? all.find(([, step]) => step.kind === "seed"))[0]);
}

// All that is shown of a view: its picture, and beside it what differs from version to version.
function makeView(view, go, inspect) {
  const nodes = makeList("mg-nodes", "The list of nodes", view.nodes, go);
  const versions = {};
  let shown = null; // the name of the version
  let now = 0;
  const follow = (key) => {
    const { signs, steps } = view.versions[shown];
    const [recorded, visited] = signs[key];
    go(steps[now].kind === "record" ? recorded : visited);
  };
  const diagram = makeDiagram(view, inspect, follow);
  const makeVersion = (version) => ({
    table: makeTable(version.table),
    order: makeList("mg-order", "Backward order", version.order, go),
  });
  return {
    diagram,
    words: (name, step) => view.versions[name].steps[step],
    allWords: Object.values(view.versions).flatMap(({ steps }) => Object.values(steps)),
    use(name) {
      if (name !== shown) diagram.use(view.versions[name].film);
      shown = name;
      versions[name] ??= makeVersion(view.versions[name]);
      const { table, order } = versions[name];
      return {
        isBroad:
          table.characters > MOST_BESIDE ||
          naturalWidth(diagram.svg) * SMALLEST_SCALE > WIDEST_BESIDE,
        panels: [
          panel("Gradients", table.table),
          panel("Backward order", order.list),
          panel("graph.nodes", nodes.list),
        ],
      };
    },
    show(step) {
      now = step;
      const { title, sentence, formulas, key } = view.versions[shown].steps[step];
      diagram.show(step, [title, sentence, ...formulas].join(" "), key);
      versions[shown].table.show(step);
      versions[shown].order.show(step);
      nodes.show(step);
      return view.marks[key];
    },
    inspectedBy(inspector) {
      inspector.show(now, view, view.versions[shown].gradients);
    },
  };
}

// The views that are built; those shown last are kept.
function makeViews(payload, build) {
  const built = new Map();
  return {
    get(number) {
      const found = built.get(number) ?? (payload.views[number] && build(payload.views[number]));
      if (!found) return null;
      built.delete(number);
      built.set(number, found);
      if (built.size > MOST_BUILT) built.delete(built.keys().next().value);
      return found;
    },
  };
}

function makeStepper(root, payload, onMove, save) {
  let name = null;
  let view = null;
  let used = ""; // which view and version are in the page
  let current = 0;
  const { windows } = payload;
  const length = () => payload.versions[name].length;
  const go = (step) => {
    onMove(Math.max(0, Math.min(length() - 1, step)), name);
  };
  const controls = makeControls(go, () => view !== null);
  const jump = (step) => {
    controls.stop();
    go(step);
  };
  const choices = makeChoices(payload, (chosen) => {
    controls.stop();
    // versions to choose from are those of small graphs, which have a single view
    const { versions } = payload.views[0];
    onMove(sameMoment(versions[name].steps[current], versions[chosen].steps), chosen);
  });
  // also of a step whose view is still to come
  const whereNow = () => {
    const visits = payload.index.visits[name];
    if (current < visits.length) return { isRecording: true, position: current };
    let position = visits.length; // at the seed, before the last of them
    visits.forEach((step, one) => {
      if (step !== null && step <= current && step > (visits[position] ?? 0)) position = one;
    });
    return { isRecording: false, position };
  };
  const goToNode = (position, isRecording) => {
    const visit = payload.index.visits[name][position];
    jump(isRecording || visit === null ? position : visit);
  };
  const canvas = makeCanvas();
  const inspector = makeInspector(canvas.focus);
  const inspect = (key) => {
    controls.stop(); // one reads
    inspector.open(key);
    view.inspectedBy(inspector);
  };
  const views = makeViews(payload, (one) => makeView(one, jump, inspect));
  const saving = save && makeSaving(save, () => current);
  const options = element("div", { class: "mg-options", role: "group", "aria-label": "Options" });
  options.append(...choices.selects, canvas.zoom);
  if (payload.index) options.append(...makeFinder(payload.index, whereNow, goToNode));
  if (saving) options.append(saving.button, saving.menu);
  const bars = element("div", { class: "mg-bars" }, controls.bar, options);
  const explanation = makeExplanation();
  const side = element("div", { class: "mg-side" });
  const stepper = element("div", { class: "mg-stepper" }, bars, canvas.place);
  stepper.append(explanation.place, inspector.place, side);
  root.replaceChildren(stepper);
  keepKeys(root);
  const code = payload.code.length ? makeCode(payload.code) : null;
  const codePanel = code ? [panel("Your code", code.list)] : [];
  root.onkeydown = (event) => {
    const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    const target = event.target;
    const keys = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: length() - 1 };
    if (!plain || !(event.key in keys)) return;
    if (["range", "search"].includes(target.type) || target.tagName === "SELECT") return;
    event.preventDefault();
    jump(keys[event.key]);
  };
  const number = () => entryAt(payload.versions[name].shown, current)[1];
  const use = () => {
    const wanted = `${name} ${number()}`;
    if (used === wanted) return;
    used = wanted;
    canvas.put(view.diagram);
    const { panels, isBroad } = view.use(name);
    side.replaceChildren(...codePanel, ...panels);
    side.style.visibility = "";
    stepper.classList.toggle("mg-broad", isBroad);
    explanation.makeRoomFor(view.allWords);
  };
  const show = (step, wanted) => {
    current = step;
    name = wanted;
    choices.show(name);
    view = views.get(number());
    controls.show(step, view ? view.words(name, step).title : "", length());
    if (!view) {
      used = "";
      const [first, last] = windows[number()];
      canvas.tell(`Nodes #${first} to #${last}: the kernel is drawing this part of the graph.`);
      explanation.show(null);
      side.style.visibility = "hidden"; // what it tells is not of this step
      return;
    }
    use();
    const mark = view.show(step);
    code?.show(mark);
    explanation.show(view.words(name, step));
    view.inspectedBy(inspector);
  };
  return {
    destroy: controls.stop,
    receiveFile: saving?.receive,
    show,
    showAgain: () => show(current, name),
    number,
    tell: (text) => view || canvas.tell(text),
    prepare: views.get,
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
        tell(NO_ANSWER);
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

// Asks the kernel for the views of a large graph, one at a time: first the one to be shown, then
// those that come next and before, so that a step finds its view in the page.
function makeFetcher(payload, stepper, send) {
  const failed = new Map(); // why, by the number of the view
  let asked = null;
  let timer = null;
  const inTime = (name) => payload.versions[name].shown;
  const wanted = (step, name) => {
    const shown = inTime(name);
    const here = shown.indexOf(entryAt(shown, step));
    for (let far = 0; far <= MOST_AHEAD; far += 1) {
      for (const place of [here + far, here - far]) {
        const number = shown[place]?.[1];
        const isMissing = number !== undefined && !payload.views[number];
        if (isMissing && !failed.has(number)) return number;
      }
    }
    return null;
  };
  const neighbours = (step, name) => {
    const shown = inTime(name);
    const here = shown.indexOf(entryAt(shown, step));
    return [here + 1, here - 1].map((place) => shown[place]?.[1]).filter((n) => payload.views[n]);
  };
  return {
    ask(step, name) {
      if (payload.windows.length === 1) return;
      idle(() => neighbours(step, name).forEach(stepper.prepare));
      if (failed.has(stepper.number())) stepper.tell(failed.get(stepper.number()));
      const number = wanted(step, name);
      const isUrgent = number === stepper.number();
      if (number === null || number === asked || (asked !== null && !isUrgent)) return;
      asked = number;
      clearTimeout(timer);
      timer = setTimeout(() => {
        asked = null;
        stepper.tell(NO_ANSWER); // where a picture is missing
      }, ANSWER_LIMIT);
      send({ view: number });
    },
    receive(content) {
      if (content.view === asked) {
        clearTimeout(timer);
        asked = null;
      }
      if (content.failed) {
        failed.set(content.view, content.failed);
        return;
      }
      payload.views[content.view] = content.payload;
      if (content.view === stepper.number()) stepper.showAgain();
    },
    stop: () => clearTimeout(timer),
  };
}

function idle(work) {
  (window.requestIdleCallback ?? setTimeout)(work);
}

function makeLiveGraph(root) {
  const picture = element("div", { class: "mg-diagram", tabindex: "0", role: "group" });
  picture.setAttribute("aria-label", "The graph so far");
  const message = element("p", { class: "mg-message", role: "status" });
  const zoom = makeZoom(picture, () => picture.querySelector("svg"));
  root.replaceChildren(picture, element("div", { class: "mg-head" }, message, zoom.bar));
  keepKeys(root);
  return {
    update(payload) {
      picture.replaceChildren(...(payload.svg ? [readSvg(payload.svg)] : []));
      picture.hidden = !payload.svg;
      zoom.bar.hidden = !payload.svg;
      zoom.apply();
      message.textContent = payload.message;
    },
  };
}

// ---- nudges --------------------------------------------------------------------------

// A slider and a field for one leaf. The slider counts steps from the start, so that it can come
// back there exactly.
function makeHandle({ key, name, start, step, steps }, output, onMove) {
  const slider = element("input", { type: "range", min: -steps, max: steps, "aria-label": name });
  const field = element("input", { type: "number", step, "aria-label": `${name} as a number` });
  const told = element("span", { class: "mg-delta" });
  const valueAt = (place) => Number((start + place * step).toPrecision(12));
  let before = 0;
  slider.addEventListener("input", () => {
    const place = slider.valueAsNumber;
    const way = place < before ? -1 : 1;
    before = place;
    field.value = valueAt(place);
    const next = Array.from({ length: MOST_NEXT }, (_, far) => place + way * (far + 1));
    onMove(key, valueAt(place), next.filter((one) => Math.abs(one) <= steps).map(valueAt));
  });
  field.addEventListener("input", () => {
    const value = field.valueAsNumber;
    if (!Number.isFinite(value)) return; // not all typed yet
    slider.value = Math.round((value - start) / step);
    onMove(key, value);
  });
  const row = element("div", { class: "mg-handle" }, element("code", {}, name), slider, field, told);
  return {
    row,
    // While the user is ahead of the kernel, the sliders are where the user has put them.
    show(now, isAhead) {
      const value = now.values[key];
      const gradient = now.gradients[key];
      const slope = gradient === undefined ? "" : `, ∂${output}/∂${name} = ${gradient}`;
      told.textContent = `Δ ${now.nudges[key]}${slope}`;
      slider.setAttribute("aria-valuetext", `${value}; ${output} is ${now.exact}`);
      if (isAhead) return;
      slider.value = Math.round((value - start) / step);
      if (field.getRootNode().activeElement !== field) field.value = value;
    },
  };
}

// The promise and what happened, as lines of numbers, and a sentence that says what to see.
function makeVerdict() {
  const list = element("dl", { class: "mg-verdict" });
  const parts = [
    ["promised", "The gradient promised"],
    ["exact", "What happened"],
    ["difference", "Off by"],
    ["shrinking", "Nudged less"],
  ].map(([key, title]) => {
    const value = element("dd");
    const term = element("dt", { "data-line": key }, title);
    list.append(element("div", {}, term, value));
    return { key, value };
  });
  const sentence = element("p", { "aria-live": "polite" }, " ");
  return {
    place: element("div", { class: "mg-explanation" }, element("div", {}, list, sentence)),
    show(now) {
      for (const { key, value } of parts) {
        value.textContent = now[key] || NOTHING_YET;
      }
      write(sentence, now.sentence);
    },
  };
}

// While one drags, it is one row of a box that changes, and the rest of the page stays untouched.
function showNumbers(part, look) {
  const { shown, texts } = part;
  if (shown?.[1] !== look[1] || shown[2] !== look[2]) {
    showLook(part, look);
    return;
  }
  look[3].forEach((row, place) => {
    if (row !== shown[3][place]) texts[place].textContent = row;
  });
  part.shown = look;
}

function makeNudge(root, payload, ask) {
  const { output, handles, kinds } = payload;
  const picture = element("div", { class: "mg-diagram", tabindex: "0", role: "group" });
  picture.setAttribute("aria-label", "The graph with its values");
  const svg = readSvg(payload.svg);
  svg.setAttribute("aria-label", payload.description);
  picture.append(svg);
  // beside it there is the plot, if both can be read
  picture.style.flexBasis = `${naturalWidth(svg) * SMALLEST_SCALE + 16}px`;
  const parts = [...svg.querySelectorAll("[data-key]")].map((group) => {
    const { key } = group.dataset;
    return { group, key, kind: kinds[key], texts: group.querySelectorAll("text"), shown: null };
  });
  const move = (key, value, next) => ask({ [key]: value }, next);
  const made = handles.map((one) => makeHandle(one, output, move));
  const sliders = element("div", { class: "mg-sliders" });
  for (const [title, isFrozen] of [
    ["Leaves", false],
    ["Frozen, without a gradient", true],
  ]) {
    const rows = made.filter((_, place) => handles[place].frozen === isFrozen);
    if (!rows.length) continue;
    const group = element("fieldset", {}, element("legend", {}, title));
    group.append(...rows.map(({ row }) => row));
    sliders.append(group);
  }
  const back = makeButton("Back to the start", "set all sliders back", () => {
    ask(Object.fromEntries(handles.map(({ key, start }) => [key, start]).reverse()));
  });
  const plot = element("div", { class: "mg-plot" });
  const status = element("p", { class: "mg-message", role: "status" });
  const verdict = makeVerdict();
  const zoom = makeZoom(picture, () => svg);
  const bars = element("div", { class: "mg-bars" }, sliders);
  bars.append(element("div", { class: "mg-options" }, back, zoom.bar));
  const views = element("div", { class: "mg-views" }, picture, plot);
  root.replaceChildren(element("div", { class: "mg-nudge" }, bars, views, verdict.place, status));
  zoom.apply();
  keepKeys(root);
  return {
    show(now, isAhead) {
      const active = new Set(now.edges);
      for (const part of parts) {
        const state = active.has(part.key) ? "active" : "waiting";
        showNumbers(part, now.boxes[part.key] ?? [0, state, false, []]);
      }
      for (const handle of made) handle.show(now, isAhead);
      const figure = readSvg(now.plot);
      figure.removeAttribute("style"); // its size is that of its place
      plot.replaceChildren(figure);
      verdict.show(now);
    },
    tell(text) {
      status.textContent = text;
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
  const bind = { step: bindStepper, live: bindLiveGraph, nudge: bindNudge };
  const cleanUp = bind[model.get("payload").mode](root, model);
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
  const send = (wish) => {
    try {
      model.send(wish);
    } catch {
      // without an answer, the page says so
    }
  };
  // an exported page has no kernel to make files
  const save =
    model.send &&
    ((wish) => {
      tellKernel(); // which version is meant
      send(wish);
    });
  const payload = model.get("payload");
  const stepper = makeStepper(root, payload, move, save);
  const fetcher = makeFetcher(payload, stepper, send);
  const receive = () => {
    const [python, page] = CHANNELS.map((name) => model.get(name));
    const newest = page[1] > python[1] ? page : python; // of two with one number, as Python has it
    const same = newest[0] === shown[0] && newest[2] === shown[1];
    if (newest[1] < serial || (newest[1] === serial && same)) return;
    serial = newest[1];
    shown = [newest[0], newest[2]];
    stepper.show(...shown);
    fetcher.ask(...shown);
  };
  const hear = (content, buffers) => {
    if (!("view" in content)) {
      stepper.receiveFile(content, buffers);
      return;
    }
    fetcher.receive(content);
    fetcher.ask(...shown);
  };
  for (const name of CHANNELS) model.on(`change:${name}`, receive);
  model.on("msg:custom", hear);
  receive();
  const leave = () => timer !== null && tellKernel();
  root.addEventListener("focusout", leave);
  return () => {
    leave();
    root.removeEventListener("focusout", leave);
    for (const name of CHANNELS) model.off(`change:${name}`, receive);
    model.off("msg:custom", hear);
    fetcher.stop();
    stepper.destroy();
  };
}

// The newest values are sent when the last ones are answered: nothing queues, the last value wins.
// What the page knows already, it shows at once.
function bindNudge(root, model) {
  const frames = new Map();
  let current = null; // the frame that the user wants
  let wanted = null;
  let asked = null;
  let serial = Math.random(); // of this view: others hear its answers too
  let timer = null;
  const nameOf = ({ moved, values }) => JSON.stringify([moved, Object.entries(values).sort()]);
  const keep = (frame) => {
    if (frames.size >= MOST_FRAMES) frames.clear();
    frames.set(nameOf(frame), frame);
  };
  const send = () => {
    if (asked !== null || wanted === null) return;
    serial += 1;
    asked = serial;
    timer = setTimeout(() => {
      asked = null;
      nudge.tell(NO_ANSWER);
    }, ANSWER_LIMIT);
    try {
      model.send({ id: asked, ...wanted });
    } catch {
      // without an answer, the page says so
    }
    wanted = null;
  };
  const ask = (values, places = []) => {
    const moved = Object.keys(values).at(-1) ?? current.moved;
    current = { moved, values: { ...current.values, ...values } };
    const known = frames.get(nameOf(current));
    if (known) nudge.show(known, true);
    const isNew = (place) =>
      !frames.has(nameOf({ moved, values: { ...current.values, [moved]: place } }));
    wanted = { values: { ...wanted?.values, ...values }, moved, ahead: places.filter(isNew) };
    send();
  };
  const nudge = makeNudge(root, model.get("payload"), ask);
  const hear = (content) => {
    if (content.id === asked) {
      clearTimeout(timer);
      asked = null;
      nudge.tell(content.failed ?? "");
    }
    content.ahead?.forEach(keep);
    const { now } = content;
    if (now) {
      keep(now);
      const isAhead = asked !== null || wanted !== null;
      if (!isAhead) current = now;
      const known = frames.get(nameOf(current));
      nudge.show(known ?? now, isAhead);
    }
    send();
  };
  model.on("msg:custom", hear);
  current = model.get("payload").now;
  nudge.show(current, false);
  ask({}); // another view, or Python, may have moved
  return () => {
    model.off("msg:custom", hear);
    clearTimeout(timer);
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
