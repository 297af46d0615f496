import type { Chunk } from "../../records/requests/journal.ts";

type Placed = Pick<Chunk, "store" | "number" | "index">;

/** Compares chunks in the order in which their rows apply: by store, request number, and place in the request. */
export const inOrder = (one: Placed, other: Placed): number =>
  (one.store < other.store ? -1 : Number(one.store > other.store)) ||
  one.number - other.number ||
  one.index - other.index;

/** Divides chunks that are `inOrder` into runs: each chunk of a run directly follows its predecessor in the same request. */
export function consecutiveRuns<One extends Placed>(chunks: readonly One[]): One[][] {
  const runs: One[][] = [];
  for (const chunk of chunks) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    const follows = before?.store === chunk.store && before.number === chunk.number && before.index + 1 === chunk.index;
    if (last && follows) last.push(chunk);
    else runs.push([chunk]);
  }
  return runs;
}
