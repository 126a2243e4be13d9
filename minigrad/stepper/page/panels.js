// What stands beside and below the diagram: the table, lists, words and code.

import { MARGIN, bringRowIntoView, element, write } from "./elements.js";
import { valueAt } from "./timeline.js";

/** @import { Entry, GradientRow, Mark, Words } from "./payload.d.ts" */

/** @type {("value" | "before" | "after")[]} */
const COLUMNS = ["value", "before", "after"]; // of a gradient table, behind the names
const ONE_LINE = 13; // characters of a gradient that fit beside the picture
const MOST_SIZERS = 5;
const LETTER = "[\\p{L}\\p{M}\\p{N}_]";
const TO_THE_LEFT = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]";
/** Whole words in which a letter runs from right to left. */
const WORDS = new RegExp(`((?<!${LETTER})${LETTER}*${TO_THE_LEFT}${LETTER}*)`, "u");
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const MARKS = { now: "●", past: "✓", next: "○" };

/**
 * In characters: as wide as the widest text of any step, so that nothing moves when numbers arrive.
 *
 * @param {GradientRow[]} rows
 */
export function columnWidths(rows) {
  const longest = (/** @type {string[]} */ texts) => Math.max(...texts.map((text) => text.length)) + 2;
  return [
    longest(["tensor", ...rows.map((row) => row.name)]),
    ...COLUMNS.map((column) =>
      longest([column, ...rows.flatMap((row) => row[column].map(([, text]) => text))]),
    ),
  ];
}

/** @param {GradientRow[]} rows */
export function makeTable(rows) {
  const columns = element("colgroup");
  const widths = columnWidths(rows);
  for (const width of widths) {
    columns.append(element("col", { style: `--mg-characters: ${width}ch` }));
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
    const gradients = [...row.before, ...row.after].map(([, text]) => text.length);
    if (Math.max(...gradients) > ONE_LINE) values[COLUMNS.length - 1].classList.add("mg-tall");
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
    /** @param {number} step */
    show(step) {
      let first = null;
      for (const { row, line, values } of cells) {
        COLUMNS.forEach((column, place) => {
          write(values[place], valueAt(row[column], step) ?? "");
        });
        const isChanged = row.changed.includes(step);
        if (isChanged) first ??= line;
        line.className = isChanged ? "mg-changed" : "";
      }
      bringRowIntoView(first);
    },
  };
}

/**
 * A list of steps, each of which can be gone to.
 *
 * @param {string} className
 * @param {string} label
 * @param {Entry[]} entries
 * @param {(step: number) => void} onJump
 */
export function makeList(className, label, entries, onJump) {
  const items = entries.map((entry) => {
    const button = element("button", { type: "button" });
    const mark = element("span", { class: "mg-mark", "aria-hidden": "true" }, " ");
    button.append(mark, element("span", {}, entry.text));
    if (entry.code) button.append(element("code", {}, entry.code));
    button.addEventListener("click", () => onJump(entry.step));
    return { entry, button, mark };
  });
  const list = element("ol", { class: className, "aria-label": label });
  for (const { button } of items) list.append(element("li", {}, button));
  return {
    list,
    /** @param {number} step */
    show(step) {
      let current = null;
      for (const { entry, button, mark } of items) {
        const place = placeOf(entry, step);
        if (place === "now") current = button;
        if (button.dataset.place === place) continue;
        button.dataset.place = place;
        write(mark, MARKS[place]);
        if (place === "now") button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      }
      bringRowIntoView(current);
    },
  };
}

/**
 * Whether the steps of an entry are past, now or still to come.
 *
 * @param {Entry} entry
 * @param {number} now
 */
export function placeOf({ step, last }, now) {
  if (now < step) return "next";
  return now > last ? "past" : "now";
}

/**
 * A formula in two parts: its result, and all that leads to it.
 *
 * @param {string} formula
 */
export function withoutResult(formula) {
  const end = formula.lastIndexOf(" = ") + 3;
  return [formula.slice(0, end), formula.slice(end)];
}

