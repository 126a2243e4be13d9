// Where a picture is seen: all of it, or the part around a step, at any scale, with a map.

import { makeDocking } from "./docking.js";
import { goByKey } from "./diagram.js";
import { ENDLESS, element, focusedBeside, isCalm } from "./elements.js";
import { around, distanceFrom, framed, middleOf, move, offMiddle, overlap, placesNear } from "./framing.js";
import { makeMap } from "./map.js";
import { addBriefTexts } from "./overview.js";
import { boxesOf } from "./picture.js";
import { LEGIBLE, TEXT, ZOOM_STEP, bestDirection, scaleOfItself, wholeScale, zoomed } from "./scales.js";
import { letDrag, letPinch } from "./touch.js";

/** @import { Sight } from "./address.js" */
/** @import { PressBox } from "./diagram.js" */
/** @import { Direction, Key } from "./payload.d.ts" */
/** @import { Box, Part, Pictures, Placed } from "./picture.js" */
/** @import { Size } from "./scales.js" */

/**
 * What is made of a picture, to be seen here.
 *
 * @typedef {object} Drawing
 * @property {SVGSVGElement} svg
 * @property {Part[]} parts
 * @property {Record<Key, string[]>} brief
 * @property {PressBox[]} [boxes]
 * @property {(keys: Set<Key>) => void} [light]
 * @property {() => void} [move] what is passed back in a step goes its way
 */
/**
 * What a step needs: the box at its centre, its operands, and the edges between, each with the
 * operand that it comes from.
 *
 * @typedef {{ centre: Key, operands: Key[], edges: [edge: Key, source: Key][] }} Needed
 */
/**
 * How a picture is looked at: in which direction, and how large; null is the scale of itself, and
 * "whole" all of it, however small.
 *
 * @typedef {{ direction: Direction | "auto", zoom: number | "whole" | null }} Look
 */
/** @typedef {ReturnType<typeof makeViewport>} Viewport */

const AIR = 8; // px around the picture
const NATURAL = 1; // the largest scale that a picture takes by itself
const LEAST = 150; // px that a picture is high, however little room there is
const LEAST_FOR_MAP = { width: 400, height: 230 }; // px of a place with room for a map, too
const PRESENTED = 4; // … on a full screen

/**
 * @param {object} options
 * @param {string} options.label
 * @param {Look} [options.look] of an earlier one in the same place
 * @param {() => void} [options.onTurn] the picture in the other direction is there, and shows nothing
 */
