import { type Static, Type } from "typebox";
import { FlashSequence } from "../../schemas/flash-sequence.ts";
import { Change } from "../../schemas/topics.ts";
import { WorkMark } from "../../schemas/work-list.ts";
import { recordKind } from "../kind.ts";

/** failure: a change that a queue's handler failed for, with the reason and the time of the next retry. */
const Failure = Type.Object({
  queue: Type.String(),
  topic: Type.String(),
  change: Change,
  reason: Type.String(),
  since: Type.Unsafe<Date>({}),
  attempts: Type.Integer(),
  /** Retries that were begun since it last failed: several, if they ended their processes. */
  begun: Type.Optional(Type.Integer()),
  retryAt: Type.Unsafe<Date>({}),
});
export type Failure = Static<typeof Failure>;

export const failures = recordKind("failure", Failure, { indexes: [{ keys: { queue: 1, retryAt: 1 } }] });

const date = Type.Unsafe<Date>({});

/** A place in a walk: index of the stage, and the last key that was checked in it; before its first key if absent. */
const Position = Type.Object({ stage: Type.Integer(), cursor: Type.Optional(Type.String()) });
export type Position = Static<typeof Position>;

/** walk: a walk over the records of a queue's stages, with its cursor, its counts and its lease. */
const Walk = Type.Object({
  queue: Type.String(),
  /** Prefix of the keys that are walked: of all tenants, of a tenant or of a store. */
  scope: Type.String(),
  /** Why it was begun. */
  reason: Type.String(),
  /** Generation of the walk: a newer walk of the same key replaces an older one. Stored under the name of the last release, which runs in parallel. */
  epoch: Type.Integer(),
  /** Audits only: run id of the Redis server at its start. */
  runId: Type.Optional(Type.String()),
  startedAt: date,
  finishedAt: Type.Optional(date),
  /**
   * Start of the last walk of this key that ended without stale keys: everything derived from older changes was correct
   * then. It stays if a later walk finds stale keys, since their inputs are newer.
   */
  provenAt: Type.Optional(date),
  ...Position.properties,
  /**
   * The start position of a walk that began in the middle: it runs to the end, continues with the first stage, and ends
   * where it began. Absent if it began with the first key.
   */
  began: Type.Optional(Position),
  /** Set once a walk that began in the middle has continued with the first stage. */
  wrapped: Type.Optional(Type.Boolean()),
  /** How many records were checked since it began. */
  checked: Type.Integer(),
  /** Records to check in all stages: those of the last walk of this key that ended; absent before one has. */
  total: Type.Optional(Type.Integer()),
  stale: Type.Integer(),
  /** Scheduled audits only: it has a budget, and enqueues a key only after a second look. */
  background: Type.Optional(Type.Boolean()),
  /** Stale keys of the current stage that wait for their second look, and when the last of them was found. */
  suspects: Type.Optional(Type.Array(Type.String())),
  suspectedAt: Type.Optional(date),
  /** Audits only: number of tenants' walks into which it was divided. */
  parts: Type.Optional(Type.Integer()),
  /** Of a tenant's walk in an audit: the generation of that audit. */
  audit: Type.Optional(Type.Integer()),
  holder: Type.String(),
  heldUntil: date,
});
export type Walk = Static<typeof Walk>;

export const walks = recordKind("walk", Walk, { indexes: [{ keys: { queue: 1, finishedAt: 1 } }] });

export const flashSequences = recordKind("flashsequence.v1", FlashSequence, {
  indexes: [
    { keys: { due: 1 }, sparse: true },
    // Those of a store that run.
    { keys: { store: 1, state: 1 } },
    // Those that have ended, for clean-up.
    { keys: { endedAt: 1 }, sparse: true },
  ],
});

// By expiry, for clean-up.
export const workMarks = recordKind("workmark", WorkMark, { indexes: [{ keys: { expiresAt: 1 } }] });
