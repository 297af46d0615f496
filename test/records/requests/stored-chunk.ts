import type { Chunk } from "../../../records/requests/journal.ts";
import { chunkKey } from "../../../schemas/keys.ts";

export const DRAWN = new Date("2026-03-01T08:00:00Z");
export const afterDrawn = (ms: number): Date => new Date(DRAWN.getTime() + ms);

/** A chunk as the journal stores it: complete, valid and open, unless the test says otherwise. */
export function storedChunk(given: Partial<Chunk> & Pick<Chunk, "store" | "number">): Chunk {
  const { store, number, index = 0 } = given;
  return {
    _id: chunkKey(store, number, index),
    index,
    chunks: 1,
    operation: "patch-items",
    ordered: true,
    urgency: "bulk",
    rows: "[]",
    size: 1,
    firstRow: 0,
    drawnAt: DRAWN,
    journaledAt: afterDrawn(10),
    validFor: 3_000,
    generation: 0,
    open: true,
    ...given,
  };
}
