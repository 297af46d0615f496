import { LRUCache } from "lru-cache";
import { type CircuitBreaker, createCircuitBreaker } from "./circuit-breaker.ts";

/** A label's denials since its label server last accepted one of its calls. */
export interface Denial {
  /** How often the label was denied again although other labels' calls were accepted in between. */
  times: number;
  /** How many calls the label server had accepted when the label was last denied. */
  takenBefore: number;
}

/** Maximum wait of a label that is denied individually, since nothing shows when its label server will accept it again. */
const LAST_WAIT_MS = 300_000;
const MAX_LABELS = 10_000;

/**
 * Returns a label's next denial: it is denied individually if the label server has accepted other labels' calls since the
 * previous denial.
 */
export const nextDenial = (before: Denial | undefined, takenBefore: number): Denial => ({
  times: before === undefined ? 0 : before.times + (takenBefore > before.takenBefore ? 1 : 0),
  takenBefore,
});

/** Returns the wait until a denied label is tried again: it doubles with each individual denial. */
export const waitAfterDenial = ({ times }: Denial, firstMs: number): number =>
  Math.min(firstMs * 2 ** times, LAST_WAIT_MS);

/**
 * Distinguishes a label server that denies all calls, for which the circuit opens, from a label server that denies single
 * labels, for which only these labels back off.
 */
export interface Denials extends Pick<CircuitBreaker, "isOpen" | "failingSince" | "backSince"> {
  /** Records that the label server responded and did not deny this label. */
  taken(label: string): void;
  /** Records that the label server denied this label. Returns the wait, and whether only this label is denied. */
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
      // A label that is denied individually does not affect other labels.
      if (!isAlone) circuit.failed();
      return { afterMs: waitAfterDenial(denial, firstMs), isAlone };
    },
  };
}
