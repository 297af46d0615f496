import { LRUCache } from "lru-cache";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Stored } from "../../../schemas/record.ts";

/** The states in which this process began transmissions, until they are acknowledged. */
export interface BegunStates {
  note(states: ReadonlyMap<string, Stored<LabelState>>): void;
  /** The state of a label whose transmission of this number is under way as far as this process knows; once. */
  take(label: string, transmission: number): Stored<LabelState> | undefined;
}

/** A state has some 4 kB. */
const MAX_STATES = 2_000;

/**
 * Most acknowledgements come within seconds, to the process that sent the picture: it need not read what it wrote. If another
 * process has written the state meanwhile, the compare-and-set fails, and the state is read.
 */
export function createBegunStates(): BegunStates {
  const begun = new LRUCache<string, Stored<LabelState>>({ max: MAX_STATES });
  return {
    note(states) {
      for (const [label, state] of states) if (state.sending) begun.set(label, state);
    },
    take(label, transmission) {
      const state = begun.get(label);
      if (state?.sending?.number !== transmission) return undefined;
      begun.delete(label);
      return state;
    },
  };
}
