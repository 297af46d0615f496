import { createHash } from "node:crypto";
import type { LinkFacts } from "./decide-studio-link.ts";

/**
 * Which of the designs that may be chosen fit a label type, as one mark: it is another where a design has come to fit
 * or fits no more. The designs themselves are no inputs of a studio link: a pack may name hundreds, and each link
 * would carry them all.
 */
export function createFittingMark(designs: LinkFacts["designs"]) {
  const known = new Map<string, string>();
  /** `tree` tells the designs of a pack apart from those of another; `others` are named beside it. */
  return (tree: string, named: readonly string[], others: readonly string[], type: number): string => {
    const id = JSON.stringify([tree, others, type]);
    const mark = known.get(id) ?? markOf([...named, ...others], designs, type);
    known.set(id, mark);
    return mark;
  };
}

function markOf(ids: readonly string[], designs: LinkFacts["designs"], type: number): string {
  const fitting = ids.filter((one) => designs.get(one)?.compatible_esltype_ids.includes(type));
  const digest = createHash("sha256").update([...new Set(fitting)].sort().join("\n"));
  return `fitting designs ${digest.digest("base64url").slice(0, 16)}`;
}
