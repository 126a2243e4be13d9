// The diagram of a stepper: its boxes can be pressed, and what is at work is brought into view.

import { element, focusedBeside } from "./elements.js";
import { scrollInto } from "./framing.js";
import { makeZoom, partsOf, readSvg, showLook } from "./picture.js";
import { entryAt } from "./timeline.js";

/** @import { Film, Group, Key, Look, View } from "./payload.d.ts" */
/** @import { Part } from "./picture.js" */

/** @typedef {Part & { looks: Look[] }} FilmPart */
/**
 * What can be pressed in a picture.
 *
 * @typedef {object} PressBox
 * @property {Key} key
 * @property {SVGGraphicsElement} group
 * @property {string} name
 * @property {() => void} press
 */
/** @typedef {ReturnType<typeof makeDiagram>} Diagram */
/** @typedef {ReturnType<typeof makeViewport>} Viewport */

/**
 * The picture of a view. Its boxes can be pressed: a tensor is inspected, a sign that stands for
 * nodes outside of the view leads there.
 *
 * @param {View} view
 * @param {(key: Key) => void} onInspect
 * @param {(key: Key) => void} onFollow
 * @param {((group: Group) => void) | null} toggle opens or folds a group, where that can be
 */
export function makeDiagram(view, onInspect, onFollow, toggle) {
  const svg = readSvg(view.svg);
  svg.setAttribute("role", "group"); // of boxes that can be pressed, and no mere image
  const parts = partsOf(svg).map((part) => /** @type {FilmPart} */ ({ ...part, looks: [] }));
  const groups = new Map(parts.map(({ key, group }) => [key, group]));
  const boxes = boxesOf(view, groups, onInspect, onFollow, toggle);
  boxes.forEach(letPress);
  return {
    svg,
    boxes,
    /** @param {Film} film */
    use(film) {
      for (const part of parts) {
        Object.assign(part, film[part.key]);
        writeOut(part.looks);
        part.shown = null;
      }
    },
    /**
     * @param {number} step
     * @param {string} words
     * @param {Key} key of the node that is at work
     */
    show(step, words, key) {
      for (const part of parts) {
        const look = entryAt(part.looks, step);
        if (look && look !== part.shown) showLook(part, look);
      }
      svg.setAttribute("aria-label", words);
      const atWork = parts.filter((part) => part.kind !== "edge" && isAtWork(part));
      bringIntoView(
        svg.parentElement,
        atWork.map(({ group }) => group),
        atWork.filter(({ shown }) => shown?.[2]).map(({ group }) => group),
        groups.get(key),
      );
    },
    /**
     * An attribute and no class: a look sets all classes anew.
     *
     * @param {Set<Key>} keys
     */
    light(keys) {
      for (const { key, group } of parts) group.toggleAttribute("data-lit", keys.has(key));
      const lit = boxes.filter(({ key }) => keys.has(key)).map(({ group }) => group);
      bringIntoView(svg.parentElement, lit, []);
    },
  };
}

/**
 * What can be pressed: the boxes of tensors, those and the titles of groups, and signs.
 *
 * @param {View} view
 * @param {Map<Key, SVGGElement>} groups
 * @param {(key: Key) => void} onInspect
 * @param {(key: Key) => void} onFollow
 * @param {((group: Group) => void) | null} toggle
 * @returns {PressBox[]}
 */
function boxesOf(view, groups, onInspect, onFollow, toggle) {
  const [{ signs, film }] = Object.values(view.variants);
  /** @type {(key: Key, name: string, press: () => void, part?: string) => PressBox[]} */
  const boxOf = (key, name, press, part) => {
    const whole = groups.get(key);
    const group = part ? whole?.querySelector(part) : whole;
    return group ? [{ key, group: /** @type {SVGGraphicsElement} */ (group), name, press }] : [];
  };
  const foldable = toggle ? view.groups : [];
  return [
    ...Object.entries(view.tensors).flatMap(([key, { name }]) =>
      boxOf(key, `Inspect ${name}`, () => onInspect(key)),
    ),
    ...foldable.flatMap((one) =>
      one.folded
        ? boxOf(one.key, `Open ${one.name}`, () => toggle?.(one))
        : boxOf(one.key, `Fold ${one.name}`, () => toggle?.(one), "text"),
    ),
    ...Object.keys(signs).flatMap((key) =>
      boxOf(key, `Go ${film[key].looks[0][3][0]}`, () => onFollow(key)),
    ),
  ];
}

