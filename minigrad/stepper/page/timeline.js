// Values from a step on, as Python sends them.

/** @import { Timeline } from "./payload.d.ts" */

/**
 * The last entry that has begun at a step; entries are `[first step, …]`, in order.
 *
 * @template {[start: number, ...rest: unknown[]]} Entry
 * @param {Entry[]} entries
 * @param {number} step
 * @returns {Entry | null}
 */
export function entryAt(entries, step) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle][0] <= step) low = middle + 1;
    else high = middle;
  }
  return low ? entries[low - 1] : null;
}

/**
 * The value at a step, or null where none has begun.
 *
 * @template Value
 * @param {Timeline<Value>} timeline
 * @param {number} step
 * @returns {Value | null}
 */
export function valueAt(timeline, step) {
  return entryAt(timeline, step)?.[1] ?? null;
}
