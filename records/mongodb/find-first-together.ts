import { setTimeout as wait } from "node:timers/promises";
import type { Db, Document } from "mongodb";
import { aggregateTogether } from "./find-together.ts";

/** How to find the first document of a collection; without a sort, any document that matches. */
export interface FindFirst {
  collection: string;
  filter: Document;
  sort?: Readonly<Record<string, 1 | -1>>;
  /** The whole document if absent. */
  projection?: Document;
}

/** Finds the first document that matches; undefined if there is none. */
export type FirstTogether = <Found extends Document>(find: FindFirst) => Promise<Found | undefined>;

/** A process's synchronised timers fire within a few milliseconds of each other, and some renew a lease first. */
const GATHER_MS = 25;

interface Waiting {
  find: FindFirst;
  resolve(found: Document | undefined): void;
  reject(error: Error): void;
}

/**
 * Combines the queries that callers make within 25 milliseconds, on any collections, into one command. It is meant for
 * periodic work, which nearly always finds nothing. Each query must be served by an index, and each document must be at most a
 * few hundred kilobytes. If the command fails, all queries reject.
 */
export function createFirstTogether(db: Db): FirstTogether {
  let waiting: Waiting[] = [];

  async function send(): Promise<void> {
    await wait(GATHER_MS);
    const asked = waiting;
    waiting = [];
    const finds = asked.map(({ find }) => ({ collection: find.collection, stages: stagesOf(find) }));
    try {
      const found = await aggregateTogether<Document>(db, finds);
      for (const [index, { resolve }] of asked.entries()) resolve(found[index]?.[0]);
    } catch (error) {
      for (const { reject } of asked) reject(error as Error);
    }
  }

  return <Found extends Document>(find: FindFirst) => {
    const { promise, resolve, reject } = Promise.withResolvers<Document | undefined>();
    waiting.push({ find, resolve, reject });
    if (waiting.length === 1) void send();
    return promise as Promise<Found | undefined>;
  };
}

/** Does work only if a document matches. */
export const onlyIfAny =
  (firstTogether: FirstTogether, find: () => FindFirst, work: () => Promise<void>) => async (): Promise<void> => {
    if ((await firstTogether({ ...find(), projection: { _id: 1 } })) !== undefined) await work();
  };

const stagesOf = ({ filter, sort, projection }: FindFirst): Document[] => [
  { $match: filter },
  ...(sort ? [{ $sort: sort }] : []),
  { $limit: 1 },
  ...(projection ? [{ $project: projection }] : []),
];
