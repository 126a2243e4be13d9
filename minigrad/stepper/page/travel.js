// What a node passes back, on its way: the head that stands on the edge comes from the node.

import { isCalm } from "./elements.js";

const STOPS = 12; // straight lines that stand for the way
const DURATION = 900; // ms, less than the player waits from step to step

/** @typedef {{ x: number, y: number }} Point */

/**
 * The way against an arrow, from its end to where the head rests, as places and angles.
 *
 * @param {(distance: number) => Point} at the point of the arrow's line so far from its start
 * @param {number} length
 * @param {Point} rest
 */
export function wayBack(at, length, rest) {
  const points = Array.from({ length: STOPS + 1 }, (_, stop) => at(length * (1 - stop / STOPS)));
  const distances = points.map(({ x, y }) => Math.hypot(x - rest.x, y - rest.y));
  const nearest = distances.indexOf(Math.min(...distances));
  const way = [...points.slice(0, Math.max(1, nearest)), rest];
  let angle = 0;
  return way.map(({ x, y }, stop) => {
    const next = way[stop + 1];
    // by the shorter way: from 170° to -170° it turns by 20°
    const turned = next ? (Math.atan2(next.y - y, next.x - x) * 180) / Math.PI : angle;
    angle += ((((turned - angle + 180) % 360) + 360) % 360) - 180;
    return { x, y, angle };
  });
}

/**
 * Lets the head on an edge come from the node, once; null where nobody sees or wants it.
 *
 * @param {SVGGElement} edge
 */
export function travel(edge) {
  const head = /** @type {SVGPolygonElement?} */ (edge.querySelector(".back"));
  const line = edge.querySelector("path");
  if (!head || !line || isCalm() || !edge.getClientRects().length) return null;
  const { e: x, f: y } = head.transform.baseVal.getItem(0).matrix;
  const way = wayBack((distance) => line.getPointAtLength(distance), line.getTotalLength(), { x, y });
  return head.animate(
    way.map((one) => ({ transform: `translate(${one.x}px, ${one.y}px) rotate(${one.angle}deg)` })),
    { duration: DURATION, easing: "ease-in-out" },
  );
}
