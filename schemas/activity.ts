import { type Static, Type } from "typebox";
import { Actor } from "./actor.ts";
import { known } from "./text.ts";

/** The outcome of a request or a call. UNKNOWN: a process was killed during the call. */
export const ActivityStatus = Type.Enum(["DONE", "PARTIAL", "FAILED", "HELD", "UNKNOWN"], {
  title: "ActivityStatus",
  description:
    "DONE: all of it took effect. PARTIAL: some rows failed, or took effect only in part. FAILED: no row took effect. HELD: it hit price guards and waited for approval; another entry has the outcome. UNKNOWN: the process ended during the call",
});
export type ActivityStatus = Static<typeof ActivityStatus>;

/** The decision on a held request. EXPIRED: nobody decided in time. */
const Decision = Type.Enum(["APPROVED", "REFUSED", "EXPIRED"]);

/** What a row of a request changed. Except for the price, only the names of its fields are kept, not their values. */
export const ActivityRow = Type.Object({
  itemId: Type.Optional(Type.String({ description: "The item, as the row named it", examples: ["90704273"] })),
  barcode: Type.Optional(Type.String({ description: "The label" })),
  sic: Type.Optional(Type.String({ description: "The code that was removed" })),
  price: Type.Optional(Type.String({ description: "The price that was sent", examples: ["1.09"] })),
  validFrom: Type.Optional(
    Type.String({
      description: "When the row takes effect, as it was sent; absent if immediately",
      examples: ["2026-03-03 06:00:00"],
    }),
  ),
  fields: Type.Optional(Type.Array(Type.String(), { description: "Names of the fields that were sent" })),
  campaign: Type.Optional(
    Type.String({ description: "The campaign that the row began or ended", examples: ["spring"] }),
  ),
  ends: Type.Optional(Type.Literal(true, { description: "The row ended its campaign" })),
  links: Type.Optional(Type.Array(Type.String(), { description: "Items or codes that the row linked" })),
  failed: Type.Optional(
    Type.Enum(["ERROR", "PARTIAL"], {
      description: "ERROR: the row did not take effect. PARTIAL: it took effect only in part",
    }),
  ),
});
export type ActivityRow = Static<typeof ActivityRow>;

/** The log's content for a request or a call, before it is added to the chain. */
export const ActivityContent = Type.Object({
  /** When the request was accepted, or when a held request was carried out: ISO 8601 in UTC. */
  at: Type.String(),
  /** Absent if the request was accepted by a release that did not record actors. */
  actor: Type.Optional(Actor),
  /** Name of the job that applies the request, or id of the operation. */
  operation: Type.String(),
  /** Number of the request in its store, and index of this part, from 0; absent if the call was not journaled. */
  request: Type.Optional(Type.Integer()),
  part: Type.Optional(Type.Integer()),
  parts: Type.Optional(Type.Integer()),
  /** X-Request-Id of the call. */
  call: Type.Optional(Type.String()),
  /** Parameters of the call's path. */
  names: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** Names of the fields of the call's body. */
  fields: Type.Optional(Type.Array(Type.String())),
  status: ActivityStatus,
  /** Set only on the outcome of a held request, whose HELD entry is earlier in the log. */
  decision: Type.Optional(Decision),
  /** Items and labels by which a search finds the entry. */
  items: Type.Array(Type.String()),
  labels: Type.Array(Type.String()),
  /** JSON of a list of ActivityRow, because the list may be too long for nested MongoDB documents. */
  rows: Type.String(),
  /** Key of the call's note, which prevents a second entry for the same call. */
  note: Type.Optional(Type.String()),
});
export type ActivityContent = Static<typeof ActivityContent>;

/** An entry of the log with its place in its owner's chain (docs/architecture/activity.md#the-chain). */
export interface ActivityEntry extends ActivityContent {
  /** Key of the owner, which is a store or a tenant, followed by the place. */
  _id: string;
  store: string;
  tenant: string;
  /** From 1, without gaps. */
  place: number;
  /** Sort key for entries of several owners: the time, the owner and the place. */
  moment: string;
  /** Hash of the previous entry; empty for the first. */
  previous: string;
  hash: string;
}

