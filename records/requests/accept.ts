import { setImmediate } from "node:timers/promises";
import type { Db } from "mongodb";
import { UnavailableError } from "../mongodb/unavailable.ts";
import { type Caller, openCaller } from "./caller.ts";
import { type AcceptedRequest, inCommands, type JournaledChunk, numberedChunks, splitInSteps } from "./chunks.ts";
import { drawNumbers } from "./numbers.ts";
import { createGroups, createLine, type Ready } from "./request-lines.ts";
import { createRevocation } from "./revoke.ts";
import { storeChunks } from "./store-chunks.ts";

/** Thrown if the journal already has a request with this deduplication key. */
export class DuplicateRequestError extends Error {
  override readonly name = "DuplicateRequestError";
}

/** A request with its number and all of its chunks. */
interface Numbered {
  caller: Caller;
  chunks: readonly JournaledChunk[];
}

/** A large request may take `timeoutMs` for each step, and this multiple of `timeoutMs` in total. */
const MAX_STEPS = 12;

/**
 * Reserves a request's number and journals its rows; resolves once the database has journaled them.
 *
 * A request of at most 256 KiB of JSON must be confirmed within `timeoutMs`. Requests that wait in this process at the same
 * time share one reservation per store and one write. A larger request is serialised and written separately, 4 MiB at a time,
 * with `timeoutMs` for each of these steps: it does not delay other requests, and gets the time that its size requires.
 *
 * A request that is not confirmed in time is rejected and never takes effect, even if the database stores it later
 * (docs/architecture/guarantees.md#accepted-is-never-lost).
 */
export function createAcceptance(
  db: Db,
  clock: () => number,
  timeoutMs: number,
  onError: (error: Error) => void = (error) => process.emitWarning(error),
): (request: AcceptedRequest) => Promise<JournaledChunk[]> {
  const revoke = createRevocation(db, onError);

  /** Reserves numbers for requests, in order, with one command per store. If it fails, its callers are rejected. */
  async function draw(group: readonly Ready[]) {
    const stores = Map.groupBy(group, ({ split }) => split.request.store);
    const draws = [...stores].map(async ([store, group]) => {
      try {
        const { first, drawnAt } = await drawNumbers(db, store, group.length);
        return group.map((ready, index) => ({ ...ready, number: first + index, drawnAt }));
      } catch (error) {
        for (const { caller } of group) caller.reject(error as Error);
        return [];
      }
    });
    return (await Promise.all(draws)).flat();
  }

  /**
   * Reserves numbers for requests. Returns the requests whose callers are still waiting, and closes the numbers of the others.
   */
  async function numberAll(group: readonly Ready[]): Promise<(Numbered & { drawnAfter: number })[]> {
    const drawn = await draw(group.filter(({ caller }) => !refuseLate(caller)));
    const drawnAfter = clock();
    const numbered = drawn.map(({ caller, split, number, drawnAt }) => {
      const validFor = caller.deadline - drawnAfter;
      return { caller, drawnAfter, chunks: numberedChunks(split, number, drawnAt, validFor) };
    });
    return numbered.filter(({ caller, chunks }) => {
      if (!refuseLate(caller)) return true;
      revoke(chunks);
      return false;
    });
  }

  /** Stores chunks of these requests. Returns the requests that may be confirmed so far, and makes the others void. */
  async function store<T extends Numbered>(
    requests: readonly T[],
    chunks: readonly JournaledChunk[],
    onWritten?: () => void,
  ): Promise<T[]> {
    if (chunks.length === 0) return [];
    const stored = await storeChunks(db, chunks, onWritten).catch((error: Error) => error);
    return requests.filter(({ caller, chunks }) => {
      const refusal = stored instanceof Error ? stored : refusalOf(chunks, stored, caller);
      if (refusal === undefined) return true;
      caller.reject(refusal);
      revoke(chunks);
      return false;
    });
  }

  const acceptSmall = createGroups(async (group, onWritten) => {
    const numbered = await numberAll(group);
    const all = numbered.flatMap(({ chunks }) => chunks);
    for (const { caller, chunks } of await store(numbered, all, onWritten)) caller.resolve([...chunks]);
  });

  const acceptLarge = createLine(async (caller, steps, onStep) => {
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      await setImmediate();
      if (refuseLate(caller)) return;
      caller.extend();
    }
    for (const request of await numberAll([{ caller, split: step.value }])) {
      for (const command of inCommands(request.chunks)) {
        caller.extend();
        const validFor = caller.deadline - request.drawnAfter;
        const chunks = command.map((chunk) => ({ ...chunk, validFor }));
        if ((await store([request], chunks)).length === 0) return;
        onStep();
      }
      caller.resolve([...request.chunks]);
    }
  });

  return (request) => {
    const caller = openCaller(clock, timeoutMs, MAX_STEPS * timeoutMs);
    const steps = splitInSteps(request);
    const first = steps.next();
    if (first.done) acceptSmall({ caller, split: first.value });
    else acceptLarge(caller, steps);
    return caller.confirmed;
  };
}

/** Rejects a caller whose time limit has passed; returns whether the caller has a response now. */
function refuseLate(caller: Caller): boolean {
  if (caller.isWaiting()) return false;
  caller.reject(new UnavailableError("its time limit expired before its turn came"));
  return true;
}

/** Returns the reason why a request must not be confirmed, given the state of its chunks; undefined if it may be confirmed. */
function refusalOf(
  chunks: readonly JournaledChunk[],
  { duplicates, voids }: Awaited<ReturnType<typeof storeChunks>>,
  caller: Caller,
): Error | undefined {
  const [{ _id, deduplicationKey } = { _id: "", deduplicationKey: undefined }] = chunks;
  if (chunks.some((chunk) => duplicates.has(chunk._id)))
    return deduplicationKey === undefined
      ? new UnavailableError(`the number of ${_id} was closed before its rows arrived`)
      : new DuplicateRequestError(`the journal has a request of ${deduplicationKey} already`);
  if (!caller.isWaiting()) return new UnavailableError("the journal's confirmation came too late");
  if (chunks.some((chunk) => voids.has(chunk._id)))
    return new UnavailableError(`${_id} is void because of the dates that the database assigned`);
  return undefined;
}
