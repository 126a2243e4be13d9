// The one table of a comparison: the numbers of both sides, and a sign where they differ.

import { bringRowIntoView, element, write } from "../stepper/page/elements.js";
import { entryAt } from "../stepper/page/timeline.js";

const KINDS = { values: "value", gradients: "grad" };

export function makeCommonTable(rows) {
  // two orders of one graph have one column of values
  const isShared = rows.every(({ values: [ours, theirs] }) => `${ours}` === `${theirs}`);
  const columns = [
    ...(isShared ? [["values", 0]] : [["values", 0], ["values", 1]]),
    ...[["gradients", 0], ["gradients", 1]],
  ];
  const widthOf = (texts) => Math.max(...texts.map((text) => text.length)) + 2;
  const widths = [
    widthOf(["tensor", ...rows.map(({ name }) => name)]),
    widthOf(["only on the right"]),
    ...columns.map(([kind, side]) => {
      const told = rows.flatMap((row) => (row[kind][side] ?? []).map(([, text]) => text));
      return widthOf(["grad on the right", ...told]);
    }),
  ];
  const group = element("colgroup");
  for (const width of widths) group.append(element("col", { style: `width: ${width}ch` }));
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
  let where = [];
  return {
    table,
    name(words) {
      where = words;
      columns.forEach(([kind, side], place) => {
        const isOne = isShared && kind === "values";
        write(heads[place], isOne ? KINDS[kind] : `${KINDS[kind]} ${where[side]}`);
      });
    },
    show(moment) {
      let first = null;
      for (const { row, line, cells, sign } of lines) {
        const mark = entryAt(row.marks, moment)[1];
        const missing = row.keys.indexOf(null);
        columns.forEach(([kind, side], place) => {
          const reel = row[kind][side];
          const isMarked = mark === "≠ both" || mark === `≠ ${KINDS[kind]}`;
          write(cells[place], reel ? entryAt(reel, moment)[1] : " ");
          cells[place].className = isMarked ? "mg-differs" : "";
        });
        write(sign, missing < 0 ? mark || " " : `only ${where[1 - missing]}`);
        if (mark && entryAt(row.marks, moment)[0] === moment) first ??= line;
      }
      bringRowIntoView(first);
    },
  };
}
