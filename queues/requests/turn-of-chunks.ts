import type { Chunk, ChunkHead, Journal } from "../../records/requests/journal.ts";
import { type Numbers, PARTIAL_TTL_MS, requestState } from "../../records/requests/numbers.ts";
import type { SettledChunk } from "./settle-chunks.ts";

interface Dependencies {
  journal: Pick<Journal, "readRequest">;
  settle(chunks: readonly SettledChunk[]): Promise<void>;
  now(): Date;
}

/** Whether all smaller numbers of the store, and all earlier chunks of the request, are applied. */
export const createIsNext =
  ({ journal, numbers }: Pick<Dependencies, "journal"> & { numbers: Pick<Numbers, "settledThrough"> }) =>
  async (chunk: Chunk): Promise<boolean> => {
    if ((await numbers.settledThrough(chunk.store)) < chunk.number - 1) return false;
    const request = await journal.readRequest(chunk.store, chunk.number);
    return request.every(({ index, open }) => index >= chunk.index || !open);
  };

/**
 * Returns the chunks of requests that are whole in the journal. Requests that are void, or have been incomplete for too long,
 * are closed without effect.
 */
export const createFindWhole =
  ({ journal, settle, now }: Dependencies) =>
  async (chunks: readonly Chunk[]): Promise<{ whole: Chunk[]; closed: Chunk[] }> => {
    const whole: Chunk[] = [];
    const closed: Chunk[] = [];
    for (const group of Map.groupBy(chunks, ({ store, number }) => `${store}/${number}`).values()) {
      const [first] = group;
      if (first === undefined) continue;
      const request = first.chunks === 1 ? group : await journal.readRequest(first.store, first.number);
      const state = requestState(request);
      if (state === "open") whole.push(...group);
      if (state !== "void" && !(state === "partial" && isLost(group, now()))) continue;
      // All of the request's chunks are closed, since those without a job would otherwise stay open.
      const open = [...new Map([...group, ...request].map((chunk) => [chunk._id, chunk])).values()];
      await settle(open.filter((chunk) => chunk.open).map((chunk) => ({ chunk, outcomes: [] })));
      closed.push(...group);
    }
    return { whole, closed };
  };

/**
 * Whether the chunks of an incomplete request were journaled so long ago that the missing chunks would be void on arrival.
 * `journaledAt` is by the database's clock, `at` by this process's clock.
 */
const isLost = (chunks: readonly ChunkHead[], at: Date): boolean =>
  chunks.every(({ journaledAt }) => at.getTime() - journaledAt.getTime() > PARTIAL_TTL_MS);
