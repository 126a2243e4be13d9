// The words for where the two sides stand, and what is told in them.

/** @import { Clause, Pair, Words } from "../stepper/page/payload.d.ts" */

/** @typedef {{ titles: Pair<string>, where: Pair<string> }} PlaceWords what the places are called */

/** @type {PlaceWords} */
export const BESIDE = { titles: ["Left", "Right"], where: ["on the left", "on the right"] };
/** @type {PlaceWords} */
export const STACKED = { titles: ["Above", "Below"], where: ["above", "below"] };

/**
 * What is told of a moment, in the words for where the two stand.
 *
 * @param {[title: string, clauses: Clause[]]} told
 * @param {Pair<string>} where
 * @returns {Words}
 */
export function verdictOn([title, clauses], where) {
  const parts = clauses.map((clause) =>
    clause.map((one) => (typeof one === "number" ? where[one] : one)).join(""),
  );
  return { title, sentence: parts.length ? `${parts.join("; ")}.` : "", formulas: [] };
}
