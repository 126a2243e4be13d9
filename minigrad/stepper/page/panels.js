// What stands beside and below the diagram: the table, lists, words and code.

import { bringRowIntoView, element, entryAt, write } from "./elements.js";

const MOST_SIZERS = 5;
const COLUMNS = ["value", "before", "after"]; // of a gradient table, behind the names

// As wide as the widest text of any step, so that nothing moves when numbers arrive.
function columnWidths(rows) {
  const longest = (texts) => Math.max(...texts.map((text) => text.length)) + 2;
  const texts = (column) => rows.flatMap((row) => row[column].map(([, text]) => text));
  return [
    longest(["tensor", ...rows.map((row) => row.name)]),
    ...COLUMNS.map((column) => longest([column, ...texts(column)])),
  ];
}

export function makeTable(rows) {
  const columns = element("colgroup");
  const widths = columnWidths(rows);
  for (const width of widths) {
    columns.append(element("col", { style: `width: ${width}ch; min-width: ${width}ch` }));
  }
  const head = element("tr");
  for (const title of ["tensor", ...COLUMNS]) {
    head.append(element("th", { scope: "col" }, title));
  }
  const body = element("tbody");
  const cells = rows.map((row) => {
    const values = COLUMNS.map(() => element("td", {}, " "));
    const name = element("th", { scope: "row" }, row.name);
    const line = element("tr", { "data-key": row.key }, name, ...values);
    body.append(line);
    return { row, line, values };
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
      for (const { row, line, values } of cells) {
        COLUMNS.forEach((column, place) => {
          write(values[place], entryAt(row[column], step)[1]);
        });
        const isChanged = row.changed.includes(step);
        if (isChanged) first ??= line;
        line.className = isChanged ? "mg-changed" : "";
      }
      bringRowIntoView(first);
    },
  };
}

export function makeList(className, label, entries, onJump) {
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
export function makeExplanation() {
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
export function makeCode(lines) {
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
