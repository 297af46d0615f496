import { LRUCache } from "lru-cache";
import { type CircuitBreaker, createCircuitBreaker } from "./circuit-breaker.ts";

/** How a label was denied since its calls were last taken. */
export interface Denial {
  /** How often it was denied again although others were taken in between. */
  times: number;
  /** How many calls had been taken when it was denied last. */
  takenBefore: number;
}

/**
 * A label that alone is denied is tried at least this often, since nothing shows when its label server accepts it
 * again.
 */
const LAST_WAIT_MS = 300_000;
const MAX_LABELS = 10_000;

/** A label's next denial: it is denied alone if the label server has taken calls of others since the one before. */
export const nextDenial = (before: Denial | undefined, takenBefore: number): Denial => ({
  times: before === undefined ? 0 : before.times + (takenBefore > before.takenBefore ? 1 : 0),
  takenBefore,
});

/** The wait until a label that was denied is tried again: it doubles each time it is denied alone. */
export const waitAfterDenial = ({ times }: Denial, firstMs: number): number =>
  Math.min(firstMs * 2 ** times, LAST_WAIT_MS);

/**
 * Distinguishes a label server that denies all calls, whose circuit opens, from a label server that denies single labels,
 * which back off.
 */
export interface Denials extends Pick<CircuitBreaker, "isOpen" | "failingSince" | "backSince"> {
  /** The label server answered, and did not deny this label. */
  taken(label: string): void;
  /** It denied this label. Returns the wait, and whether it denies this label alone. */
  denied(label: string, firstMs: number): { afterMs: number; isAlone: boolean };
}

export function createDenials(clock: () => number, random: () => number = Math.random): Denials {
  const circuit = createCircuitBreaker(clock, random);
  const denials = new LRUCache<string, Denial>({ max: MAX_LABELS });
  let takenCalls = 0;
  return {
    isOpen: circuit.isOpen,
    failingSince: circuit.failingSince,
    backSince: circuit.backSince,
    taken(label) {
      takenCalls += 1;
      denials.delete(label);
      circuit.answered();
    },
    denied(label, firstMs) {
      const denial = nextDenial(denials.get(label), takenCalls);
      denials.set(label, denial);
      const isAlone = denial.times > 0;
      // A label that alone is denied does not affect the others.
      if (!isAlone) circuit.failed();
      return { afterMs: waitAfterDenial(denial, firstMs), isAlone };
    },
  };
}
