import { createHash } from "node:crypto";
import { fits } from "../linking/design-fault.ts";
import type { LinkFacts } from "./decide-design.ts";

/**
 * Creates digests of the designs that fit a label type. The digest changes when a design starts or ceases to fit, so a studio
 * link stores it as its input. A pack may name hundreds of designs. Without a digest, each link would have to list them.
 */
export function createFittingMark(designs: LinkFacts["designs"]) {
  const known = new Map<string, string>();
  /** `tree` identifies the pack that names `named`. `others` are designs that are named outside the pack. */
  return (tree: string, named: readonly string[], others: readonly string[], type: number): string => {
    const id = JSON.stringify([tree, others, type]);
    const mark = known.get(id) ?? markOf([...named, ...others], designs, type);
    known.set(id, mark);
    return mark;
  };
}

function markOf(ids: readonly string[], designs: LinkFacts["designs"], type: number): string {
  const fitting = ids.filter((id) => fits(designs.get(id), type));
  const digest = createHash("sha256").update([...new Set(fitting)].sort().join("\n"));
  return `fitting designs ${digest.digest("base64url").slice(0, 16)}`;
}

/**
 * Returns the mark for a link whose pack has validity periods. It changes whenever a period begins or ends in the store's
 * time zone.
 */
export const datedMark = (mark: string, since: Date, timeZone: string): string =>
  `${mark} in ${timeZone}${SINCE}${since.toISOString()}`;

const SINCE = " since ";

/** Whether a mark differs from the stored one and is not older. */
export function isLaterMark(mark: string, stored: string): boolean {
  const [[own, since = ""], [before, storedSince = ""]] = [mark.split(SINCE), stored.split(SINCE)];
  return own !== before || since > storedSince;
}

/** Returns the start time of a dated mark, in epoch milliseconds; 0 for any other mark. */
export const sinceOf = (mark: string): number => Date.parse(mark.split(SINCE)[1] ?? "") || 0;
