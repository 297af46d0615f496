/**
 * Processes entries as one batch and halves a batch that fails, until each faulty entry has failed on its own: a faulty entry
 * never makes others fail. Returns the faulty entries with their errors. An error that means "not now" (`isPostponed`) is
 * rethrown, since no entry caused it.
 */
export async function bisect<Entry>(
  entries: readonly Entry[],
  work: (entries: Entry[]) => Promise<void>,
  isPostponed: (error: unknown) => boolean,
): Promise<{ entry: Entry; error: Error }[]> {
  if (entries.length === 0) return [];
  try {
    await work([...entries]);
    return [];
  } catch (error) {
    if (isPostponed(error)) throw error;
    const [only] = entries;
    if (entries.length === 1 && only !== undefined) return [{ entry: only, error: error as Error }];
    const middle = Math.ceil(entries.length / 2);
    return [
      ...(await bisect(entries.slice(0, middle), work, isPostponed)),
      ...(await bisect(entries.slice(middle), work, isPostponed)),
    ];
  }
}
