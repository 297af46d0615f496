import { AsyncLocalStorage } from "node:async_hooks";
import { createTurns } from "./turns.ts";

interface Options<Entry, Result> {
  /** Processes a batch; returns one result per entry, in the order of the entries. */
  run(entries: readonly Entry[]): Promise<readonly Result[]>;
  /** The weight of an entry, such as the number of its keys. */
  weigh(entry: Entry): number;
  /** Maximum weight of a batch; a heavier entry is a separate batch. */
  maxWeight: number;
  /** The owners that take turns, highest level first; if absent, entries are processed in order of arrival. */
  ownersOf?(entry: Entry): readonly string[];
  /** Once the signal is aborted, waiting and new entries receive `result` immediately. */
  closing?: { signal: AbortSignal; result: Result };
}

/**
 * Collects the entries that arrive while a batch is running, and runs them as the next batch, so that a thousand small jobs
 * cost one read and one write. One batch runs at a time; the promise of an entry settles with its batch.
 */
export function createBatcher<Entry, Result>(options: Options<Entry, Result>): (entry: Entry) => Promise<Result> {
  const add = createGroupBatcher(options);
  return (entry) => add([entry])[0] as Promise<Result>;
}

/** Like `createBatcher`, for entries that arrive together: no batch starts before all of them are waiting. */
export function createGroupBatcher<Entry, Result>({
  run,
  weigh,
  maxWeight,
  ownersOf = () => [],
  closing,
}: Options<Entry, Result>): (entries: readonly Entry[]) => Promise<Result>[] {
  interface Waiting {
    entry: Entry;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  // A batch belongs to all its entries: it runs in the context of this call, not in the context of the entry that started it.
  const inOwnContext = AsyncLocalStorage.snapshot();
  const waiting = createTurns<Waiting>(({ entry }) => ownersOf(entry));
  let running = false;

  function takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    let weight = 0;
    for (let next = waiting.peek(); next !== undefined; next = waiting.peek()) {
      weight += weigh(next.entry);
      if (batch.length > 0 && weight > maxWeight) break;
      batch.push(next);
      waiting.take();
    }
    return batch;
  }

  async function work(): Promise<void> {
    if (running) return;
    running = true;
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      try {
        const results = await run(batch.map(({ entry }) => entry));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

  function giveBack({ result }: { result: Result }): void {
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) next.resolve(result);
  }
  closing?.signal.addEventListener("abort", () => giveBack(closing));

  return (entries) => {
    const promises = entries.map(
      (entry) => new Promise<Result>((resolve, reject) => waiting.add({ entry, resolve, reject })),
    );
    if (closing?.signal.aborted) giveBack(closing);
    else void inOwnContext(work);
    return promises;
  };
}
