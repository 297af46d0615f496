import { Type } from "typebox";
import { labelServersOf } from "../../domain/linking/label-server-of.ts";
import { openSeenTags } from "../../queues/linking/seen-tags.ts";
import type { System } from "../../queues/system.ts";
import { labels } from "../../records/kinds/labels.ts";
import { labelServers, labelTypes, stores } from "../../records/kinds/tenants.ts";
import { type Records, readAll } from "../../records/records.ts";
import { labelKey, labelServerKey, labelTypeKey, storeKey, tenantIdOf } from "../../schemas/keys.ts";
import { catalogueEntryOf } from "../../schemas/label-catalogue.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { comparableMac, deviceOf } from "../../schemas/mac.ts";
import { plainId } from "../../schemas/text.ts";
import { type SeenTag, UnknownTag } from "../../schemas/unknown-tag.ts";
import { tenantRoute } from "../http/route.ts";
import { missing } from "./find-records.ts";

export type UnknownTagsWorld = Pick<System, "records" | "publisher" | "redis">;

/** The tags that an access point reports but no label names (docs/operations/first-labels.md#add-the-tags). */
export const unknownTags = ({ records, publisher, redis }: UnknownTagsWorld) => [
  tenantRoute({
    method: "GET",
    path: "/label-servers/:labelServerId/unknown-tags",
    operationId: "listUnknownTags",
    summary: "List the tags that an access point reports but no label of its stores names",
    description:
      "Add one with a row of `PATCH /labels` that has the label's barcode and the tag's `device`. The list is empty for label servers with Shelfwire's " +
      "own protocol and, for some seconds, after a transmitter has started, and while Redis is unavailable.",
    scope: "ops",
    isForPlatform: true,
    params: Type.Object({ labelServerId: plainId("Id of the label server") }),
    answers: { 200: Type.Array(UnknownTag) },
    problems: ["not-found"],
    handle: async ({ tenant, params: { labelServerId } }) => {
      const key = labelServerKey(tenant, labelServerId);
      if (!(await records.readRevs(labelServers, [key])).has(key)) throw missing("label server", labelServerId);
      const seen = publisher.isReady() ? await openSeenTags(redis).read(key) : [];
      if (seen.length === 0) return { status: 200, body: [] };
      const named = await readNamed(records, tenant, labelServerId, new Set(seen.map(({ device }) => device)));
      const types = await readAll(records, labelTypes, labelTypeKey(tenant, ""));
      const unknown = seen.filter(({ device }) => !named.has(device));
      return { status: 200, body: unknown.map((tag) => unknownTag(tag, types)) };
    },
  }),
];

/** Returns those of the addresses that are named by labels in the stores that use the label server. */
async function readNamed(
  records: Records,
  tenant: string,
  labelServerId: string,
  devices: ReadonlySet<string>,
): Promise<Set<string>> {
  const named = new Set<string>();
  const all = await readAll(records, stores, storeKey(tenantIdOf(tenant), ""));
  for (const { _id } of all.filter((store) => labelServersOf(store).includes(labelServerId)))
    for await (const batch of records.scanFields(labels, labelKey(_id, ""), ["barcode", "device"]))
      for (const label of batch) {
        const device = comparableMac(deviceOf(label) ?? "");
        if (devices.has(device)) named.add(device);
      }
  return named;
}

const unknownTag = (
  { device, hardwareType, lastSeen, battery, batteryMillivolts }: SeenTag,
  types: readonly LabelType[],
): UnknownTag => ({
  device,
  hardwareType,
  name: catalogueEntryOf(hardwareType)?.name ?? null,
  labelTypes: types.filter((type) => type.hardwareType === hardwareType).map(({ type }) => type),
  lastSeen: lastSeen === undefined ? null : new Date(lastSeen).toISOString(),
  batteryState: battery ?? "UNKNOWN",
  batteryMillivolts: batteryMillivolts ?? null,
});
