import { type Static, Type } from "typebox";

/** Every topic that changes are published on. A topic is named after the record kind that changes. */
export const topics = [
  "storeitemvalues.v1",
  "storeesl.v1",
  "link.v2",
  "storelink.v1",
  "studiolink.v1",
  "designerlink.v1",
  "ecclink.v1",
  "communicationpack.v1",
  "design.v1",
  "canvasdesign.v1",
  "renderedimage.v1",
  "ecceslimage.v1",
  "pageimage.v1",
  "eslimage.v1",
] as const;

export type Topic = (typeof topics)[number];

/**
 * How soon something must happen. Requests of at most 100 rows are interactive, larger ones
 * bulk; the urgency travels with every change and decides the priority of every job (design, section 4).
 */
export const Urgency = Type.Enum(["interactive", "bulk"]);
export type Urgency = Static<typeof Urgency>;

export const Operation = Type.Enum(["CREATED", "UPDATED", "DELETED"]);
export type Operation = Static<typeof Operation>;

/** One changed record, as queues carry it: the key and what moved, never the content. */
export const Change = Type.Object({
  key: Type.String(),
  rev: Type.Integer(),
  operation: Operation,
  changed: Type.Array(Type.String()),
  urgency: Urgency,
  /** When it was made, in epoch milliseconds; absent where a walk asks for a key without knowing what moved. */
  at: Type.Optional(Type.Integer()),
});
export type Change = Static<typeof Change>;

/** The urgency of a batch: that of its most urgent change. */
export const urgencyOf = (changes: readonly Pick<Change, "urgency">[]): Urgency =>
  changes.some(({ urgency }) => urgency === "interactive") ? "interactive" : "bulk";

/** The job that carries a batch of changes of one topic. */
export const ChangeBatch = Type.Object({ changes: Type.Array(Change, { minItems: 1 }) });
export type ChangeBatch = Static<typeof ChangeBatch>;
