/**
 * Puts the entries that arrive while a batch runs into the next batch, so that a thousand small jobs cost
 * one read and one write. One batch runs at a time; the promise of an entry settles with its batch.
 */
export function createBatcher<Entry, Result>(options: {
  /** Handles a batch; gives one result for each entry, in their order. */
  run(entries: readonly Entry[]): Promise<readonly Result[]>;
  /** The weight of an entry, such as the number of its keys. */
  weigh(entry: Entry): number;
  /** Maximum weight of a batch; an entry that is heavier is a batch of its own. */
  maxWeight: number;
}): (entry: Entry) => Promise<Result> {
  const { run, weigh, maxWeight } = options;
  let waiting: { entry: Entry; resolve(result: Result): void; reject(error: unknown): void }[] = [];
  let running = false;

  function takeBatch(): typeof waiting {
    let weight = 0;
    const end = waiting.findIndex(({ entry }, index) => {
      const full = index > 0 && weight + weigh(entry) > maxWeight;
      weight += weigh(entry);
      return full;
    });
    const batch = end < 0 ? waiting : waiting.slice(0, end);
    waiting = end < 0 ? [] : waiting.slice(end);
    return batch;
  }

  async function work(): Promise<void> {
    if (running) return;
    running = true;
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const results = await run(batch.map(({ entry }) => entry));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

  return (entry) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject });
      void work();
    });
}
