// The step that is shown, a serial number that grows with each move, and the variant. Page and
// kernel each have a channel to write to, so that a late echo of an earlier move changes nothing.

const CHANNELS = ["_from_python", "_from_page"];
const SYNC_DELAY = 250; // ms of rest, or the focus gone: then the kernel is told the step

export function makeMoves(root, model, onShow) {
  let timer = null;
  let serial = -1;
  let shown = [0, ""];
  const tellKernel = () => {
    clearTimeout(timer);
    timer = null;
    model.set("_from_page", [shown[0], serial, shown[1]]);
    try {
      model.save_changes();
    } catch {
      // a kernel that is gone need not know
    }
  };
  const receive = () => {
    const [python, page] = CHANNELS.map((name) => model.get(name));
    const newest = page[1] > python[1] ? page : python; // of two with one number, as Python has it
    const same = newest[0] === shown[0] && newest[2] === shown[1];
    if (newest[1] < serial || (newest[1] === serial && same)) return;
    serial = newest[1];
    shown = [newest[0], newest[2]];
    onShow(...shown);
  };
  const leave = () => timer !== null && tellKernel();
  return {
    tellKernel,
    shown: () => shown,
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
