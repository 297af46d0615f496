import { type Static, Type } from "typebox";
import { ItemId, ItemPatch } from "./item.ts";
import { Stamp } from "./stamp.ts";

const date = Type.Unsafe<Date>({});

/** A row of PATCH /items that waits for its time. */
const ScheduledUpdate = Type.Object({
  due: date,
  /** Of the row that asked for it. */
  stamp: Stamp,
  /** The row, as JSON: it may hold keys that no record may. */
  patch: Type.String(),
  /** The stamp under which it takes effect: set once, before anything of it does. */
  appliedAs: Type.Optional(Stamp),
  /** Set where it could not be applied, or not with all of its links. */
  failed: Type.Optional(Type.Object({ at: date, errors: Type.Array(Type.String()) })),
});
export type ScheduledUpdate = Static<typeof ScheduledUpdate>;

/** schedule: the updates of an item that wait for their time, or have failed at it. */
export const Schedule = Type.Object({
  itemId: Type.String(),
  updates: Type.Array(ScheduledUpdate),
  /** The earliest time of those that wait; absent where none does. */
  due: Type.Optional(date),
  /** Nothing with a smaller stamp may be entered any more: it was applied or cancelled. */
  floor: Type.Optional(Stamp),
});
export type Schedule = Static<typeof Schedule>;

/** Job of a request that has a store's updates applied up to a time. */
export const ApplyScheduled = Type.Object({ until: Type.String({ format: "instant" }) });
export type ApplyScheduled = Static<typeof ApplyScheduled>;

const { itemId: _itemId, validFrom: _validFrom, lastUpdated: _lastUpdated, ...fields } = ItemPatch.properties;

/** A scheduled update in an answer: the row that asked for it, when it is due, and what became of it. */
export const ScheduledUpdateAnswer = Type.Object(
  {
    itemId: ItemId,
    validFrom: Type.String({ description: "When it is applied: `YYYY-MM-DD hh:mm:ss` in the store's zone" }),
    requestId: Type.Integer({ description: "The request that asked for it" }),
    status: Type.Enum(["PENDING", "ERROR"], { description: "ERROR: its time has come, and `errors` says what failed" }),
    errors: Type.Array(Type.String()),
    ...fields,
  },
  { title: "ScheduledUpdate" },
);
