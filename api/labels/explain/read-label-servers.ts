import { type Division, labelServerOf, labelServersOf } from "../../../domain/linking/label-server-of.ts";
import type { Addressing } from "../../../domain/linking/transceivers.ts";
import type { System } from "../../../queues/system.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import { labelServerKey, tenantOf } from "../../../schemas/keys.ts";
import type { ExplanationFacts } from "./explanation-facts.ts";
import { readQueues, type ServerFacts } from "./read-queues.ts";

/** The facts about the queues of a store, and about its label servers. */
export interface LabelServersFacts extends Pick<ExplanationFacts, "queues" | "redisFullTo"> {
  /** Returns the label server of a store's label, and whether it responds. */
  serverOf(label: Addressing): ServerFacts & Pick<ExplanationFacts, "labelServerId">;
}

const unknownServer: ServerFacts = {
  gatewayOfflineSince: undefined,
  labelServerAwaySince: undefined,
  labelServerDeniedSince: undefined,
};

/** Reads the facts about a store's label servers and queues together. */
export async function readLabelServers(
  world: Pick<System, "records" | "publisher" | "redis">,
  store: string,
): Promise<LabelServersFacts> {
  const division: Division = (await world.records.read(stores, [store])).get(store) ?? { linkDepartments: [] };
  // The installation's label server has an empty key.
  const keyOf = (id: string | undefined) => (id === undefined ? "" : labelServerKey(tenantOf(store), id));
  const { servers, ...found } = await readQueues(world, store, labelServersOf(division).map(keyOf));
  return {
    ...found,
    serverOf(label) {
      const labelServerId = labelServerOf(label, division);
      return { labelServerId, ...(servers.get(keyOf(labelServerId)) ?? unknownServer) };
    },
  };
}
