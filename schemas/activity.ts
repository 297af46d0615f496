import { type Static, Type } from "typebox";
import { Actor } from "./actor.ts";
import { known } from "./text.ts";

/** What became of a request or a call. UNKNOWN: a process was killed during the call. */
export const ActivityStatus = Type.Enum(["DONE", "PARTIAL", "FAILED", "HELD", "UNKNOWN"], {
  title: "ActivityStatus",
  description:
    "DONE: all of it took effect. PARTIAL: some rows did, or not completely. FAILED: no row did. HELD: it hit price guards and waited for approval; another entry has the outcome. UNKNOWN: the process ended during the call",
});
export type ActivityStatus = Static<typeof ActivityStatus>;

/** What was decided about a held request, or that nobody did in time. */
const Decision = Type.Enum(["APPROVED", "REFUSED", "EXPIRED"]);

/** What a row of a request was about. Values other than the price are not kept: only the names of their fields. */
export const ActivityRow = Type.Object({
  itemId: Type.Optional(Type.String({ description: "The item, as the row named it", examples: ["90704273"] })),
  barcode: Type.Optional(Type.String({ description: "The label" })),
  sic: Type.Optional(Type.String({ description: "The code that was removed" })),
  price: Type.Optional(Type.String({ description: "The price that was sent", examples: ["1.09"] })),
  validFrom: Type.Optional(
    Type.String({
      description: "When the row takes effect, as it was sent; absent if at once",
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
    Type.Enum(["ERROR", "PARTIAL"], { description: "The row did not take effect, or not completely" }),
  ),
});
export type ActivityRow = Static<typeof ActivityRow>;

/** What the log says about a request or a call, before it is chained. */
export const ActivityContent = Type.Object({
  /** ISO 8601 in UTC: when the request was accepted, or a held one was carried out. */
  at: Type.String(),
  /** Absent for a request that a release accepted which did not keep actors. */
  actor: Type.Optional(Actor),
  /** Name of the job that applies the request, or id of the operation. */
  operation: Type.String(),
  /** Number of the request in its store, and which of its parts this is, from 0; absent if the call was not journaled. */
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
  /** Only of the outcome of a request that was held: its HELD entry is earlier in the log. */
  decision: Type.Optional(Decision),
  /** Items and labels that it is found by. */
  items: Type.Array(Type.String()),
  labels: Type.Array(Type.String()),
  /** JSON of a list of ActivityRow: it may have more rows than MongoDB likes as documents. */
  rows: Type.String(),
  /** Key of the note of a call, by which it is not entered twice. */
  note: Type.Optional(Type.String()),
});
export type ActivityContent = Static<typeof ActivityContent>;

/** The owner of an entry, and its place in the owner's chain (docs/architecture/activity.md#the-chain). */
export interface ActivityEntry extends ActivityContent {
  /** Key of the store or of the tenant, and the place. */
  _id: string;
  store: string;
  tenant: string;
  /** From 1, without gaps. */
  place: number;
  /** By which entries of several owners are in one order: the time, the owner and the place. */
  moment: string;
  /** The hash of the entry before; empty for the first. */
  previous: string;
  hash: string;
}

/** An entry in a response. */
export const ActivityAnswer = Type.Object(
  {
    at: Type.String({
      description: "When the request was accepted, or a held one was carried out, ISO 8601 in UTC",
      examples: ["2026-03-03T05:00:00.000Z"],
    }),
    actor: Type.Union([Actor, Type.Null()], { description: "Who made it; null if an earlier release accepted it" }),
    storeId: known(Type.String({ description: "The store; null if it is the tenant's" })),
    operation: Type.String({
      description: "The name of the request's operation, or the operationId of the call",
      examples: ["patch-items"],
    }),
    requestId: known(Type.Integer({ description: "Number of the request; null for a call without one" })),
    part: known(
      Type.Integer({ description: "Which part of a long request it is, from 0; each has at most 1,000 rows" }),
    ),
    xRequestId: known(
      Type.String({ description: "X-Request-Id of the call; null if Shelfwire made the request itself" }),
    ),
    names: Type.Record(Type.String(), Type.String(), { description: "Parameters of the call's path" }),
    fields: Type.Array(Type.String(), { description: "Names of the fields of the call's body" }),
    status: ActivityStatus,
    decision: Type.Union([Decision, Type.Null()], {
      description:
        "What was decided about a request that was held, in the entry of its outcome; EXPIRED: nobody decided in time. Null for all others",
    }),
    rows: Type.Array(ActivityRow, { description: "The rows that the filter matches, at most 20 of them" }),
    rowCount: Type.Integer({ description: "How many rows match" }),
    place: Type.Integer({ description: "Its place in the chain of its store or tenant, from 1" }),
    hash: Type.String({ description: "SHA-256 of the entry and of the hash before it" }),
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

/** What was sent about an item, and who sent it. */
export const ItemEvent = Type.Object(
  {
    at: Type.String({ description: "ISO 8601 in UTC" }),
    operation: Type.String({ description: "The name of the operation", examples: ["patch-items"] }),
    requestId: known(Type.Integer({ description: "Number of the request; null for a call without one" })),
    actor: Type.Union([Actor, Type.Null()], { description: "Null unless the token has the scope activity:read" }),
    price: known(Type.String({ description: "The price that the row sent" })),
    validFrom: known(Type.String({ description: "When a scheduled row takes effect" })),
    fields: Type.Array(Type.String(), { description: "Names of the fields that were sent" }),
    campaign: Type.Optional(Type.String({ description: "The campaign that began or ended" })),
    ends: Type.Optional(Type.Literal(true, { description: "The campaign ended" })),
    failed: Type.Union([Type.Enum(["ERROR", "PARTIAL", "HELD"]), Type.Null()], {
      description:
        "ERROR: the row did not take effect. PARTIAL: not completely. HELD: it waited for approval; another event has the outcome",
    }),
  },
  { title: "ItemEvent" },
);
export type ItemEvent = Static<typeof ItemEvent>;

/** A price of an item, and since when it was in effect. */
export const PriceSince = Type.Object(
  {
    since: Type.String({ description: "ISO 8601 in UTC" }),
    price: known(Type.String({ description: "Null from the item's deletion on" })),
  },
  { title: "PriceSince" },
);
export type PriceSince = Static<typeof PriceSince>;

export const ItemHistory = Type.Object(
  {
    itemId: Type.String({ description: "The item", examples: ["90704273"] }),
    prices: Type.Array(PriceSince, { description: "Each price and when it took effect, oldest first" }),
    events: Type.Array(ItemEvent, { description: "What was sent about the item, newest first" }),
    isCut: Type.Boolean({ description: "Whether there are older events" }),
  },
  { title: "ItemHistory" },
);
export type ItemHistory = Static<typeof ItemHistory>;
