/**
 * Works on entries together, and where that fails in ever smaller halves, until only those that fail
 * alone are left: one poisonous entry never takes others along. An error that says "not now"
 * (`isPostponed`) is thrown on, since no entry is to blame for it.
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
