// Which steps are shown together, and where in the graph a step is.

/**
 * The steps that are shown together with one, the first and the last: all in a folded group.
 *
 * @param {number[] | null} stops the first of each; null if each step is shown by itself
 * @param {number} length how many steps there are
 * @param {number} step
 * @returns {[first: number, last: number]}
 */
export function shownTogether(stops, length, step) {
  if (!stops) return [step, step];
  const place = stops.findLastIndex((stop) => stop <= step);
  return [stops[place], (stops[place + 1] ?? length) - 1];
}

/**
 * The node that a step is about, and whether it records it. The seed comes before the last node is
 * visited: it stands behind all of them.
 *
 * @param {(number | null)[]} visits of each node, the step that visits it first
 * @param {number} step
 */
export function nodeAt(visits, step) {
  if (step < visits.length) return { isRecording: true, position: step };
  let position = visits.length;
  let latest = 0;
  visits.forEach((visit, one) => {
    if (visit !== null && visit <= step && visit > latest) [position, latest] = [one, visit];
  });
  return { isRecording: false, position };
}
