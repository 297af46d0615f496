import type { Gateways, LabelServer } from "../label-server.ts";
import { latest } from "../latest.ts";
import type { Presences } from "./presences.ts";

/**
 * Creates the gateways behind a broker. While a store's gateway is offline, the store's pictures wait in the database, where
 * newer pictures replace older ones; other stores' pictures are sent.
 */
export function createGateways(
  broker: LabelServer,
  presences: Presences,
): Gateways & { allOfflineSince(): number | undefined } {
  const gateways = new Map<string, LabelServer>();

  const gatewayOf = (store: string): LabelServer => ({
    ...broker,
    isAway: () => broker.isAway() || presences.offlineSince(store) !== undefined,
    failingSince: () => broker.failingSince() ?? presences.offlineSince(store),
    backSince: () => latest(broker.backSince(), presences.backSince(store)),
    // The broker's connections are closed once, by the code that opened them.
    close: async () => {},
  });

  return {
    of(store) {
      const gateway = gateways.get(store) ?? gatewayOf(store);
      gateways.set(store, gateway);
      return gateway;
    },
    all: () => [...gateways.values()],
    offlineSince: () => [...gateways.keys()].map((store) => [store, presences.offlineSince(store)]),
    /**
     * Returns the time since which every gateway has been offline; undefined if any gateway is online, or if none has been
     * called.
     */
    allOfflineSince() {
      const since = [...gateways.keys()].map(presences.offlineSince);
      return since.includes(undefined) ? undefined : latest(...since);
    },
  };
}
