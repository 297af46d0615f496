import { type Static, Type } from "typebox";
import { Change } from "../../schemas/topics.ts";
import { recordKind } from "../kind.ts";

/** failure: a change that a queue's handler failed for, with the reason and the time of the next retry. */
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
