// The address of an exported page: which step it shows, how large, and what is in the middle.

import { element, makeButton } from "./elements.js";

/** @import { Key } from "./payload.d.ts" */

/** @typedef {{ zoom?: number | null, at?: Key | null }} Sight how large, with which box in the middle */
/** @typedef {Sight & { step?: number }} Address the step is counted from 1, as the page does */
/**
 * What a page that shows nothing else gives its stepper: its address, to follow and to write.
 *
 * @typedef {{ follow: typeof followAddress, makeLink: typeof makeLink }} AddressBar
 */

/**
 * What the part of an address after `#` says, such as `#step=4&zoom=1.5&at=n12`; the rest of it
 * is left out, and so is what makes no sense. A box is named by its key, a node by its number too.
 *
 * @param {string} hash
 * @returns {Address}
 */
export function readAddress(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const [step, zoom, at] = ["step", "zoom", "at"].map((name) => said.get(name)?.trim() ?? "");
  return {
    ...(/^[+-]?\d+$/.test(step) && { step: Number(step) }),
    ...(/^\d*\.?\d+$/.test(zoom) && Number(zoom) > 0 && { zoom: Number(zoom) }),
    ...(/^#?\d+$/.test(at) && { at: `n${Number(at.replace("#", ""))}` }),
    ...(/^[a-z]+\d+$/.test(at) && { at }),
  };
}

/**
 * @param {Address} address
 * @returns {string}
 */
export function writeAddress({ step, zoom, at }) {
  const said = [`step=${step}`];
  if (typeof zoom === "number") said.push(`zoom=${Number(zoom.toFixed(2))}`);
  if (at) said.push(`at=${at}`);
  return `#${said.join("&")}`;
}

/**
 * Follows the address of a page, now and when it changes.
 *
 * @param {(to: Address) => void} goTo
 * @returns {() => void} what ends it
 */
export function followAddress(goTo) {
  const follow = () => goTo(readAddress(location.hash));
  window.addEventListener("hashchange", follow);
  follow();
  return () => window.removeEventListener("hashchange", follow);
}

/**
 * A button that puts what is shown into the address of the page, and a copy where it can be pasted.
 *
 * @param {() => Address} now
 */
export function makeLink(now) {
  const status = element("span", { role: "status" });
  const button = makeButton("Link to this step", "put it into the address, and copy it", async () => {
    const { href } = new URL(writeAddress(now()), location.href);
    /** @type {string} */
    let told;
    try {
      history.replaceState(history.state, "", href);
      told = "The link is in the address.";
    } catch {
      told = `The link: ${href}`; // a page inside of another may have no address of its own
    }
    try {
      await navigator.clipboard.writeText(href);
      told = "The link is copied.";
    } catch {
      // not every page may
    }
    status.textContent = told;
  });
  return { button, status };
}
