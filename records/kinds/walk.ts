import { type Static, Type } from "typebox";
import { recordKind } from "../kind.ts";

const date = Type.Unsafe<Date>({});

/** walk: a walk over the records of a queue's stages, with its cursor, its counts and its lease. */
const Walk = Type.Object({
  queue: Type.String(),
  /** Prefix of the keys that are walked: of all tenants, of a tenant or of a store. */
  scope: Type.String(),
  /** Why it was begun. */
  reason: Type.String(),
  /** Generation of the walk: a newer walk of the same key ends an older one. */
  epoch: Type.Integer(),
  /** Of an audit: run id of the Redis server at its beginning. */
  runId: Type.Optional(Type.String()),
  startedAt: date,
  finishedAt: Type.Optional(date),
  /** Index of the present stage, and the last key that was checked in it. */
  stage: Type.Integer(),
  cursor: Type.Optional(Type.String()),
  checked: Type.Integer(),
  /** Records to check in all stages, counted when a process first takes the walk. */
  total: Type.Optional(Type.Integer()),
  stale: Type.Integer(),
  holder: Type.String(),
  heldUntil: date,
});
export type Walk = Static<typeof Walk>;

export const walks = recordKind("walk", Walk);
