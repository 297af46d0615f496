import { type Static, Type } from "typebox";
import { ItemId, ItemPatch } from "./item.ts";
import { RowNotices } from "./row-notice.ts";
import { Stamp } from "./stamp.ts";

const date = Type.Unsafe<Date>({});

/** A row of PATCH /items or of a campaign that is applied at a later time. */
const ScheduledUpdate = Type.Object({
  due: date,
  /** Stamp of the row that scheduled it. */
  stamp: Stamp,
  /** The row, as JSON text, because it may hold keys that MongoDB does not store. */
  patch: Type.String(),
  /** The price list that the row belongs to. */
  list: Type.Optional(Type.String()),
  /** The campaign that a row begins or ends; absent for a row of PATCH /items. */
  campaign: Type.Optional(Type.String()),
  /** Set on a row that ends its campaign. */
  ends: Type.Optional(Type.Literal(true)),
  /**
   * The stamp under which it takes effect: assigned once, before it is applied, so that a retry uses the same stamp.
   */
  appliedAs: Type.Optional(Stamp),
  /** Set if the row or one of its links could not be applied. */
  failed: Type.Optional(
    Type.Object({ at: date, errors: Type.Array(Type.String()), notices: Type.Optional(RowNotices) }),
  ),
});
export type ScheduledUpdate = Static<typeof ScheduledUpdate>;

/** schedule: the updates of an item that are not due yet or have failed. */
export const Schedule = Type.Object({
  itemId: Type.String(),
  updates: Type.Array(ScheduledUpdate),
  /** The earliest time of an update that has not failed; absent if there is none. */
  due: Type.Optional(date),
  /** Updates with a smaller stamp were applied or cancelled, and must not be added again. */
  floor: Type.Optional(Stamp),
});
export type Schedule = Static<typeof Schedule>;

/** A schedule whose updates are read without their rows. */
export type ScheduleHeads = Omit<Schedule, "updates" | "floor"> & { updates: Omit<ScheduledUpdate, "patch">[] };

/** Row of the request that applies a store's updates due by `until`. */
export const ApplyScheduled = Type.Object({ until: Type.String({ format: "instant" }) });
export type ApplyScheduled = Static<typeof ApplyScheduled>;

const { itemId: _itemId, validFrom: _validFrom, lastUpdated: _lastUpdated, ...fields } = ItemPatch.properties;

/** A scheduled update in a response: its row, its time, and its errors if it failed. */
export const ScheduledUpdateAnswer = Type.Object(
  {
    itemId: ItemId,
    validFrom: Type.String({ description: "When it is applied: `YYYY-MM-DD hh:mm:ss` in the store's time zone" }),
    requestId: Type.Integer({ description: "The request that scheduled it" }),
    status: Type.Enum(["PENDING", "ERROR"], {
      description: "ERROR: it could not be applied when it was due; `errors` lists the reasons",
    }),
    errors: Type.Array(Type.String()),
    notices: Type.Optional(RowNotices),
    campaign: Type.Optional(
      Type.String({ description: "The campaign that begins or ends; absent for other updates", examples: ["spring"] }),
    ),
    ends: Type.Optional(
      Type.Literal(true, { description: "The campaign ends: the regular price and properties return" }),
    ),
    ...fields,
  },
  { title: "ScheduledUpdate" },
);
