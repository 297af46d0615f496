import type { Gateways, LabelServer } from "../label-server.ts";
import { latest } from "../latest.ts";
import type { Presences } from "./presences.ts";

/**
 * The gateways behind a broker. While the gateway of a store is offline its pictures wait in the database, where a newer
 * one replaces an older one; those of other stores are sent.
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
    // The broker is closed once, by whoever opened it.
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
    /** Since when every gateway has been offline; undefined if one is online, or none was called. */
    allOfflineSince() {
      const since = [...gateways.keys()].map(presences.offlineSince);
      return since.includes(undefined) ? undefined : latest(...since);
    },
  };
}
