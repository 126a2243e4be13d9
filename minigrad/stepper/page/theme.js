// Light or dark, as the page around is.

import { element } from "./elements.js";
import { comeIntoView } from "./in_view.js";

/** @import { Model } from "./payload.d.ts" */

/**
 * @param {HTMLElement} root
 * @param {MediaQueryList} darkMedia what the system prefers
 */
function isDark(root, darkMedia) {
  const { mgTheme } = /** @type {HTMLElement?} */ (root.closest("[data-mg-theme]"))?.dataset ?? {};
  if (mgTheme) return mgTheme === "dark"; // an exported page has one theme
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  if (vscodeThemeKind) return vscodeThemeKind.includes("dark");
  return darkMedia.matches;
}

/** @param {HTMLElement} root */
function followTheme(root) {
  const darkMedia = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => root.classList.toggle("mg-dark", isDark(root, darkMedia));
  const observer = new MutationObserver(apply);
  observer.observe(document.body, { attributes: true });
  darkMedia.addEventListener("change", apply);
  apply();
  return () => {
    observer.disconnect();
    darkMedia.removeEventListener("change", apply);
  };
}

/**
 * What a widget is shown by; `bind` fills its place, and returns what cleans up.
 *
 * @param {(root: HTMLElement, model: Model) => () => void} bind
 */
export function renderedBy(bind) {
  /** @param {{ model: Model, el: HTMLElement }} place */
  return ({ model, el }) => {
    // from left to right, also in a page that is not: so are formulas, and arrows go that way
    const root = element("div", { class: "minigrad", dir: "ltr" });
    el.append(root);
    const stopFollowing = followTheme(root);
    const cleanUp = bind(root, model);
    const stopComing = comeIntoView(root);
    return () => {
      stopComing();
      cleanUp();
      stopFollowing();
      root.remove();
    };
  };
}