/**
 * One of the boxes takes the focus by Tab, the first; the others by arrow keys.
 *
 * @param {PressBox} box
 * @param {number} place
 */
function letPress({ group, name, press }, place) {
  group.setAttribute("role", "button");
  group.setAttribute("aria-label", name);
  group.setAttribute("tabindex", place ? "-1" : "0");
  group.addEventListener("click", press);
}

/**
 * Looks are sent with null for a row that stays as it was.
 *
 * @param {Look[]} looks
 */
export function writeOut(looks) {
  /** @type {Look[3]} */
  let before = [];
  for (const look of looks) {
    look[3] = look[3].map((row, place) => row ?? before[place]);
    before = look[3];
  }
}

/**
 * Where the pictures of the views are put, one at a time, to be zoomed, dragged, and gone through
 * from box to box.
 *
 * @param {number | null} [scaleBefore]
 */
export function makeViewport(scaleBefore) {
  const place = element("div", { class: "mg-diagram", tabindex: "0", role: "group" });
  place.setAttribute(
    "aria-label",
    "Diagram; left and right arrow keys step, up and down go from box to box",
  );
  /** @type {Diagram | null} */
  let diagram = null;
  const boxOf = (/** @type {Key} */ key) => diagram?.boxes.find((one) => one.key === key);
  place.addEventListener("keydown", (event) => {
    if (diagram && goByKey(diagram.boxes, event)) event.preventDefault();
  });
  const zoom = makeZoom(place, () => diagram?.svg, scaleBefore);
  return {
    place,
    zoom: zoom.bar,
    fit: zoom.fit,
    scale: zoom.scale,
    /**
     * Scrolls to a box; says whether there is one.
     *
     * @param {Key} key
     */
    reveal(key) {
      const box = boxOf(key);
      if (box) bringIntoView(place, [box.group], [], box.group);
      return Boolean(box);
    },
    /** @param {Key} key */
    focus(key) {
      (boxOf(key)?.group ?? place).focus({ preventScroll: true });
    },
    /** @param {Set<Key>} keys */
    light(keys) {
      diagram?.light(keys);
    },
    /** @param {Diagram} another */
    put(another) {
      if (another === diagram) return;
      const hadFocus = place.contains(focusedBeside(place));
      diagram = another;
      place.replaceChildren(another.svg);
      place.style.minHeight = "";
      zoom.apply();
      if (hadFocus) place.focus({ preventScroll: true });
    },
    /** @param {string} text */
    tell(text) {
      if (diagram) place.style.minHeight = `${place.offsetHeight}px`; // nothing below moves
      diagram = null;
      place.replaceChildren(element("p", { class: "mg-message", role: "status" }, text));
    },
  };
}

/**
 * Up and down go from box to box, Enter and Space press one; tells whether the key did any of it.
 *
 * @param {PressBox[]} boxes
 * @param {KeyboardEvent} event
 */
function goByKey(boxes, { key, target }) {
  const now = boxes.findIndex(({ group }) => group === target);
  if (now < 0) return false;
  if (key === "Enter" || key === " ") {
    boxes[now].press();
    return true;
  }
  if (key !== "ArrowDown" && key !== "ArrowUp") return false;
  const towards = key === "ArrowDown" ? 1 : -1;
  const next = boxes[(now + towards + boxes.length) % boxes.length].group;
  boxes[now].group.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
  return true;
}

/**
 * Scrolls the diagram, never the page.
 *
 * @param {HTMLElement | null} place
 * @param {Element[]} atWork
 * @param {Element[]} changed
 * @param {Element} [foremost]
 */
function bringIntoView(place, atWork, changed, foremost = atWork[0]) {
  if (!place || !atWork.length) return;
  const boxOf = (/** @type {Element} */ group) => group.getBoundingClientRect();
  const frame = boxOf(place);
  const [right, down] = scrollInto(frame, atWork.map(boxOf), changed.map(boxOf), boxOf(foremost));
  place.scrollLeft += right;
  place.scrollTop += down;
}

/** @param {Part} part */
function isAtWork({ shown }) {
  if (!shown) return false;
  const [, state, changed] = shown;
  return state === "active" || state === "wasted" || changed;
}
