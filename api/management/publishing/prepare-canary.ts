import type { Db } from "mongodb";
import { canaryCopies, chooseStores } from "../../../domain/publishing/canary.ts";
import type { Live } from "../../../domain/publishing/live.ts";
import { newPublicationId, type Part } from "../../../queues/publishing/begin-publication.ts";
import { countFaults } from "../../../queues/publishing/canary.ts";
import { communicationPacks, designs } from "../../../records/kinds/designs.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import type { CommunicationPack, Design } from "../../../schemas/design.ts";
import { canaryKey, designKey, publicationKey, storeIds, storeKey, tenantIdOf } from "../../../schemas/keys.ts";
import type { Publication, PublicationOrder } from "../../../schemas/publication.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { assertFaultless, createFinder } from "../find-records.ts";
import type { Proposed } from "./count-publication.ts";

interface CanaryWorld {
  db: Db;
  records: Records;
  databaseNow(): Date;
}

interface Prepared {
  parts: readonly Part[];
  /** Key of the pack that would be active. */
  active: string | undefined;
  proposed: Proposed;
}

/** A publication with a canary: its id, the copies that its stores show, and its record. */
export interface PreparedCanary {
  id: string;
  copies: ReadonlyMap<string, Live>;
  canary: NonNullable<Publication["canary"]>;
}

/** Prepares the canary that an order requests; undefined if it requests none. */
export async function prepareCanary(
  world: CanaryWorld,
  tenant: string,
  order: PublicationOrder,
  { parts, active, proposed }: Prepared,
): Promise<PreparedCanary | undefined> {
  if (order.stores === undefined && order.share === undefined) return undefined;
  const { db, records, databaseNow } = world;
  const id = newPublicationId(databaseNow());
  const chosen = await storesOf(records, tenant, order, id);
  const pack = await readPack(records, parts, active);
  if (active === undefined || pack === undefined)
    throw new ProblemError("conflict", "No communication pack is active, so no store can use another one.");
  const keyOf = (key: string) => canaryKey(key, publicationKey(tenant, id));
  const stored = await createFinder(records, { kind: designs, noun: "design", keyOf: designKey }).all(tenant);
  const all = new Map<string, Design>([...stored.map((one) => [one._id, one] as const), ...proposed.designs]);
  const copies = canaryCopies(
    {
      packKey: active,
      pack,
      designs: new Map([...all].map(([key, design]) => [key, bareDesign(design)])),
      changedDesigns: new Set(proposed.designs.keys()),
      canvases: proposed.canvases,
    },
    keyOf,
  );
  const canary = {
    stores: chosen,
    pack: keyOf(active),
    copies: [...copies.keys()],
    before: await countFaults(db, chosen),
  };
  return { id, copies, canary };
}

const bareDesign = ({ name, canvasId, compatible_esltype_ids }: Design): Design => ({
  name,
  canvasId,
  compatible_esltype_ids,
});

/** Returns the keys of an order's stores: the named stores, or a share of all stores that are in no other canary. */
async function storesOf(records: Records, tenant: string, order: PublicationOrder, seed: string): Promise<string[]> {
  const prefix = storeKey(tenantIdOf(tenant), "");
  const found = await Array.fromAsync(records.scanFields(stores, prefix, ["communicationPack"]));
  const all = new Map(found.flat().map((store) => [store._id, store.communicationPack]));
  const free = [...all].flatMap(([key, pack]) => (pack === undefined ? [key] : []));
  if (order.stores === undefined) {
    const chosen = chooseStores(free, order.share ?? 0, seed);
    if (chosen.length > 0) return chosen;
    throw new ProblemError("conflict", "Every store is in the canary of another publication, or there are no stores.");
  }
  const keys = order.stores.map((id) => storeKey(tenantIdOf(tenant), id));
  assertFaultless(
    order.stores.flatMap((id, index) =>
      all.has(keys[index] ?? "") ? [] : [{ pointer: `/stores/${index}`, detail: `the store "${id}" does not exist` }],
    ),
  );
  const taken = keys.find((key) => all.get(key) !== undefined);
  if (taken === undefined) return keys;
  throw new ProblemError("conflict", `The store "${storeIds(taken).storeId}" is in the canary of another publication.`);
}

async function readPack(
  records: Records,
  parts: readonly Part[],
  key: string | undefined,
): Promise<CommunicationPack | undefined> {
  const drafted = parts.find(({ thing }) => thing.key === key)?.body as CommunicationPack | undefined;
  if (drafted || key === undefined) return drafted;
  const stored = (await records.read(communicationPacks, [key])).get(key);
  if (stored === undefined) return undefined;
  const { name, scenarios, periodEnds, itemKeys } = stored;
  return { name, scenarios, ...(periodEnds && { periodEnds }), ...(itemKeys && { itemKeys }) };
}
