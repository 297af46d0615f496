import { randomBytes } from "node:crypto";
import { labelServersOf } from "../../domain/linking/label-server-of.ts";
import { labelServers as kind, stores } from "../../records/kinds/tenants.ts";
import { idOf, labelServerKey, storeIds, storeKey, tenantIdOf } from "../../schemas/keys.ts";
import { type Driver, isBroker, type LabelServer, LabelServerOrder } from "../../schemas/label-server.ts";
import { faultAt } from "../../schemas/problem.ts";
import { type RefusalNotice, refusalNotice } from "../../schemas/refusal-notice.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { plainId } from "../../schemas/text.ts";
import { createResource, type InstallationWorld, type Resource } from "./resource.ts";

export interface ShownLabelServer {
  labelServerId: string;
  url: string;
  /** Absent if the record has none, so that an order without it changes nothing. */
  driver?: Driver;
  uploadIntervalMs?: number;
  topicPrefix?: string;
  /** Only in the response to the call that generated it. */
  secret?: string;
}

const MADE_SECRET_BYTES = 24;

/**
 * A tenant's label servers, each with its own secret. Stores and their departments refer to the label servers that they
 * use.
 */
export const labelServerResource = (world: InstallationWorld): Resource<LabelServerOrder, ShownLabelServer> =>
  createResource<LabelServer, LabelServerOrder, ShownLabelServer, { secret: string }>(world, {
    kind,
    noun: "label server",
    id: plainId("Id of the label server"),
    order: LabelServerOrder,
    keyOf: labelServerKey,
    make: async () => ({ secret: randomBytes(MADE_SECRET_BYTES).toString("base64url") }),
    bodyOf({ url, secret, otherSecret, ...ordered }, _, current, made) {
      const kept = settingsOf({ ...current, ...ordered });
      const settings = settingsOf({ ...kept, driver: ordered.driver ?? driverAt(url, current?.driver) });
      if (secret === undefined && otherSecret === undefined && current) {
        const secrets = current.otherSecret !== undefined && { otherSecret: current.otherSecret };
        return { ...settings, url, secret: current.secret, ...secrets };
      }
      const own = secret ?? current?.secret ?? made.secret;
      return { ...settings, url, secret: own, ...(otherSecret !== undefined && { otherSecret }) };
    },
    shownOnce: ({ secret }, _, made) => (secret === made.secret ? made : {}),
    answerOf: ({ _id, url, ...server }) => ({ labelServerId: idOf(_id), url, ...settingsOf(server) }),
    limit: () => ({ most: tenantLimits.labelServers, of: "A tenant" }),
    faultsOf: ({ url, driver = driverAt(url, undefined) }) => {
      const fault = urlFault(url, driver);
      return fault === undefined ? [] : [faultAt("/url", fault)];
    },
    async whyInUse({ _id }, tenant) {
      const id = idOf(_id);
      const prefix = storeKey(tenantIdOf(tenant), "");
      for await (const batch of world.records.scanFields(stores, prefix, ["labelServer", "linkDepartments"])) {
        const store = batch.find((one) => labelServersOf(one).includes(id));
        if (store) return refusalNotice("LABEL_SERVER_IN_USE", { store: storeIds(store._id).storeId, server: id });
      }
      return undefined;
    },
  });

type Settings = Pick<LabelServer, "uploadIntervalMs" | "topicPrefix"> & { driver?: Driver | undefined };

/** Returns the record's settings for calls to the label server; absent fields stay absent. */
const settingsOf = ({ driver, uploadIntervalMs, topicPrefix }: Settings) => ({
  ...(driver !== undefined && { driver }),
  ...(uploadIntervalMs !== undefined && { uploadIntervalMs }),
  ...(topicPrefix !== undefined && { topicPrefix }),
});

/**
 * Returns the driver for an order that names none: `mqtt` for a broker's URL, otherwise the current one unless it is
 * `mqtt`. If undefined, the driver is `http`.
 */
function driverAt(url: string, present: Driver | undefined): Driver | undefined {
  if (isBroker(url)) return "mqtt";
  return present === "mqtt" ? undefined : present;
}

function urlFault(url: string, driver: Driver = "http"): RefusalNotice | undefined {
  // Only a URL with an unknown scheme may have no host.
  if (!URL.canParse(url) || new URL(url).hostname === "") return refusalNotice("SERVER_ADDRESS_INVALID", { url });
  const { username, password, search, hash, pathname } = new URL(url);
  if (username || password || search || hash) return refusalNotice("SERVER_ADDRESS_PARTS", {});
  if (isBroker(url) !== (driver === "mqtt")) {
    const schemes = driver === "mqtt" ? "mqtt:// or mqtts://" : "http:// or https://";
    return refusalNotice("SERVER_ADDRESS_DRIVER", { schemes, driver, url });
  }
  return isBroker(url) && pathname.replace("/", "") !== "" ? refusalNotice("BROKER_ADDRESS_PATH", { url }) : undefined;
}
