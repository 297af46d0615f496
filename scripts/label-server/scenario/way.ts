import { createRandom } from "../../access-point/random.ts";
import type { Way } from "./scenario.ts";

/** When something is to happen, on which clock, and by which chances. */
export interface Chances {
  /** From 0 to below 1. */
  random(): number;
  /** Milliseconds. */
  clock(): number;
  after(milliseconds: number, run: () => void): void;
}

/** Carries messages as `way` says: `arrive` runs once, twice or never. Returns whether the message is not lost. */
export const createWay =
  (
    { loss = 0, duplicates = 0, delayMs = 0, reorderMs = 0 }: Way,
    { random, after }: Pick<Chances, "random" | "after">,
  ): ((arrive: () => void) => boolean) =>
  (arrive) => {
    if (random() < loss) return false;
    const copies = random() < duplicates ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const lateMs = delayMs + Math.floor(random() * reorderMs);
      if (lateMs > 0) after(lateMs, arrive);
      else arrive();
    }
    return true;
  };

/** The chances of a seed, on this process's clock from now on. What is still to happen keeps no process alive. */
export function openChances(seed: number): Chances & { close(): void } {
  const began = performance.now();
  const timers = new Set<NodeJS.Timeout>();
  return {
    random: createRandom(seed),
    clock: () => performance.now() - began,
    after(milliseconds, run) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, milliseconds).unref();
      timers.add(timer);
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
