import { randomBytes } from "node:crypto";
import { labelServers as kind, stores } from "../../records/kinds/tenants.ts";
import { idOf, labelServerKey, storeIds, storeKey, tenantIdOf } from "../../schemas/keys.ts";
import { type Driver, type LabelServer, LabelServerOrder } from "../../schemas/label-server.ts";
import { faultAt } from "../../schemas/problem.ts";
import { type RefusalNotice, refusalNotice } from "../../schemas/refusal-notice.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { plainId } from "../../schemas/text.ts";
import { createResource, type InstallationWorld, type Resource } from "./resource.ts";

export interface ShownLabelServer {
  labelServerId: string;
  url: string;
  /** Absent as in the record, so that an order without it changes nothing. */
  driver?: Driver;
  uploadIntervalMs?: number;
  /** Only in the response for which it was made. */
  secret?: string;
}

const MADE_SECRET_BYTES = 24;

/** The label servers of a tenant, each with its own secret. Stores refer to the one that they use. */
export const labelServerResource = (world: InstallationWorld): Resource<LabelServerOrder, ShownLabelServer> =>
  createResource<LabelServer, LabelServerOrder, ShownLabelServer, { secret: string }>(world, {
    kind,
    noun: "label server",
    id: plainId("Id of the label server"),
    order: LabelServerOrder,
    keyOf: labelServerKey,
    make: async () => ({ secret: randomBytes(MADE_SECRET_BYTES).toString("base64url") }),
    bodyOf({ url, secret, otherSecret, ...settings }, _, current, made) {
      if (secret === undefined && otherSecret === undefined && current) return { ...current, ...settings, url };
      const own = secret ?? current?.secret ?? made.secret;
      const kept = current && settingsOf(current);
      return { ...kept, ...settings, url, secret: own, ...(otherSecret !== undefined && { otherSecret }) };
    },
    shownOnce: ({ secret }, _, made) => (secret === made.secret ? made : {}),
    answerOf: ({ _id, url, ...server }) => ({ labelServerId: idOf(_id), url, ...settingsOf(server) }),
    limit: () => ({ most: tenantLimits.labelServers, of: "A tenant" }),
    faultsOf: ({ url }) => {
      const fault = urlFault(url);
      return fault === undefined ? [] : [faultAt("/url", fault)];
    },
    async whyInUse({ _id }, tenant) {
      const id = idOf(_id);
      const prefix = storeKey(tenantIdOf(tenant), "");
      for await (const batch of world.records.scanFields(stores, prefix, ["labelServer"])) {
        const store = batch.find(({ labelServer }) => labelServer === id);
        if (store) return refusalNotice("LABEL_SERVER_IN_USE", { store: storeIds(store._id).storeId, server: id });
      }
      return undefined;
    },
  });

/** What the record says of how to call the label server; absent fields stay absent. */
const settingsOf = ({ driver, uploadIntervalMs }: Pick<LabelServer, "driver" | "uploadIntervalMs">) => ({
  ...(driver !== undefined && { driver }),
  ...(uploadIntervalMs !== undefined && { uploadIntervalMs }),
});

function urlFault(url: string): RefusalNotice | undefined {
  if (!URL.canParse(url)) return refusalNotice("SERVER_ADDRESS_INVALID", { url });
  const { username, password, search, hash } = new URL(url);
  return username || password || search || hash ? refusalNotice("SERVER_ADDRESS_PARTS", {}) : undefined;
}
