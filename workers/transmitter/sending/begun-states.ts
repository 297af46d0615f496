import { LRUCache } from "lru-cache";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Stored } from "../../../schemas/record.ts";

/** The states in which this process started transmissions, until they are acknowledged. */
export interface BegunStates {
  note(states: ReadonlyMap<string, Stored<LabelState>>): void;
  /** Returns and removes the state of a label, if this process knows its transmission with this number to be under way. */
  take(label: string, transmission: number): Stored<LabelState> | undefined;
}

/** Maximum number of states; each takes about 4 kB. */
const MAX_STATES = 2_000;

/**
 * Remembers states. Most acknowledgements come within seconds, to the process that sent the picture, which then need not read
 * its own write. If another process has since written the state, the compare-and-set fails, and the state is read.
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
