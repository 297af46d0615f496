import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { Epoch } from "../../records/epoch.ts";
import { type ChunkHead, isVoid, type Journal } from "../../records/requests/journal.ts";
import { requestState } from "../../records/requests/numbers.ts";
import type { KeptOutcome, Outcome, RequestStatus } from "../../schemas/request.ts";
import { INTERACTIVE_ROWS } from "../../schemas/urgency.ts";
import { sendTogether } from "../redis.ts";
import { pendingOutcomes } from "./operations.ts";

/** The state of a request and of its rows. */
export interface RequestResult {
  status: RequestStatus;
  operation: string;
  outcomes: Outcome[];
}

/** The outcomes of one chunk, as a part of its request's result. */
export interface ChunkOutcomes {
  store: string;
  number: number;
  index: number;
  chunks: number;
  operation: string;
  outcomes: readonly KeptOutcome[];
}

export interface Results {
  /**
   * Caches chunks' outcomes in Redis, unless Redis is full. Those of interactive requests are kept for `RESULT_TTL`, and those
   * of bulk requests for a short time. `read` rebuilds from the journal what Redis does not have.
   */
  cache(chunks: readonly ChunkOutcomes[]): Promise<void>;
  /** A request's result; undefined if it is unknown, void or expired. */
  read(store: string, number: number): Promise<RequestResult | undefined>;
}

interface Dependencies {
  redis: Redis;
  /** Whether Redis has no room for data that is available elsewhere. */
  isFull(): Promise<boolean>;
  journal: Journal;
  epoch: Pick<Epoch, "current">;
  now(): Date;
  /** Seconds. */
  resultTtl: number;
  onError(error: Error): void;
}

/** A result whose outcomes may refer to requests of other stores. */
type StoredResult = Omit<RequestResult, "outcomes"> & { outcomes: KeptOutcome[] };

/** Number of requests of other stores that are read at the same time. */
const MAX_CONCURRENT_READS = 100;
/** Maximum number of open chunks, with at most 1,000 rows each, whose PENDING outcomes are cached. */
const MAX_CACHED_CHUNKS = 200;
/** Covers the time for which callers poll a list that has just been applied. */
const BULK_TTL_S = 300;
/**
 * A chunk's outcomes are not cached if there are more than `MAX_CACHED_OUTCOMES`, or if their JSON is longer than
 * `MAX_CACHED_CHARACTERS`, since Redis caches only what is frequently requested.
 */
const MAX_CACHED_OUTCOMES = 2_000;
const MAX_CACHED_CHARACTERS = 2 ** 20;
/** Whether a chunk will have outcomes: it is open, or held. */
const isPending = ({ open, held }: Pick<ChunkHead, "open" | "held">): boolean => open || held === true;
/** Pattern of the keys of all cached results. */
export const RESULT_KEYS = "result:*";
/**
 * Contains the epoch, because request numbers are reused after MongoDB has been restored, and cached results of requests that
 * the restore undid must not be returned for new requests.
 */
const resultKey = (epoch: number, store: string, number: number): string => `result:${epoch}:${store}/${number}`;

export function openResults({ redis, isFull, journal, epoch, now, resultTtl, onError }: Dependencies): Results {
  const pending = new LRUCache<string, KeptOutcome[]>({ max: MAX_CACHED_CHUNKS });

  async function readCached(store: string, number: number): Promise<StoredResult | undefined> {
    try {
      const { operation, chunks, ...parts } = await redis.hgetall(resultKey(await epoch.current(), store, number));
      // JavaScript lists integer names in ascending order, regardless of the order that Redis returns.
      const cached = Object.keys(parts);
      if (operation === undefined || cached.length < Number(chunks)) return undefined;
      return { status: "COMPLETED", operation, outcomes: cached.flatMap((index) => JSON.parse(parts[index] ?? "[]")) };
    } catch (error) {
      onError(error as Error);
      return undefined;
    }
  }

  /** Caches outcomes of open chunks. Their rows never change, so a caller that polls a long request reads them once. */
  async function cachePending(chunkKeys: readonly string[]): Promise<void> {
    const unread = chunkKeys.filter((key) => !pending.has(key));
    if (unread.length === 0) return;
    const read = await journal.read(unread);
    for (const chunk of read.values()) pending.set(chunk._id, pendingOutcomes(chunk));
  }

  async function readJournaled(store: string, number: number): Promise<StoredResult | undefined> {
    const chunks = await journal.readOutcomes(store, number);
    const [first] = chunks;
    const expired = now().getTime() - resultTtl * 1000;
    if (first === undefined || chunks.some(isVoid)) return undefined;
    // The expiry of a request that was held depends on the time of its decision instead.
    if (first.hold === undefined && first.drawnAt.getTime() < expired) return undefined;
    await cachePending(chunks.filter(isPending).map(({ _id }) => _id));
    const outcomes = chunks.flatMap(({ _id, outcomes }) => outcomes ?? pending.get(_id) ?? []);
    const begun = chunks.some((chunk) => !isPending(chunk));
    const isComplete = requestState(chunks) === "settled" && !chunks.some(isPending);
    const status = isComplete ? "COMPLETED" : begun ? "IN_PROGRESS" : "PENDING";
    return { status, operation: first.operation, outcomes };
  }

  /**
   * Returns the result with the outcomes of the other stores' requests that it refers to. It is complete only when all of these
   * requests are, and undefined if one of them has expired.
   */
  async function resolveReferences(result: StoredResult): Promise<RequestResult | undefined> {
    const references = result.outcomes.filter((outcome) => "number" in outcome);
    const found = new Map<KeptOutcome, RequestResult | undefined>();
    await pLimit(MAX_CONCURRENT_READS).map(references, async (child) => {
      found.set(child, await read(child.store, child.number));
    });
    const children = [...found.values()];
    if (children.some((child) => child === undefined)) return undefined;
    const areComplete = children.every((child) => child?.status === "COMPLETED");
    return {
      ...result,
      status: areComplete || result.status !== "COMPLETED" ? result.status : "IN_PROGRESS",
      outcomes: result.outcomes.flatMap((outcome) =>
        "number" in outcome ? (found.get(outcome)?.outcomes ?? []) : [outcome],
      ),
    };
  }

  async function read(store: string, number: number): Promise<RequestResult | undefined> {
    const result = (await readCached(store, number)) ?? (await readJournaled(store, number));
    return result && resolveReferences(result);
  }

  return {
    async cache(chunks) {
      const hasRoom = await isFull().then((full) => !full, onError);
      if (!hasRoom) return;
      const present = await epoch.current().catch(onError);
      if (present === undefined) return;
      const commands = chunks.flatMap((chunk): [string, string, ...(string | number)[]][] => {
        const { store, number, index, chunks: count, operation, outcomes } = chunk;
        const key = resultKey(present, store, number);
        const isBulk = count > 1 || outcomes.length > INTERACTIVE_ROWS;
        const ttl = isBulk ? Math.min(BULK_TTL_S, resultTtl) : resultTtl;
        const text = outcomes.length > MAX_CACHED_OUTCOMES ? undefined : JSON.stringify(outcomes);
        if (text === undefined || text.length > MAX_CACHED_CHARACTERS) return [];
        const fields = ["operation", operation, "chunks", count, index, text];
        return [
          ["hset", key, ...fields],
          ["expire", key, ttl],
        ];
      });
      await sendTogether(redis, commands).catch(onError);
    },

    read,
  };
}
