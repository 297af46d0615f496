import type { RecordKind } from "./kind.ts";
import { itemLinks, itemPages, items, schedules, sics } from "./kinds/items.ts";
import { labelBatteries, labelPresses, labelSensors, labelStates, labels } from "./kinds/labels.ts";
import { designerLinks, eccLinks, links, storeLinks, studioLinks } from "./kinds/links.ts";
import { eccEslImages, eslImages, renderedImages } from "./kinds/pictures.ts";
import { priceListParts } from "./kinds/price-lists.ts";

/** The shard key: ids begin with tenant and store, and are read by range. */
export const SHARD_KEY = { _id: 1 } as const;

/** Collections that grow with items, labels and pictures. Each is sharded by `SHARD_KEY`. */
export const SHARDED: readonly string[] = [
  ...[items, itemPages, itemLinks, sics, schedules, priceListParts].map(nameOf),
  ...[labels, labelStates, labelPresses, labelSensors, labelBatteries].map(nameOf),
  ...[links, storeLinks, studioLinks, designerLinks, eccLinks].map(nameOf),
  ...[renderedImages, eccEslImages, eslImages].map(nameOf),
  ...["glass", "image", "upload", "outcome", "activity"],
];

/** Collections that stay on one shard, with the reason. A query on such a collection goes to only one shard. */
const WHOLE: readonly { reason: string; collections: readonly string[] }[] = [
  {
    reason: "has a few documents for each store or tenant",
    collections: [
      ...[
        "tenant",
        "store",
        "labeltype",
        "model",
        "labelserver",
        "apiuser",
        "revocation",
        "subscription",
        "notification",
        "counter",
        "pricelist",
        "switch",
        "switchstate.v1",
        "notificationcursor",
      ],
      ...["design.v1", "canvasdesign.v1", "communicationpack.v1", "asset.v1", "assetfile.v1"],
      ...["draft", "version", "publication", "publicationcontent", "campaign", "campaignpart", "activityend"],
    ],
  },
  {
    reason: "holds only what is under way: a document is deleted once it is done",
    collections: ["outbox", "inbox", "report", "delivery", "failure", "walk", "lease", "cursor", "epoch", "callnote"],
  },
  {
    reason: "has a second unique key, or is found by it, and keeps its documents for RESULT_TTL only",
    collections: ["journal", "idempotencykey"],
  },
  {
    reason: "is found by its due time, and keeps its documents for RESULT_TTL only",
    collections: ["flashsequence.v1"],
  },
  { reason: "is found by its expiry, and keeps its documents for a week only", collections: ["workmark"] },
  { reason: "is of an earlier release, which the release command empties", collections: ["claim", "unpublished"] },
];

/** Returns the reason why a collection stays on one shard; undefined if the collection is sharded, or unknown. */
export const reasonToStayWhole = (collection: string): string | undefined =>
  WHOLE.find(({ collections }) => collections.includes(collection))?.reason;

function nameOf({ name }: Pick<RecordKind<never>, "name">): string {
  return name;
}
