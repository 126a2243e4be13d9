// A picture as it came: its shapes, the boxes and edges in it, and how one of these gets a look.

import { PIXELS } from "./scales.js";

/** @import { Direction, Key, Look } from "./payload.d.ts" */
/** @import { Size } from "./scales.js" */

const NO_BOXES = ["edge", "frame"]; // kinds of parts

/**
 * A box or an edge of a picture, and the look that it has now.
 *
 * @typedef {object} Part
 * @property {SVGGElement} group
 * @property {Key} key
 * @property {string} kind
 * @property {NodeListOf<SVGTextElement>} texts
 * @property {Look | null} shown
 */
/**
 * Where a box is in a picture of scale 1, in pixels.
 *
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Box
 */
/** @typedef {{ part: Part, box: Box }} Placed a box of a picture, and where it is */
/** @typedef {{ svg: SVGSVGElement }} Drawn what is made of a picture */

/** @param {string} text */
export function readSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = /** @type {Element} */ (parsed.documentElement);
  const svg = /** @type {SVGSVGElement} */ (document.importNode(root, true));
  svg.removeAttribute("height");
  svg.removeAttribute("width");
  return svg;
}

/**
 * The boxes and edges of a picture.
 *
 * @param {SVGSVGElement} svg
 * @returns {Part[]}
 */
export function partsOf(svg) {
  const groups = /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("[data-key]"));
  return [...groups].map((group) => ({
    group,
    key: group.dataset.key ?? "",
    kind: "",
    texts: group.querySelectorAll("text"),
    shown: null,
  }));
}

/**
 * How large a picture is at scale 1, in pixels.
 *
 * @param {string} text of its SVG
 * @returns {Size}
 */
export function sizeOf(text) {
  const found = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(text) ?? ["", "1", "1"];
  const [width, height] = found.slice(1).map((points) => Number(points) * PIXELS);
  return { width, height };
}

/**
 * By how many points all shapes of a picture are moved.
 *
 * @param {SVGSVGElement} svg
 */
export function offsetOf(svg) {
  const transform = svg.querySelector("g")?.getAttribute("transform") ?? "";
  return (/translate\((\S+)[ ,](\S+)\)/.exec(transform)?.slice(1) ?? [0, 0]).map(Number);
}

/**
 * Where each box of a picture is, by its key.
 *
 * @param {SVGSVGElement} svg
 * @param {Part[]} parts
 * @returns {Map<Key, Placed>}
 */
export function boxesOf(svg, parts) {
  const [dx, dy] = offsetOf(svg);
  /** @type {Map<Key, Placed>} */
  const found = new Map();
  for (const part of parts) {
    const rect = NO_BOXES.includes(part.kind) ? null : part.group.querySelector("rect");
    if (!rect) continue;
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
    const [left, top] = [(x + dx) * PIXELS, (y + dy) * PIXELS];
    const box = { left, top, right: left + width * PIXELS, bottom: top + height * PIXELS };
    found.set(part.key, { part, box });
  }
  return found;
}

/**
 * The picture of one thing in each direction that there is; what is made of one is kept.
 *
 * @template {Drawn} Made
 * @param {Partial<Record<Direction, string>>} texts
 * @param {(text: string, direction: Direction) => Made} make
 */
export function makePictures(texts, make) {
  /** @type {Partial<Record<Direction, Made>>} */
  const made = {};
  const directions = /** @type {Direction[]} */ (Object.keys(texts));
  const sizes = /** @type {Record<Direction, Size>} */ (
    Object.fromEntries(directions.map((one) => [one, sizeOf(texts[one] ?? "")]))
  );
  /** @type {Direction} */
  let direction = directions[0];
  const now = () => (made[direction] ??= make(texts[direction] ?? "", direction));
  return {
    sizes,
    /** The one that is shown. */
    now,
    size: () => sizes[direction],
    /** @param {Direction} another */
    turn(another) {
      direction = another;
      return now();
    },
  };
}

/**
 * @template {Drawn} Made
 * @typedef {ReturnType<typeof makePictures<Made>>} Pictures
 */

/**
 * @param {Part} part
 * @param {Look} look
 */
export function showLook(part, look) {
  const [, state, changed, rows] = look;
  const kind = NO_BOXES.includes(part.kind) ? part.kind : `box ${part.kind}`;
  part.group.setAttribute("class", `${kind} ${state}${changed ? " changed" : ""}`);
  part.texts.forEach((text, row) => {
    text.textContent = rows[row] ?? "";
  });
  part.shown = look;
}

/**
 * A picture of boxes that nobody presses; what it is of, screen readers are told as a whole.
 *
 * @param {string} text
 * @param {Record<Key, string>} kinds
 * @param {Record<Key, string[]>} brief
 * @param {string} description
 */
export function makePlainDrawing(text, kinds, brief, description) {
  const svg = readSvg(text);
  svg.setAttribute("aria-label", description);
  const parts = partsOf(svg).map((part) => ({ ...part, kind: kinds[part.key] }));
  return {
    svg,
    parts,
    brief,
    /** @param {Record<Key, Look>} looks */
    show(looks) {
      for (const part of parts) if (looks[part.key]) showNumbers(part, looks[part.key]);
    },
  };
}

/**
 * As `showLook`; where it is one row of a box that changes, the rest of the page stays untouched.
 *
 * @param {Part} part
 * @param {Look} look
 */
function showNumbers(part, look) {
  const { shown, texts } = part;
  if (!shown || shown[1] !== look[1] || shown[2] !== look[2]) {
    showLook(part, look);
    return;
  }
  look[3].forEach((row, place) => {
    if (row !== shown[3][place]) texts[place].textContent = row;
  });
  part.shown = look;
}
