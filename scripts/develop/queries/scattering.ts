import type { QueryShape } from "./query-shape.ts";

interface Exception {
  /** Why the query may go to every shard. */
  reason: string;
  collection: string;
  /** The fields of the query's conditions, ordered by name. */
  fields: string;
}

/** Queries of sharded collections that name no ids, with the reasons. */
const EXCEPTIONS: readonly Exception[] = [
  {
    reason:
      "every second: whether any transmission is due, by one entry of an index; for /metrics; and when a label server becomes available again",
    collection: "labelstate",
    fields: "sendDue",
  },
  {
    reason: "when a label server becomes available again: what is due within seconds, of its stores",
    collection: "labelstate",
    fields: "sendDue,store",
  },
  {
    reason: "every second: which measurements are due, of labels that were placed by hand, which are few at any time",
    collection: "labelstate",
    fields: "fingerprint.due",
  },
  {
    reason: "the same while a label server is unreachable, whose stores are left out",
    collection: "labelstate",
    fields: "fingerprint.due,store",
  },
  {
    reason: "every second: whether any update is due, by one entry of an index",
    collection: "schedule",
    fields: "due",
  },
  { reason: "once an hour, by clean-up", collection: "schedule", fields: "changedAt,due" },
  { reason: "once an hour, by clean-up", collection: "schedule", fields: "updates.failed.at" },
  { reason: "once an hour, by clean-up", collection: "storeitemvalues.v1", fields: "changedAt,deleted" },
  {
    reason: "before an upload is accepted: how much its tenant has stored, from an index that holds no ids",
    collection: "upload",
    fields: "",
  },
];

/** Returns why a query may go to every shard. Undefined if there is no reason. */
export const reasonToScatter = ({ collection, where }: QueryShape): string | undefined => {
  const fields = Object.keys(where).sort().join();
  return EXCEPTIONS.find((one) => one.collection === collection && one.fields === fields)?.reason;
};
