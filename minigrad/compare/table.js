// The one table of a comparison: the numbers of both sides, and a sign where they differ.

import { bringRowIntoView, element, write } from "../stepper/page/elements.js";
import { entryAt, valueAt } from "../stepper/page/timeline.js";

/** @import { CommonRow, Pair } from "../stepper/page/payload.d.ts" */

/** @typedef {"values" | "gradients"} Kind */
/** @typedef {[kind: Kind, side: 0 | 1]} Column */

const KINDS = { values: "value", gradients: "grad" };

/**
 * The columns of numbers. Two orders of one graph have one column of values.
 *
 * @param {CommonRow[]} rows
 * @returns {Column[]}
 */
export function columnsOf(rows) {
  const isShared = rows.every(({ values: [ours, theirs] }) => `${ours}` === `${theirs}`);
  /** @type {Column[]} */
  const values = isShared ? [["values", 0]] : [["values", 0], ["values", 1]];
  return [...values, ["gradients", 0], ["gradients", 1]];
}

/**
 * In characters, of the name, the sign and each column: as wide as the widest text of any moment.
 *
 * @param {CommonRow[]} rows
 * @param {Column[]} columns
 */
export function widthsOf(rows, columns) {
  const widest = (/** @type {string[]} */ texts) => Math.max(...texts.map((text) => text.length)) + 2;
  return [
    widest(["tensor", ...rows.map(({ name }) => name)]),
    widest(["only on the right"]),
    ...columns.map(([kind, side]) => {
      const told = rows.flatMap((row) => (row[kind][side] ?? []).map(([, text]) => text));
      return widest(["grad on the right", ...told]);
    }),
  ];
}

/**
 * What stands at the end of a row: on which side alone it is, or what differs.
 *
 * @param {CommonRow} row
 * @param {string} mark
 * @param {Pair<string>} where
 */
export function signOf({ keys }, mark, where) {
  const missing = keys.indexOf(null);
  return missing < 0 ? mark || " " : `only ${where[1 - missing]}`;
}

/** @param {CommonRow[]} rows */
export function makeCommonTable(rows) {
  const columns = columnsOf(rows);
  const group = element("colgroup");
  for (const width of widthsOf(rows, columns)) {
    group.append(element("col", { style: `--mg-characters: ${width}ch` }));
  }
  const heads = columns.map(() => element("th", { scope: "col" }, " "));
  const head = element("tr", {}, element("th", { scope: "col" }, "tensor"));
  head.append(element("th", { scope: "col", class: "mg-sign" }, "differs"), ...heads);
  const body = element("tbody");
  const lines = rows.map((row) => {
    const cells = columns.map(() => element("td", {}, " "));
    const sign = element("td", { class: "mg-sign" }, " ");
    const line = element("tr", {}, element("th", { scope: "row" }, row.name), sign, ...cells);
    body.append(line);
    return { row, line, cells, sign };
  });
  const table = element("table", { class: "mg-table", "aria-label": "Both in one table" }, group);
  table.append(element("thead", {}, head), body);
  /** @type {Pair<string>} */
  let where = ["", ""];
  return {
    table,
    /** @param {Pair<string>} words for the places of both sides */
    name(words) {
      where = words;
      columns.forEach(([kind, side], place) => {
        const isOne = columns.filter(([other]) => other === kind).length === 1;
        write(heads[place], isOne ? KINDS[kind] : `${KINDS[kind]} ${where[side]}`);
      });
    },
    /** @param {number} moment */
    show(moment) {
      let first = null;
      for (const { row, line, cells, sign } of lines) {
        const [since, mark] = entryAt(row.marks, moment) ?? [0, ""];
        columns.forEach(([kind, side], place) => {
          const told = row[kind][side];
          const isMarked = mark === "≠ both" || mark === `≠ ${KINDS[kind]}`;
          write(cells[place], (told && valueAt(told, moment)) ?? " ");
          cells[place].className = isMarked ? "mg-differs" : "";
        });
        write(sign, signOf(row, mark, where));
        if (mark && since === moment) first ??= line;
      }
      bringRowIntoView(first);
    },
  };
}