/** @param {Words} words */
function wordsOf({ title, sentence, formulas, wrong }) {
  const lines = element("div", { class: "mg-formulas" });
  for (const [before, result] of formulas.map(withoutResult)) {
    lines.append(element("code", {}, before, element("strong", {}, result)));
  }
  const flag = wrong ? [element("strong", { class: "mg-flag" }, "⚠ wrong order"), " "] : [];
  return [element("p", {}, ...flag, element("strong", {}, title), ` ${sentence}`), lines];
}

/**
 * About how much room words take: a formula has a line to itself.
 *
 * @param {Words} words
 */
export function weight({ title, sentence, formulas }) {
  return title.length + sentence.length + 60 * formulas.length + formulas.join("").length;
}

/**
 * Hidden under the words of a step lie the longest words of all, so the place keeps its height
 * and screen readers keep one place to listen to.
 */
export function makeExplanation() {
  const words = element("div", { "aria-live": "polite" });
  const place = element("div", { class: "mg-explanation" }, words);
  return {
    place,
    /** @param {Words[]} steps */
    makeRoomFor(steps) {
      const longest = [...steps].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_SIZERS);
      const sizers = longest.map((one) =>
        element("div", { class: "mg-sizer", "aria-hidden": "true" }, ...wordsOf(one)),
      );
      for (const old of place.querySelectorAll(".mg-sizer")) old.remove();
      place.prepend(...sizers);
    },
    /** @param {Words | null} step */
    show(step) {
      words.replaceChildren(...(step ? wordsOf(step) : []));
    },
  };
}

/**
 * The piece of a line that a mark covers, as its first and its last column.
 *
 * @param {string} line
 * @param {number} row
 * @param {Mark} mark
 * @returns {[from: number, to: number]}
 */
export function columnsIn(line, row, [first, last, start, end]) {
  const from = row === first ? start : line.length - line.trimStart().length;
  return [from, row === last && end ? end : line.length];
}

/**
 * Code cut into what runs from left to right and words that don't, one after the other. A control
 * of direction in it is written as Python writes it, so that nobody obeys it.
 *
 * @param {string} code
 * @returns {{ text: string, isWord: boolean }[]}
 */
export function piecesOf(code) {
  const shown = code.replace(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const texts = shown.split(WORDS);
  return texts.map((text, place) => ({ text, isWord: place % 2 === 1 })).filter(({ text }) => text);
}

/**
 * Code as it is read, from left to right: each word with letters that run the other way stands for
 * itself, and moves nothing around it.
 *
 * @param {string} code
 */
function inOrder(code) {
  return piecesOf(code).map(({ text, isWord }) => (isWord ? element("bdi", {}, text) : text));
}

/**
 * The learner's own lines; at each step the piece that recorded its node stands out.
 *
 * @param {(string | null)[]} lines
 */
export function makeCode(lines) {
  const rows = lines.map((line) =>
    element("span", { class: "mg-line" }, ...(line === null ? ["⋯"] : inOrder(line || " "))),
  );
  const list = element("pre", { class: "mg-code", tabindex: "0", "aria-label": "Your code" });
  list.append(...rows);
  /** @type {number[]} */
  let lit = [];
  return {
    list,
    /** @param {Mark | undefined} mark */
    show(mark) {
      for (const row of lit) {
        rows[row].classList.remove("mg-now");
        rows[row].replaceChildren(...inOrder(lines[row] || " "));
      }
      lit = [];
      if (!mark) return;
      const [first, last] = mark;
      for (let row = first; row <= last; row += 1) {
        const line = lines[row] ?? "";
        const [from, to] = columnsIn(line, row, mark);
        const letters = [...line]; // as Python counts them: 😀 is one
        const [before, inside, after] = [letters.slice(0, from), letters.slice(from, to), letters.slice(to)]
          .map((part) => inOrder(part.join("")));
        rows[row].classList.add("mg-now");
        rows[row].replaceChildren(...before, element("mark", {}, ...inside), ...after);
        lit.push(row);
      }
      bringRowIntoView(rows[first]);
      const piece = rows[first].querySelector("mark");
      if (piece) list.scrollLeft = piece.offsetLeft + piece.offsetWidth > list.clientWidth ? piece.offsetLeft - MARGIN : 0;
    },
  };
}
