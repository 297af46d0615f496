import type { Db } from "mongodb";
import type { Chunk } from "../../../../records/requests/journal.ts";
import { openNumbers } from "../../../../records/requests/numbers.ts";
import { wrapped } from "../../../harness/databases/wrapped-db.ts";
import { unchecked } from "../../../harness/part-of.ts";

export const STORE = "t/demo/s/main";
export const GAP_TIMEOUT_MS = 30_000;

/** The numbers of a process, with records of its writes and of the first and last number in each read. */
export function observed(database: Db, clock: () => number = () => 0) {
  const reads: string[] = [];
  const writes: unknown[][] = [];
  const around = wrapped(database, async (_, method, given, call) => {
    if (method === "updateOne") writes.push(given.slice(0, 2));
    return call();
  });
  const note = (filter: { _id: { $in: string[] } }) => {
    const numbers = filter._id.$in.map((key) => Number(key.split("/")[5]));
    reads.push(`${numbers[0]}-${numbers.at(-1)}`);
  };
  const db = new Proxy(around, {
    get: (target, member) =>
      member === "collection"
        ? (name: string) =>
            new Proxy(target.collection(name), {
              get(collection, method) {
                const value = Reflect.get(collection, method);
                if (method !== "find") return value;
                return (...given: Parameters<typeof collection.find>) => {
                  note(unchecked(given[0]));
                  return collection.find(...given);
                };
              },
            })
        : Reflect.get(target, member),
  }) as Db;
  const numbers = openNumbers(db, clock, GAP_TIMEOUT_MS);
  return {
    writes,
    /** Returns how far all numbers are settled, with the numbers that were read. */
    async look(): Promise<[number, string]> {
      reads.length = 0;
      const through = await numbers.settledThrough(STORE);
      return [through, reads.join(" ")];
    },
    /** Returns the progress after this process has settled these chunks, with the numbers that were read. */
    async after(chunks: readonly Chunk[]): Promise<[number, string]> {
      reads.length = 0;
      const { settledThrough } = await numbers.progressAfter(STORE, chunks);
      return [settledThrough, reads.join(" ")];
    },
    isSettledBefore: (number?: number) => numbers.isSettledBefore(STORE, number),
  };
}
