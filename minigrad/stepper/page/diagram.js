// The diagram of a stepper: each box and edge has its look at each step, and boxes can be pressed.

import { partsOf, readSvg, showLook } from "./picture.js";
import { entryAt } from "./timeline.js";
import { travel } from "./travel.js";

/** @import { Film, Group, Key, Look, View } from "./payload.d.ts" */
/** @import { Part } from "./picture.js" */

/**
 * `motion` is that of what was passed back along an edge.
 *
 * @typedef {Part & { looks: Look[], motion?: Animation | null }} FilmPart
 */
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

export const DIAGRAM = "Diagram; left and right arrow keys step, up and down go from box to box";

/**
 * The picture of a view. Its boxes can be pressed: a tensor is inspected, a sign that stands for
 * nodes outside of the view leads there.
 *
 * @param {View} view
 * @param {string} text of the picture
 * @param {(key: Key) => void} onInspect
 * @param {(key: Key) => void} onFollow
 * @param {((group: Group) => void) | null} toggle opens or folds a group, where that can be
 */
export function makeDiagram(view, text, onInspect, onFollow, toggle) {
  const svg = readSvg(text);
  svg.setAttribute("role", "group"); // of boxes that can be pressed, and no mere image
  const [{ film: first }] = Object.values(view.variants);
  const parts = partsOf(svg).map((part) => /** @type {FilmPart} */ ({ ...part, kind: first[part.key].kind, looks: [] }));
  const groups = new Map(parts.map(({ key, group }) => [key, group]));
  const boxes = boxesOf(view, groups, onInspect, onFollow, toggle);
  boxes.forEach(letPress);
  /** @type {FilmPart[]} edges of the step that is shown */
  let passedBack = [];
  /** @type {Film | null} */
  let used = null;
  const use = (/** @type {Film} */ film) => {
    if (film === used) return;
    used = film;
    for (const part of parts) {
      Object.assign(part, film[part.key]);
      writeOut(part.looks);
      part.shown = null;
    }
  };
  return {
    svg,
    parts,
    boxes,
    brief: view.brief,
    /**
     * @param {Film} film
     * @param {number} step
     * @param {string} words
     */
    show(film, step, words) {
      use(film);
      passedBack = [];
      for (const part of parts) {
        const look = entryAt(part.looks, step);
        if (!look || look === part.shown) continue;
        showLook(part, look);
        part.motion?.cancel(); // whoever steps on does not wait for it
        if (part.kind === "edge" && look[2]) passedBack.push(part);
      }
      svg.setAttribute("aria-label", words);
    },
    /** What is passed back in this step goes its way. */
    move() {
      for (const part of passedBack) part.motion = travel(part.group);
      passedBack = [];
    },
    /**
     * An attribute and no class: a look sets all classes anew.
     *
     * @param {Set<Key>} keys
     */
    light(keys) {
      for (const { key, group } of parts) group.toggleAttribute("data-lit", keys.has(key));
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
 * Up and down go from box to box, Enter and Space press one; tells whether the key did any of it.
 *
 * @param {PressBox[]} boxes
 * @param {KeyboardEvent} event
 */
export function goByKey(boxes, { key, target }) {
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
