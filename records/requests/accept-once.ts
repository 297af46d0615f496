import type { Db } from "mongodb";
import { chunkKey } from "../../schemas/keys.ts";
import { UnavailableError } from "../client.ts";
import { type AcceptedRequest, DuplicateRequestError, type JournaledChunk } from "./accept.ts";
import { type Chunk, journalCollection } from "./journal.ts";
import { requestState } from "./numbers.ts";

/** A call that must not happen twice, however often it is run. */
export interface Run {
  /** Names it in the journal. */
  readonly name: string;
  /** How many requests it has put into the journal so far: a repetition meets them in the same order. */
  requests: number;
  /** Whether the journal may hold some of an earlier run. */
  readonly isRepeated: boolean;
  /** Set where it does. */
  isFound: boolean;
}

/** A request that is not whole in the journal after this long never will be. */
const PARTIAL_TTL_MS = 60_000;

/**
 * Accepts requests, those of a run once: each chunk carries the run's name and its place there, and the journal takes
 * no two chunks of one name. So a process that was killed behind the journal, one that only stalls, and one that runs
 * the call again in its place end with the same request, whoever was first.
 *
 * What an earlier attempt left without effect (void: its caller was refused) is followed by the next attempt, under
 * the next name.
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
    let mayBeThere = run.isRepeated;
    for (let attempt = 0; ; ) {
      const deduplicationKey = `${name}.${attempt}`;
      const earlier = mayBeThere ? await findEarlier(db, deduplicationKey, now) : undefined;
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
        mayBeThere = true;
      }
    }
  };
}

/** The chunks of an attempt that will happen; undefined where there was none. */
async function findEarlier(db: Db, deduplicationKey: string, now: () => Date): Promise<Chunk[] | "void" | undefined> {
  const journal = journalCollection(db);
  // Also what a majority does not have yet: it stands in the way of the same name, so it must be seen.
  const local = { readConcern: { level: "local" } } as const;
  const first = await journal.findOne({ deduplicationKey: `${deduplicationKey}/0` }, local);
  if (first === null) return undefined;
  const keys = Array.from({ length: first.chunks }, (_, index) => chunkKey(first.store, first.number, index));
  // A process that refused the first call may be about to make its chunks void: what is kept, it may not any more.
  await journal.updateMany({ _id: { $in: keys }, validFor: { $gte: 0 } }, { $set: { kept: true } });
  const chunks = (await journal.find({ _id: { $in: keys } }, local).toArray()).sort((a, b) => a.index - b.index);
  const state = requestState(chunks);
  if (state === "partial" && now().getTime() - first.journaledAt.getTime() < PARTIAL_TTL_MS)
    throw new UnavailableError("the journal does not have the whole request yet");
  return state === "void" || state === "partial" ? "void" : chunks;
}
