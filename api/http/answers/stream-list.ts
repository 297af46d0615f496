import { Readable } from "node:stream";

/**
 * Returns a JSON array that is written batch by batch, so that a long list is never in memory as a whole. The first
 * batch is read before the stream is returned, so that an unreachable database results in a problem document and not in
 * a truncated list.
 */
export async function streamList<Stored>(
  batches: AsyncIterable<Stored[]>,
  show: (batch: Stored[]) => Promise<readonly unknown[]>,
): Promise<Readable> {
  const texts = writeTexts(batches, show);
  const first = await texts.next();
  async function* all(): AsyncGenerator<string> {
    if (!first.done) yield first.value;
    yield* texts;
  }
  // Backpressure: at most one batch is read ahead of a slow caller.
  return Readable.from(all(), { highWaterMark: 1 });
}

async function* writeTexts<Stored>(
  batches: AsyncIterable<Stored[]>,
  show: (batch: Stored[]) => Promise<readonly unknown[]>,
) {
  let isFirst = true;
  for await (const batch of batches) {
    const texts = (await show(batch)).map((entry) => JSON.stringify(entry));
    if (texts.length === 0) continue;
    yield (isFirst ? "[" : ",") + texts.join(",");
    isFirst = false;
  }
  yield isFirst ? "[]" : "]";
}
