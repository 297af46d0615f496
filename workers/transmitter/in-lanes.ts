/** Works on all entries, so many at a time. */
export async function inLanes<Entry, Result>(
  entries: readonly Entry[],
  jobHandlers: number,
  work: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = entries.values();
  await Promise.all(
    Array.from({ length: Math.min(jobHandlers, entries.length) }, async () => {
      // One lane takes the next entry when its last is done: that is what bounds the calls at once.
      for (const entry of queue) results.push(await work(entry));
    }),
  );
  return results;
}
