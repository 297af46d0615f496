import type { Db } from "mongodb";
import { chunkKey } from "../../schemas/keys.ts";
import { UnavailableError } from "../mongodb/unavailable.ts";
import { DuplicateRequestError } from "./accept.ts";
import type { AcceptedRequest, JournaledChunk } from "./chunks.ts";
import { type Chunk, journalCollection } from "./journal.ts";
import { PARTIAL_TTL_MS, requestState } from "./numbers.ts";

/** A run of work that must take effect only once: a call with an Idempotency-Key, or a campaign's step in a store. */
export interface Run {
  /** Prefix of the deduplication keys of its requests; the same for each run of this work. */
  readonly name: string;
  /** How many requests this run has accepted so far. Each run accepts the same requests in the same order. */
  requests: number;
  /** Whether the journal may contain requests from an earlier run. */
  readonly isRepeated: boolean;
  /** Set when a request of an earlier run is found. */
  isFound: boolean;
}

/**
 * Accepts requests. A run's requests are accepted only once: each chunk has a deduplication key made of the run's name, the
 * request's index in the run, the attempt and the chunk's index, and the journal has a unique index on these keys. So all runs of
 * this work result in the same request, even if one run was killed after the write and another runs in parallel.
 *
 * A void request, whose caller was rejected, is followed by the next attempt, which has other deduplication keys.
 */
export function createAcceptOnce(
  db: Db,
  accept: (request: AcceptedRequest) => Promise<JournaledChunk[]>,
  currentRun: () => Run | undefined,
  now: () => Date,
): (request: AcceptedRequest) => Promise<JournaledChunk[]> {
  return async (request) => {
    const run = currentRun();
    if (run === undefined) return accept(request);
    const name = `${run.name}.${run.requests}`;
    run.requests += 1;
    let mayExist = run.isRepeated;
    for (let attempt = 0; ; ) {
      const deduplicationKey = `${name}.${attempt}`;
      const earlier = mayExist ? await findEarlier(db, deduplicationKey, now) : undefined;
      if (earlier === "void") {
        attempt += 1;
        continue;
      }
      if (earlier !== undefined) {
        run.isFound = true;
        return earlier;
      }
      try {
        return await accept({ ...request, deduplicationKey });
      } catch (error) {
        if (!(error instanceof DuplicateRequestError)) throw error;
        mayExist = true;
      }
    }
  };
}

/** Returns the chunks of an attempt in the journal; "void" if the attempt has no effect, undefined if it is missing. */
async function findEarlier(db: Db, deduplicationKey: string, now: () => Date): Promise<Chunk[] | "void" | undefined> {
  const journal = journalCollection(db);
  // Read concern "local", since a chunk blocks its deduplication key even before a majority has it.
  const local = { readConcern: { level: "local" } } as const;
  const first = await journal.findOne({ deduplicationKey: `${deduplicationKey}/0` }, local);
  if (first === null) return undefined;
  const keys = Array.from({ length: first.chunks }, (_, index) => chunkKey(first.store, first.number, index));
  // A process that rejected the first call may be about to revoke its chunks: chunks marked `kept` are not revoked.
  await journal.updateMany({ _id: { $in: keys }, validFor: { $gte: 0 } }, { $set: { kept: true } });
  const chunks = (await journal.find({ _id: { $in: keys } }, local).toArray()).sort((a, b) => a.index - b.index);
  const state = requestState(chunks);
  if (state === "partial" && now().getTime() - first.journaledAt.getTime() < PARTIAL_TTL_MS)
    throw new UnavailableError("the journal does not have the whole request yet");
  return state === "void" || state === "partial" ? "void" : chunks;
}