/** An entry in a response. */
export const ActivityAnswer = Type.Object(
  {
    at: Type.String({
      description: "When the request was accepted, or when a held request was carried out: ISO 8601 in UTC",
      examples: ["2026-03-03T05:00:00.000Z"],
    }),
    actor: Type.Union([Actor, Type.Null()], {
      description: "Who made the request or call; null if an earlier release accepted it",
    }),
    storeId: known(Type.String({ description: "The store; null if the entry belongs to the tenant" })),
    operation: Type.String({
      description: "The name of the request's operation, or the operationId of the call",
      examples: ["patch-items"],
    }),
    requestId: known(Type.Integer({ description: "Number of the request; null if the call made none" })),
    part: known(
      Type.Integer({ description: "Index of this part of the request, from 0; each part has at most 1,000 rows" }),
    ),
    xRequestId: known(
      Type.String({ description: "X-Request-Id of the call; null if Shelfwire made the request itself" }),
    ),
    names: Type.Record(Type.String(), Type.String(), { description: "Parameters of the call's path" }),
    fields: Type.Array(Type.String(), { description: "Names of the fields of the call's body" }),
    status: ActivityStatus,
    decision: Type.Union([Decision, Type.Null()], {
      description:
        "In the outcome of a held request, the decision; null in all other entries. EXPIRED: nobody decided in time",
    }),
    rows: Type.Array(ActivityRow, { description: "The rows that the filter matches, at most 20 of them" }),
    rowCount: Type.Integer({ description: "Number of matching rows" }),
    place: Type.Integer({ description: "Its place in the chain of its store or tenant, from 1" }),
    hash: Type.String({ description: "SHA-256 of the entry and the previous hash" }),
  },
  { title: "Activity" },
);
export type ActivityAnswer = Static<typeof ActivityAnswer>;

export const ActivityPage = Type.Object(
  {
    entries: Type.Array(ActivityAnswer, { description: "Newest first" }),
    next: known(Type.String({ description: "The `before` of the next page; null if this is the last" })),
  },
  { title: "ActivityPage" },
);
export type ActivityPage = Static<typeof ActivityPage>;

/** A change sent for an item, and who sent it. */
export const ItemEvent = Type.Object(
  {
    at: Type.String({ description: "ISO 8601 in UTC" }),
    operation: Type.String({ description: "The name of the operation", examples: ["patch-items"] }),
    requestId: known(Type.Integer({ description: "Number of the request; null if the call made none" })),
    actor: Type.Union([Actor, Type.Null()], { description: "Null unless the token has the scope activity:read" }),
    price: known(Type.String({ description: "The price that the row sent" })),
    validFrom: known(Type.String({ description: "When a scheduled row takes effect" })),
    fields: Type.Array(Type.String(), { description: "Names of the fields that were sent" }),
    campaign: Type.Optional(Type.String({ description: "The campaign that began or ended" })),
    ends: Type.Optional(Type.Literal(true, { description: "The campaign ended" })),
    failed: Type.Union([Type.Enum(["ERROR", "PARTIAL", "HELD"]), Type.Null()], {
      description:
        "ERROR: the row did not take effect. PARTIAL: it took effect only in part. HELD: it waited for approval; another event has the outcome",
    }),
  },
  { title: "ItemEvent" },
);
export type ItemEvent = Static<typeof ItemEvent>;

/** A price of an item, and when it took effect. */
export const PriceSince = Type.Object(
  {
    since: Type.String({ description: "ISO 8601 in UTC" }),
    price: known(Type.String({ description: "Null after the item's deletion" })),
  },
  { title: "PriceSince" },
);
export type PriceSince = Static<typeof PriceSince>;

export const ItemHistory = Type.Object(
  {
    itemId: Type.String({ description: "The item", examples: ["90704273"] }),
    prices: Type.Array(PriceSince, { description: "Each price and when it took effect, oldest first" }),
    events: Type.Array(ItemEvent, { description: "Changes sent for the item, newest first" }),
    isCut: Type.Boolean({ description: "Whether there are older events" }),
  },
  { title: "ItemHistory" },
);
export type ItemHistory = Static<typeof ItemHistory>;
