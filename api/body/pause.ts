import { setImmediate } from "node:timers/promises";

/** How long work on a large body keeps other calls waiting at a time. */
const MAX_BUSY_MS = 15;

/** Makes a pause that lets other calls run wherever the work since the last one has lasted that long. */
export function createPause(clock: () => number = () => performance.now()): () => Promise<void> | undefined {
  let began = clock();
  return () => {
    if (clock() - began < MAX_BUSY_MS) return undefined;
    return setImmediate().then(() => {
      began = clock();
    });
  };
}

/** The result of `work` for each element, in their order. Other calls run in between. */
export async function mapWithPauses<Element, Result>(
  elements: readonly Element[],
  work: (element: Element, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const pause = createPause();
  for (const [index, element] of elements.entries()) {
    results.push(work(element, index));
    const paused = pause();
    if (paused) await paused;
  }
  return results;
}
