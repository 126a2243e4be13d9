// The inspector: the numbers of one tensor.

import { makeWhy } from "../../why/why.js";
import { element, focusedBeside } from "./elements.js";
import { valueAt } from "./timeline.js";

/** @import { ArrayTable, Key, ShownView, Variant } from "./payload.d.ts" */
/** @typedef {ReturnType<typeof makeInspector>} Inspector */

/**
 * @param {string} title
 * @param {ArrayTable} sheet
 */
function makeSheet(title, sheet) {
  if (!sheet.rows.length) {
    return element("div", {}, element("h4", {}, title), element("code", {}, sheet.label));
  }
  const figures = element("ul", { class: "mg-figures" });
  for (const [name, number] of sheet.figures) {
    figures.append(element("li", {}, `${name} `, element("code", {}, number)));
  }
  const table = makeNumbers(title, sheet);
  const scroll = element("div", { class: "mg-wide", tabindex: "0", role: "group" }, table);
  scroll.setAttribute("aria-label", `${title}, as a table`);
  const parts = [element("h4", {}, title), scroll, figures];
  if (sheet.label) parts.splice(1, 0, element("p", { class: "mg-message" }, sheet.label));
  return element("div", {}, ...parts);
}

/**
 * @param {string} title
 * @param {ArrayTable} sheet
 */
function makeNumbers(title, sheet) {
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
  return table;
}

/**
 * @param {(key: Key) => void} onClose
 * @param {(keys: Set<Key>) => void} light
 */
export function makeInspector(onClose, light) {
  const close = element("button", { type: "button", class: "mg-button" }, "Close");
  close.setAttribute("aria-label", "Close the inspector");
  const title = element("h3");
  const tables = element("div", { class: "mg-sheets" });
  const place = element("section", { class: "mg-inspector", "aria-label": "Inspector" });
  const why = makeWhy(light);
  place.append(element("div", { class: "mg-head" }, title, close), tables, why.place);
  place.hidden = true;
  /** @type {Key | null} */
  let key = null;
  const shut = () => {
    const closed = key;
    key = null;
    place.hidden = true;
    why.close();
    if (closed !== null) onClose(closed);
  };
  /** @returns {NodeListOf<HTMLElement>} the tables that take the focus */
  const wide = () => tables.querySelectorAll(".mg-wide");
  close.addEventListener("click", shut);
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    shut();
  });
  return {
    place,
    /** @param {Key} wanted */
    open(wanted) {
      key = wanted;
      place.hidden = false;
      close.focus({ preventScroll: true });
      place.scrollIntoView({ block: "nearest" });
    },
    /**
     * @param {number} step
     * @param {ShownView} view
     * @param {Variant} variant
     */
    show(step, view, variant) {
      if (key !== null && !view.tensors[key]) {
        key = null; // it is not in this picture
        place.hidden = true;
      }
      if (key === null) return;
      const { name, about, frozen, value } = view.tensors[key];
      const held = [...wide()].indexOf(/** @type {HTMLElement} */ (focusedBeside(tables)));
      title.replaceChildren(element("strong", {}, name), ` ${about}`);
      const number = valueAt(variant.gradients[key] ?? [], step);
      const nothing = view.without_gradient[frozen ? "frozen" : "yet"];
      const gradient =
        number === null
          ? element("p", {}, nothing.replace("{}", () => name)) // a text could hold $&
          : makeSheet(`Gradient of ${name}`, view.tables[number]);
      tables.replaceChildren(makeSheet(`Value of ${name}`, view.tables[value]), gradient);
      why.show(key, view, variant, step);
      if (held >= 0) {
        const places = [...wide(), close];
        places[Math.min(held, places.length - 1)].focus({ preventScroll: true });
      }
    },
  };
}
