import { createRandom } from "../../access-point/random.ts";
import type { Way } from "./scenario.ts";

/** The clock and the random numbers for events. */
export interface Chances {
  /** Returns a number from 0 up to, but not including, 1. */
  random(): number;
  /** Returns milliseconds. */
  clock(): number;
  after(milliseconds: number, run: () => void): void;
}

/** Carries messages as `way` says: `arrive` runs once, twice or never. Returns false if the message is lost. */
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

/** Returns random events from a seed, on a clock that starts now. Pending events do not keep the process alive. */
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
