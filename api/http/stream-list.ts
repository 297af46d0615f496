import { Readable } from "node:stream";

/**
 * A JSON array that is written page by page, so that a long list never stands in memory as a whole. The
 * first page is read before anything is answered: a database that is away is a problem document, not
 * a list that breaks off.
 */
export async function streamList<Stored>(
  pages: AsyncIterable<Stored[]>,
  show: (page: Stored[]) => Promise<readonly unknown[]>,
): Promise<Readable> {
  const texts = writeTexts(pages, show);
  const first = await texts.next();
  async function* all(): AsyncGenerator<string> {
    if (!first.done) yield first.value;
    yield* texts;
  }
  // One page waits at most while a caller reads slowly.
  return Readable.from(all(), { highWaterMark: 1 });
}

async function* writeTexts<Stored>(
  pages: AsyncIterable<Stored[]>,
  show: (page: Stored[]) => Promise<readonly unknown[]>,
) {
  let isFirst = true;
  for await (const page of pages) {
    const texts = (await show(page)).map((one) => JSON.stringify(one));
    if (texts.length === 0) continue;
    yield (isFirst ? "[" : ",") + texts.join(",");
    isFirst = false;
  }
  yield isFirst ? "[]" : "]";
}
