import { type Static, Type } from "typebox";
import { Change } from "../../schemas/topics.ts";
import { recordKind } from "../kind.ts";

/** A key that its worker could not handle: what, why, since when, and when it is tried again. */
const Failure = Type.Object({
  queue: Type.String(),
  topic: Type.String(),
  change: Change,
  reason: Type.String(),
  since: Type.Unsafe<Date>({}),
  attempts: Type.Integer(),
  retryAt: Type.Unsafe<Date>({}),
});
export type Failure = Static<typeof Failure>;

export const failures = recordKind("failure", Failure, { indexes: [{ keys: { queue: 1, retryAt: 1 } }] });
