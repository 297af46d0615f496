import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { isVoid, type Journal, outcomesOf } from "../../records/requests/journal.ts";
import { requestState } from "../../records/requests/numbers.ts";
import type { KeptOutcome, Outcome, RequestStatus } from "../../schemas/request.ts";
import { pendingOutcomes } from "./operations.ts";

/** What is known of a request. */
export interface RequestResult {
  status: RequestStatus;
  operation: string;
  outcomes: Outcome[];
}

/** One chunk's outcomes, for its part of a request's result. */
export interface ChunkOutcomes {
  store: string;
  number: number;
  index: number;
  chunks: number;
  operation: string;
  outcomes: readonly KeptOutcome[];
}

export interface Results {
  /** Keeps chunks' outcomes in Redis for `RESULT_TTL`. What Redis does not take is made from the journal when it is asked for. */
  keep(chunks: readonly ChunkOutcomes[]): Promise<void>;
  /** A request's result; undefined where there is none, or none any more. */
  read(store: string, number: number): Promise<RequestResult | undefined>;
}

interface Dependencies {
  redis: Redis;
  journal: Journal;
  now(): Date;
  /** Seconds. */
  resultTtl: number;
  onError(error: Error): void;
}

/** A result with outcomes that may stand elsewhere. */
type KeptResult = Omit<RequestResult, "outcomes"> & { outcomes: KeptOutcome[] };

/** How many requests of other stores are asked about at once. */
const MAX_CONCURRENT_READS = 100;
/** Chunks of at most 1,000 rows that are kept as PENDING rows. */
const WAITING_CHUNKS = 200;
const resultKey = (store: string, number: number): string => `result:${store}/${number}`;

export function openResults({ redis, journal, now, resultTtl, onError }: Dependencies): Results {
  const waiting = new LRUCache<string, KeptOutcome[]>({ max: WAITING_CHUNKS });

  async function readKept(store: string, number: number): Promise<KeptResult | undefined> {
    try {
      const { operation, chunks, ...parts } = await redis.hgetall(resultKey(store, number));
      const kept = Object.keys(parts).sort((a, b) => Number(a) - Number(b));
      if (operation === undefined || kept.length < Number(chunks)) return undefined;
      return { status: "COMPLETED", operation, outcomes: kept.flatMap((index) => JSON.parse(parts[index] ?? "[]")) };
    } catch (error) {
      onError(error as Error);
      return undefined;
    }
  }

  /** Rows never change: who asks again and again for a long list has it read once. */
  async function readWaiting(chunkKeys: readonly string[]): Promise<void> {
    const unread = chunkKeys.filter((key) => !waiting.has(key));
    if (unread.length === 0) return;
    const read = await journal.read(unread);
    for (const chunk of read.values()) waiting.set(chunk._id, outcomesOf(chunk) ?? pendingOutcomes(chunk));
  }

  async function readJournaled(store: string, number: number): Promise<KeptResult | undefined> {
    const chunks = await journal.readOutcomes(store, number);
    const [first] = chunks;
    const expired = now().getTime() - resultTtl * 1000;
    if (first === undefined || chunks.some(isVoid) || first.drawnAt.getTime() < expired) return undefined;
    await readWaiting(chunks.filter(({ open }) => open).map(({ _id }) => _id));
    const outcomes = chunks.flatMap((chunk) => outcomesOf(chunk) ?? waiting.get(chunk._id) ?? []);
    const begun = chunks.some(({ open }) => !open);
    const status = requestState(chunks) === "settled" ? "COMPLETED" : begun ? "IN_PROGRESS" : "PENDING";
    return { status, operation: first.operation, outcomes };
  }

  /**
   * With the outcomes that stand elsewhere put in. A request is complete only when those that other stores apply for
   * it are; where one has expired, so has the whole.
   */
  async function withOutcomesElsewhere(result: KeptResult): Promise<RequestResult | undefined> {
    const elsewhere = result.outcomes.filter((outcome) => "number" in outcome);
    const found = new Map<KeptOutcome, RequestResult | undefined>();
    for (let from = 0; from < elsewhere.length; from += MAX_CONCURRENT_READS) {
      const part = elsewhere.slice(from, from + MAX_CONCURRENT_READS);
      await Promise.all(part.map(async (one) => found.set(one, await read(one.store, one.number))));
    }
    const others = [...found.values()];
    if (others.some((other) => other === undefined)) return undefined;
    const isOver = others.every((other) => other?.status === "COMPLETED");
    return {
      ...result,
      status: isOver || result.status !== "COMPLETED" ? result.status : "IN_PROGRESS",
      outcomes: result.outcomes.flatMap((one) => ("number" in one ? (found.get(one)?.outcomes ?? []) : [one])),
    };
  }

  async function read(store: string, number: number): Promise<RequestResult | undefined> {
    const result = (await readKept(store, number)) ?? (await readJournaled(store, number));
    return result && withOutcomesElsewhere(result);
  }

  return {
    async keep(chunks) {
      const pipeline = redis.pipeline();
      for (const { store, number, index, chunks: count, operation, outcomes } of chunks) {
        const key = resultKey(store, number);
        pipeline.hset(key, { operation, chunks: count, [index]: JSON.stringify(outcomes) }).expire(key, resultTtl);
      }
      await pipeline.exec().catch(onError);
    },

    read,
  };
}
