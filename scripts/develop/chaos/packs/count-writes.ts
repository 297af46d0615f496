import { setTimeout } from "node:timers/promises";
import type { Redis } from "ioredis";
import { keepStream, lastEntryOf, readStream } from "../../../../queues/publish/streams.ts";
import type { Change } from "../../../../schemas/topics.ts";

const POLL_INTERVAL_MS = 20;

/** Counts writes from now on by their revs in a stream, each once, however often it is published. */
export async function countWrites(reader: Redis, stream: string): Promise<{ soFar(): number; end(): Promise<void> }> {
  // Changes are only published to streams that are kept.
  await keepStream(reader, stream);
  const began = Date.now();
  const revs = new Set<string>();
  let last = await lastEntryOf(reader, stream);
  let ending = false;
  // A stream keeps only its newest entries, so it is read continuously.
  const read = async () => {
    for (;;) {
      const entries = await readStream(reader, stream, last);
      // A rev is the time of its write. Earlier writes are not counted, because they may be published again.
      for (const { key, rev } of entries.flatMap(({ content }) => content as Change[]))
        if (rev >= began) revs.add(`${key}#${rev}`);
      last = entries.at(-1)?.id ?? last;
      if (entries.length > 0) continue;
      if (ending) return;
      await keepStream(reader, stream);
      await setTimeout(POLL_INTERVAL_MS);
    }
  };
  const reading = read();
  // If the test fails first, the connection ends before anything awaits the count.
  reading.catch(() => {});
  return {
    soFar: () => revs.size,
    async end() {
      ending = true;
      await reading;
    },
  };
}
