import type { QueryShape } from "./query-shape.ts";

interface Exception {
  /** Why the query needs no index of its own. */
  reason: string;
  covers(shape: QueryShape): boolean;
}

const isOn = ({ collection, where }: QueryShape, name: string, ...fields: readonly string[]): boolean =>
  collection === name && Object.keys(where).sort().join() === fields.toSorted().join();

const seeks = (shape: QueryShape, name: string, owner: string, field: string): boolean =>
  (isOn(shape, name, owner, field) || isOn(shape, name, "_id", owner, field)) &&
  [`${owner},${field}`, `${owner},${field},_id`].includes(Object.keys(shape.sort).join());

/** Queries that no single index serves, with the reasons. */
const EXCEPTIONS: readonly Exception[] = [
  {
    reason: "the first document of the next owner: the server skips from owner to owner in the index of the sort",
    covers: (shape) =>
      seeks(shape, "schedule", "store", "due") ||
      seeks(shape, "delivery", "subscription", "due") ||
      seeks(shape, "glass", "store", "at") ||
      seeks(shape, "image", "store", "usedAt") ||
      seeks(shape, "upload", "store", "usedAt"),
  },
  {
    reason:
      "the due labels of one store after another: in the index of the sort, the server skips from store to store, and those that are excluded",
    covers: (shape) => seeks(shape, "labelstate", "store", "sendDue"),
  },
  {
    reason:
      "the oldest entry that may be published: in the index of the sort, past the few whose writes have not happened",
    covers: (shape) => isOn(shape, "outbox", "isUnwritten") && Object.keys(shape.sort).join() === "since",
  },
  {
    reason: "a list of one store: read in the order of its keys, page by page, and filtered",
    covers: ({ collection, where, sort }) =>
      collection !== "counter" && where._id === "range" && Object.keys(sort).every((field) => field === "_id"),
  },
  {
    reason: "sent once, by the release command, and finds nothing if it has run before",
    covers: (shape) =>
      isOn(shape, "claim") ||
      isOn(shape, "unpublished") ||
      (isOn(shape, "outbox", "topic") && shape.where.topic === "present") ||
      (isOn(shape, "journal", "claim") && shape.where.claim === "present") ||
      (isOn(shape, "walk", "behind") && shape.where.behind === "present"),
  },
  {
    reason: "sent once, by the release command: a tenant has few packs, and only those without the field are read",
    covers: (shape) => isOn(shape, "communicationpack.v1", "itemKeys") && shape.where.itemKeys === "absent",
  },
  {
    reason: "sent by the command after a restore, which advances the counter of every store",
    covers: (shape) => isOn(shape, "counter") || isOn(shape, "journal"),
  },
  {
    reason:
      "when a label server becomes available again: from what is due within seconds, found by its index, that of a few stores is taken",
    covers: (shape) => isOn(shape, "labelstate", "sendDue", "store") && shape.where.sendDue === "range",
  },
  {
    reason: "due measurements are few: found by their index, past those of stores whose label server is unreachable",
    covers: (shape) => isOn(shape, "labelstate", "fingerprint.due", "store"),
  },
  {
    reason:
      "for the undo of a price list: of a store's open or held chunks, found by their index, those of the list are taken",
    covers: (shape) =>
      isOn(shape, "journal", "store", "list", "open") || isOn(shape, "journal", "store", "list", "hold.open"),
  },
  {
    reason: "once per audit, for the walks of its queue: one for each tenant",
    covers: (shape) => isOn(shape, "walk", "queue", "audit", "finishedAt"),
  },
  {
    reason: "a page of a log by several filters at once: read in the index of one of them, newest first, and filtered",
    covers: ({ collection, where, sort }) =>
      collection === "activity" && where.store === "one" && Object.keys(sort).join() === "moment",
  },
];

/** Returns why a query needs no index of its own. Undefined if it needs one. */
export const reasonWithout = (shape: QueryShape): string | undefined =>
  EXCEPTIONS.find(({ covers }) => covers(shape))?.reason;
