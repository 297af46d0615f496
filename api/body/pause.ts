import { setImmediate } from "node:timers/promises";

/** How long work on a large body may keep other calls waiting. */
const MAX_BUSY_MS = 15;

/** Creates a function that pauses to let other calls run whenever the work since the last pause has lasted that long. */
export function createPause(clock: () => number = () => performance.now()): () => Promise<void> | undefined {
  let began = clock();
  return () => {
    if (clock() - began < MAX_BUSY_MS) return undefined;
    return setImmediate().then(() => {
      began = clock();
    });
  };
}

/** Returns the result of `work` for each element, in order. Other calls run in between. */
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
