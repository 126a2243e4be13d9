// The step that is shown, a serial number that grows with each move, and the variant. Page and
// kernel each have a channel to write to, so that a late echo of an earlier move changes nothing.

/** @import { Model, Place, VariantName } from "./payload.d.ts" */

const CHANNELS = ["_from_python", "_from_page"];
const SYNC_DELAY = 250; // ms of rest, or the focus gone: then the kernel is told the step

/**
 * The newer of two places; of two with one number, Python's.
 *
 * @param {Place} python
 * @param {Place} page
 */
export function newest(python, page) {
  return page[1] > python[1] ? page : python;
}

/**
 * @param {HTMLElement} root
 * @param {Model} model
 * @param {(step: number, variant: VariantName) => void} onShow
 */
export function makeStepSync(root, model, onShow) {
  /** @type {number | undefined} */
  let timer;
  let serial = -1;
  /** @type {[step: number, variant: VariantName]} */
  let shown = [0, ""];
  const tellKernel = () => {
    clearTimeout(timer);
    timer = undefined;
    model.set("_from_page", [shown[0], serial, shown[1]]);
    try {
      model.save_changes();
    } catch {
      // a kernel that is gone need not know
    }
  };
  const receive = () => {
    const [python, page] = CHANNELS.map((name) => /** @type {Place} */ (model.get(name)));
    const [step, number, variant] = newest(python, page);
    const same = step === shown[0] && variant === shown[1];
    if (number < serial || (number === serial && same)) return;
    serial = number;
    shown = [step, variant];
    onShow(step, variant);
  };
  const leave = () => {
    if (timer !== undefined) tellKernel();
  };
  return {
    tellKernel,
    shown: () => shown,
    /**
     * @param {number} step
     * @param {VariantName} variant
     */
    move(step, variant) {
      model.set("_from_page", [step, serial + 1, variant]); // shows it in every view of this model
      clearTimeout(timer);
      timer = setTimeout(tellKernel, SYNC_DELAY);
    },
    start() {
      for (const name of CHANNELS) model.on(`change:${name}`, receive);
      root.addEventListener("focusout", leave);
      receive();
    },
    stop() {
      leave();
      root.removeEventListener("focusout", leave);
      for (const name of CHANNELS) model.off(`change:${name}`, receive);
    },
  };
}
