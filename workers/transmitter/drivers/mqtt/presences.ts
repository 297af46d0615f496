import { LRUCache } from "lru-cache";
import { type GatewayState, readState } from "./messages.ts";

interface Presence extends GatewayState {
  /** When the gateway was first found offline, by the driver's clock. */
  offlineSince: number | undefined;
  /** When the gateway last came back online or was last found to have restarted, by the driver's clock. */
  backSince: number | undefined;
}

/** Maximum number of remembered stores: a broker may have gateways for more stores than are ever called. */
const MAX_STORES = 100_000;

/** Tracks which stores' gateways are online, from the states that they retain on the broker. */
export function followPresences(clock: () => number) {
  const presences = new LRUCache<string, Presence>({ max: MAX_STORES });
  return {
    /** Records the state of a store's gateway. A gateway without a state counts as online. */
    note(store: string, payload: Buffer): void {
      const before = presences.get(store);
      const state = readState(payload);
      const isBack = before !== undefined && (!before.isOnline || before.boot !== state.boot);
      presences.set(store, {
        ...state,
        offlineSince: state.isOnline ? undefined : (before?.offlineSince ?? clock()),
        backSince: state.isOnline && isBack ? clock() : before?.backSince,
      });
    },
    offlineSince: (store: string): number | undefined => presences.get(store)?.offlineSince,
    backSince: (store: string): number | undefined => presences.get(store)?.backSince,
  };
}

export type Presences = ReturnType<typeof followPresences>;
