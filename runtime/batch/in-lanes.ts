/**
 * Works on up to `lanes` entries at a time and starts them in order. Once an entry fails, no more entries are started; the error
 * is thrown after the entries in progress have ended.
 */
export async function inLanes<Entry>(
  entries: readonly Entry[],
  lanes: number,
  work: (entry: Entry) => Promise<void>,
): Promise<void> {
  const waiting = [...entries];
  async function lane(): Promise<void> {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      await work(entry).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}
