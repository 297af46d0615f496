import { LRUCache } from "lru-cache";
import { type GatewayState, readState } from "./messages.ts";

interface Presence extends GatewayState {
  /** By the driver's clock: when it was seen offline first. */
  offlineSince: number | undefined;
  /** By the driver's clock: when it was back after it had been offline, or had started again. */
  backSince: number | undefined;
}

/** A broker may show the gateways of more stores than are ever called. */
const MAX_STORES = 100_000;

/** Follows which stores' gateways are online, by the states that they retain on the broker. */
export function followPresences(clock: () => number) {
  const presences = new LRUCache<string, Presence>({ max: MAX_STORES });
  return {
    /** Notes the state of a store's gateway. A gateway that says none counts as online. */
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