export function makeViewport({ label, look = { direction: "auto", zoom: null }, onTurn = () => {} }) {
  const scroller = element("div", { class: "mg-diagram", tabindex: "0", role: "group", "aria-label": label });
  const map = makeMap((x, y, smooth) => centre(x * scale, y * scale, smooth));
  const place = element("div", { class: "mg-viewport" }, scroller, map.place);
  let { direction: choice, zoom } = look;
  let scale = 1;
  let room = ENDLESS; // px that the place may be high
  /** @type {Pictures<Drawing> | null} */
  let pictures = null;
  /** @type {Drawing | null} */
  let drawing = null;
  /** @type {Map<Key, Placed>} where the boxes of the drawing are */
  let boxes = new Map();
  /** @type {Needed | null} */
  let needed = null;
  const docking = makeDocking();

  const inner = () => ({
    width: Math.max(1, scroller.clientWidth - 2 * AIR),
    height: Math.max(1, scroller.clientHeight - 2 * AIR),
  });
  const manner = (/** @type {boolean} */ smooth) => (smooth && !isCalm() ? "smooth" : "instant");
  const largest = () => (place.closest(".mg-presenting") ? PRESENTED : NATURAL);
  /** The scale at which the picture is shown in a place if nobody has zoomed. */
  const scaleFor = (/** @type {Size} */ size, /** @type {Size} */ space) => {
    const whole = wholeScale(size, space);
    return zoom === null ? scaleOfItself(whole, largest(), space) : Math.min(whole, largest());
  };
  /** Where the view is, in the pixels of a picture of scale 1. */
  const seen = () => {
    const { width, height } = inner();
    const [left, top] = [scroller.scrollLeft / scale, scroller.scrollTop / scale];
    return { left, top, right: left + width / scale, bottom: top + height / scale };
  };
  const centre = (/** @type {number} */ x, /** @type {number} */ y, smooth = true) => {
    const { width, height } = inner();
    scroller.scrollTo({ left: x - width / 2, top: y - height / 2, behavior: manner(smooth) });
  };

  /** Chooses the direction, and how high the place wants to be. */
  const arrange = () => {
    if (!pictures || !scroller.clientWidth) return;
    const { sizes } = pictures;
    const space = { width: inner().width, height: room - 2 * AIR };
    const wanted = choice !== "auto" && choice in sizes ? choice : bestDirection(sizes, space);
    const turned = pictures.turn(wanted);
    const isNew = turned !== drawing;
    if (isNew) {
      docking.release();
      const hadFocus = scroller.contains(focusedBeside(scroller));
      drawing = turned;
      boxes = boxesOf(turned.svg, turned.parts);
      scroller.replaceChildren(turned.svg);
      if (hadFocus) scroller.focus({ preventScroll: true });
    }
    const size = pictures.size();
    const wish = size.height * scaleFor(size, space) + 2 * AIR;
    place.style.setProperty("--mg-wanted", `${Math.ceil(Math.min(room, wish))}px`);
    if (isNew) {
      onTurn();
      map.draw(size, boxes.values());
    }
    apply();
  };
  const apply = () => {
    rescale();
    follow(false);
  };
  /** Gives the picture the scale that is asked for, or that its place has room for. */
  const rescale = () => {
    if (!pictures || !drawing || !scroller.clientHeight) return;
    const size = pictures.size();
    const whole = wholeScale(size, inner());
    scale = typeof zoom === "number" ? zoom : scaleFor(size, inner());
    drawing.svg.style.width = `${size.width * scale}px`;
    drawing.svg.style.height = `${size.height * scale}px`;
    const isOverview = scale * TEXT < LEGIBLE;
    if (isOverview && !drawing.svg.querySelector(".mg-brief")) {
      addBriefTexts(drawing.svg, boxes.values(), drawing.brief);
    }
    place.classList.toggle("mg-overview", isOverview);
    const { width, height } = inner();
    const isWhole = size.width * scale <= width + 1 && size.height * scale <= height + 1;
    map.place.hidden = isWhole || width < LEAST_FOR_MAP.width || height < LEAST_FOR_MAP.height;
    smaller.ariaDisabled = String(scale <= zoomed(scale, 0, whole));
    larger.ariaDisabled = String(scale >= zoomed(scale, 100, whole));
  };
  /** Brings what the step needs into view: the view goes there, and what is far comes near. */
  const follow = (smooth = true) => {
    docking.release();
    map.paint();
    if (!drawing || !needed) return;
    const centreBox = boxes.get(needed.centre)?.box;
    if (!centreBox) return;
    const operands = needed.operands.flatMap((key) => boxes.get(key)?.box ?? []);
    const { width, height } = inner();
    const { frame, near, far } = framed(centreBox, operands, { width: width / scale, height: height / scale });
    const target = goTo(frame, smooth, far.length > 0);
    if (far.length) dock(near, far, target);
    map.show(clippedView(target));
    keepMapAside([...near, ...far], target);
  };
  /** Scrolls until a part of the picture is in view, or in its middle, and returns where to. */
  const goTo = (/** @type {Box} */ frame, smooth = true, toMiddle = false) => {
    // where boxes are brought near depends on the step alone, not on where one comes from
    const by = toMiddle ? offMiddle : move;
    const view = seen();
    const right = by([frame.left, frame.right], [view.left, view.right]) * scale;
    const down = by([frame.top, frame.bottom], [view.top, view.bottom]) * scale;
    const { scrollLeft, scrollWidth, clientWidth, scrollTop, scrollHeight, clientHeight } = scroller;
    const target = {
      left: Math.max(0, Math.min(scrollWidth - clientWidth, scrollLeft + right)),
      top: Math.max(0, Math.min(scrollHeight - clientHeight, scrollTop + down)),
    };
    if (right || down) scroller.scrollTo({ ...target, behavior: manner(smooth) });
    return target;
  };
  /** The part of the picture that is seen where the view is scrolled to. */
  const clippedView = (/** @type {{ left: number, top: number }} */ { left, top }) => {
    const [{ width, height }, size] = [inner(), pictures?.size() ?? { width: 1, height: 1 }];
    return {
      left: left / scale,
      top: top / scale,
      right: Math.min(size.width, (left + width) / scale),
      bottom: Math.min(size.height, (top + height) / scale),
    };
  };
  /**
   * @param {Box[]} near the centre is the first of them
   * @param {Box[]} far
   * @param {{ left: number, top: number }} target
   */
  const dock = (near, far, target) => {
    if (!drawing || !needed) return;
    const { parts, svg } = drawing;
    const places = placesNear(clippedView(target), near, far);
    const moves = needed.operands.flatMap((key) => {
      const placed = boxes.get(key);
      const to = placed && places[far.indexOf(placed.box)];
      return to ? [{ part: placed.part, from: placed.box, to }] : [];
    });
    const edges = moves.flatMap(({ part: operand, to }) => {
      const beside = needed?.edges.filter(([, source]) => source === operand.key) ?? [];
      return beside.flatMap(([key], number) => {
        const part = parts.find((one) => one.key === key);
        return part ? [{ part, source: to, target: near[0], place: number, count: beside.length }] : [];
      });
    });
    docking.bring(moves, edges, svg);
  };
  /** The map stands in the corner where it covers least of what the step needs. */
  const keepMapAside = (/** @type {Box[]} */ wanted, /** @type {{ left: number, top: number }} */ target) => {
    if (map.place.hidden) return;
    const { left, top, right, bottom } = clippedView(target);
    const [width, height] = [map.place.offsetWidth / scale, map.place.offsetHeight / scale];
    const corners = ["bottom right", "bottom left", "top right", "top left"];
    const covered = corners.map((name) => {
      const x = name.includes("right") ? right - width : left;
      const y = name.includes("bottom") ? bottom - height : top;
      return wanted.filter((box) => overlap({ left: x, top: y, right: x + width, bottom: y + height }, box)).length;
    });
    map.place.dataset.corner = corners[covered.indexOf(Math.min(...covered))];
  };
  const zoomBy = (/** @type {number} */ factor, x = scroller.clientWidth / 2, y = scroller.clientHeight / 2) => {
    if (!pictures) return;
    const before = scale;
    zoom = zoomed(before, factor, wholeScale(pictures.size(), inner()));
    const [left, top] = [scroller.scrollLeft + x, scroller.scrollTop + y];
    rescale();
    docking.release(); // one looks where one zooms
    scroller.scrollTo({ left: (left * scale) / before - x, top: (top * scale) / before - y, behavior: "instant" });
  };
  const fit = () => {
    zoom = zoom === "whole" ? null : "whole";
    arrange();
  };
  /** Goes to some boxes; says whether there is one of them. */
  const reveal = (/** @type {Key[]} */ keys) => {
    const found = keys.flatMap((key) => boxes.get(key)?.box ?? []);
    if (found.length) goTo(around(found));
    return found.length > 0;
  };
  const smaller = makeZoomButton("−", "Smaller", () => zoomBy(1 / ZOOM_STEP));
  const larger = makeZoomButton("+", "Larger", () => zoomBy(ZOOM_STEP));
  const fitButton = makeZoomButton("Fit", "Fit", fit);
  const bar = element("span", { class: "mg-zoom", role: "group", "aria-label": "Size" });
  bar.append(smaller, larger);
  scroller.addEventListener("scroll", () => map.show(clippedView({ left: scroller.scrollLeft, top: scroller.scrollTop })));
  scroller.addEventListener("keydown", (event) => {
    if (drawing?.boxes && goByKey(drawing.boxes, event)) event.preventDefault();
  });
  letDrag(scroller);
  letPinch(scroller, zoomBy);
  const observer = new ResizeObserver(apply);
  observer.observe(scroller);
  return {
    place,
    zoom: bar,
    fit: fitButton,
    look: () => ({ direction: choice, zoom }),
    /** @param {Pictures<Drawing>} another */
    put(another) {
      if (another === pictures) return;
      pictures = another;
      drawing = null;
      docking.release();
      arrange();
    },
    /**
     * @param {number} height px that the place may have
     */
    setRoom(height) {
      room = Math.max(LEAST, height);
      arrange();
    },
    /** @param {Direction | "auto"} wanted */
    direct(wanted) {
      choice = wanted;
      arrange();
    },
    /** @param {Needed | null} step */
    follow(step) {
      needed = step;
      follow();
      drawing?.move?.(); // once all boxes are where they are seen
    },
    reveal,
    /**
     * How large the picture is, and which box is in the middle.
     *
     * @returns {Sight}
     */
    sight() {
      const here = middleOf(seen());
      const far = (/** @type {Placed} */ { box }) => distanceFrom(here, box);
      const [nearest] = [...boxes.values()].sort((one, other) => far(one) - far(other));
      return { zoom: scale, at: nearest?.part.key ?? null };
    },
    /** @param {Sight} sight */
    goTo({ zoom: wanted, at }) {
      if (wanted && pictures) zoom = zoomed(wanted, 1, wholeScale(pictures.size(), inner()));
      rescale();
      docking.release(); // one looks elsewhere
      const found = boxes.get(at ?? "");
      if (!found) return;
      const [x, y] = middleOf(found.box);
      centre(x * scale, y * scale, false);
    },
    /**
     * Lights parts of the picture, and goes there; none of them lights nothing.
     *
     * @param {Set<Key>} keys
     */
    light(keys) {
      drawing?.light?.(keys);
      reveal([...keys]);
    },
    /** @param {Key} key */
    focus(key) {
      const box = drawing?.boxes?.find((one) => one.key === key);
      (box?.group ?? scroller).focus({ preventScroll: true });
    },
    /** @param {string} text */
    tell(text) {
      docking.release();
      pictures = null;
      drawing = null;
      boxes = new Map();
      map.place.hidden = true;
      scroller.replaceChildren(element("p", { class: "mg-message", role: "status" }, text));
    },
    stop: () => observer.disconnect(),
  };
}

/**
 * @param {string} text
 * @param {string} name
 * @param {() => void} act
 */
function makeZoomButton(text, name, act) {
  const button = element("button", { type: "button", class: "mg-button", title: name }, text);
  button.setAttribute("aria-label", name);
  button.addEventListener("click", act);
  return button;
}
