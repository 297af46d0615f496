import { type Static, Type } from "typebox";
import { Cause } from "./cause.ts";
import { Urgency } from "./urgency.ts";

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
  "asset.v1",
  "assetfile.v1",
  "renderedimage.v1",
  "ecceslimage.v1",
  "pageimage.v1",
  "eslimage.v1",
  "store",
  "labeltype",
  "labelpress.v1",
  "labelsensors.v1",
  "labelbattery.v1",
  "flashsequence.v1",
  "switchstate.v1",
] as const;

export type Topic = (typeof topics)[number];

export const Operation = Type.Enum(["CREATED", "UPDATED", "DELETED"]);
export type Operation = Static<typeof Operation>;

/** A change to a record, as jobs carry it: the key and the names of the changed fields, never their values. */
export const Change = Type.Object({
  key: Type.String(),
  rev: Type.Integer(),
  operation: Operation,
  changed: Type.Array(Type.String()),
  /** Set if the record is created in place of a deleted one, whose content may still be shown. */
  wasDeleted: Type.Optional(Type.Literal(true)),
  /**
   * For an item that existed before: the changed keys as expressions name them, as in a pack's `itemKeys`, and the rev before the
   * change. Absent if too much changed.
   */
  itemKeys: Type.Optional(Type.Array(Type.String())),
  formerRev: Type.Optional(Type.Integer()),
  urgency: Urgency,
  /** Time of the write in epoch milliseconds; absent if a walk enqueues a stale key. */
  at: Type.Optional(Type.Integer()),
  /** The cause of the write. */
  cause: Type.Optional(Cause),
});
export type Change = Static<typeof Change>;

/** Returns the urgency of a batch of changes, which is the urgency of its most urgent change. */
export const urgencyOf = (changes: readonly Pick<Change, "urgency">[]): Urgency =>
  changes.some(({ urgency }) => urgency === "interactive") ? "interactive" : "bulk";

/** The job that carries a batch of changes on one topic. */
export const ChangeBatch = Type.Object({ changes: Type.Array(Change, { minItems: 1 }) });
export type ChangeBatch = Static<typeof ChangeBatch>;
