// Boxes that a step needs and that stand far from it are brought near for as long as it is shown,
// each with its edge; then they go back to where they belong.

import { ENDLESS } from "./elements.js";
import { middleOf } from "./framing.js";
import { offsetOf } from "./picture.js";
import { PIXELS } from "./scales.js";

/** @import { Point } from "./framing.js" */
/** @import { Box, Part } from "./picture.js" */

const HEAD = 9; // points of an arrow's head
const WHERE_BACK = 0.3; // of an edge, as in curves.py
const APART = 16; // points between two edges of one operand

/**
 * Something that is moved: which box, from where, to where.
 *
 * @typedef {{ part: Part, from: Box, to: Box }} Move
 */

/**
 * The point where the line from the middle of a box towards another point leaves the box.
 *
 * @param {Box} box
 * @param {Point} towards
 * @returns {Point}
 */
export function borderPoint(box, [x, y]) {
  const { left, right, top, bottom } = box;
  const [cx, cy] = middleOf(box);
  const [dx, dy] = [x - cx, y - cy];
  const part = Math.min(
    dx ? (right - left) / 2 / Math.abs(dx) : ENDLESS,
    dy ? (bottom - top) / 2 / Math.abs(dy) : ENDLESS,
  );
  return Number.isFinite(part) ? [cx + dx * part, cy + dy * part] : [cx, cy];
}

/**
 * Where the straight edge from a box to another begins and ends; several stand side by side.
 *
 * @param {Box} source
 * @param {Box} target
 * @param {number} place of the edge among those between the two
 * @param {number} count
 * @returns {[start: Point, end: Point]}
 */
export function edgeBetween(source, target, place = 0, count = 1) {
  const start = borderPoint(source, middleOf(target));
  const end = borderPoint(target, middleOf(source));
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1;
  const aside = (place - (count - 1) / 2) * APART;
  const across = [(-(end[1] - start[1]) / length) * aside, ((end[0] - start[0]) / length) * aside];
  const moved = (/** @type {Point} */ [x, y]) => /** @type {Point} */ ([x + across[0], y + across[1]]);
  return [moved(start), moved(end)];
}

/**
 * The corners of an arrow's head at the end of a line: the tip, then the two others.
 *
 * @param {Point} start
 * @param {Point} end
 * @returns {Point[]}
 */
export function headOf([x0, y0], [x1, y1]) {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [along, across] = [((x1 - x0) / length) * HEAD, ((y1 - y0) / length) * HEAD];
  const [x, y] = [x1 - along, y1 - across];
  return [[x1, y1], [x - across / 2.4, y + along / 2.4], [x + across / 2.4, y - along / 2.4]];
}

/**
 * What writes a place in a picture as its shapes do.
 *
 * @param {SVGSVGElement} svg
 * @returns {(box: Box) => Box}
 */
function pointsOf(svg) {
  const [dx, dy] = offsetOf(svg);
  return ({ left, right, top, bottom }) => ({
    left: left / PIXELS - dx,
    right: right / PIXELS - dx,
    top: top / PIXELS - dy,
    bottom: bottom / PIXELS - dy,
  });
}

/** @param {Point[]} points */
const written = (points) => points.map((point) => point.map((one) => one.toFixed(1)).join(",")).join(" ");

/** Remembers what is changed, so that all of it can be put back. */
export function makeDocking() {
  /** @type {(() => void)[]} */
  let undo = [];
  const set = (/** @type {Element} */ one, /** @type {string} */ name, /** @type {string} */ value) => {
    const before = one.getAttribute(name);
    undo.push(() => (before === null ? one.removeAttribute(name) : one.setAttribute(name, before)));
    one.setAttribute(name, value);
  };
  const raise = (/** @type {SVGGElement} */ group) => {
    const { parentNode, nextSibling } = group;
    if (!parentNode || !nextSibling || group.matches(":focus")) return; // which a move would lose
    undo.push(() => parentNode.insertBefore(group, nextSibling));
    parentNode.append(group);
  };
  return {
    /**
     * @param {Move[]} moves
     * @param {{ part: Part, source: Box, target: Box, place: number, count: number }[]} edges
     * @param {SVGSVGElement} svg
     */
    bring(moves, edges, svg) {
      const inPoints = pointsOf(svg);
      for (const { part, source, target, place, count } of edges) {
        const [start, end] = edgeBetween(inPoints(source), inPoints(target), place, count);
        redraw(part, start, end, set);
        raise(part.group);
      }
      for (const { part, from, to } of moves) {
        const [dx, dy] = [(to.left - from.left) / PIXELS, (to.top - from.top) / PIXELS];
        set(part.group, "transform", `translate(${dx.toFixed(1)} ${dy.toFixed(1)})`);
        set(part.group, "data-near", "");
        raise(part.group);
      }
    },
    release() {
      for (const one of undo.reverse()) one();
      undo = [];
    },
  };
}

/**
 * @param {Part} part an edge
 * @param {Point} start
 * @param {Point} end
 * @param {(one: Element, name: string, value: string) => void} set
 */
function redraw({ group, texts }, start, end, set) {
  const head = headOf(start, end);
  const path = group.querySelector("path");
  const polygon = group.querySelector("polygon");
  const [, [x1, y1], [x2, y2]] = head; // the line ends where its head begins
  if (path) set(path, "d", `M${written([start])} L${written([[(x1 + x2) / 2, (y1 + y2) / 2]])}`);
  if (polygon) set(polygon, "points", written([...head, head[0]]));
  const passedBack = group.querySelector(".back");
  const [x, y] = [0, 1].map((axis) => start[axis] + (end[axis] - start[axis]) * WHERE_BACK);
  const angle = (Math.atan2(start[1] - end[1], start[0] - end[0]) * 180) / Math.PI;
  if (passedBack) set(passedBack, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${angle.toFixed(0)})`);
  const rows = [...texts];
  const heights = rows.map((row) => Number(row.getAttribute("y")));
  const middle = (Math.min(...heights) + Math.max(...heights)) / 2;
  for (const row of rows) {
    const [x, y] = [Number(row.getAttribute("x")), middle];
    const [dx, dy] = [(start[0] + end[0]) / 2 - x, (start[1] + end[1]) / 2 - y];
    set(row, "transform", `translate(${dx.toFixed(1)} ${(dy + 4).toFixed(1)})`);
  }
}
