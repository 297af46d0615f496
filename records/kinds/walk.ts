import { type Static, Type } from "typebox";
import { recordKind } from "../kind.ts";

const date = Type.Unsafe<Date>({});

/** A walk over the records of a queue's stages: how far it is, and what it found. */
const Walk = Type.Object({
  queue: Type.String(),
  /** Prefix of the keys that are walked: a tenant's, or every store's. */
  scope: Type.String(),
  /** Why it was begun. */
  reason: Type.String(),
  /** Counts the walks of this key. A newer one ends an older one. */
  epoch: Type.Integer(),
  /** Of an audit: which run of the Redis server it began with. */
  runId: Type.Optional(Type.String()),
  startedAt: date,
  finishedAt: Type.Optional(date),
  /** The stage it is in, and the last key it has looked at there. */
  stage: Type.Integer(),
  cursor: Type.Optional(Type.String()),
  checked: Type.Integer(),
  /** How many there were to look at when it began, in all stages; absent until somebody walks it. */
  total: Type.Optional(Type.Integer()),
  stale: Type.Integer(),
  holder: Type.String(),
  heldUntil: date,
});
export type Walk = Static<typeof Walk>;

export const walks = recordKind("walk", Walk);
