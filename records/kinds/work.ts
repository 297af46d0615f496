import { type Static, Type } from "typebox";
import { FlashSequence } from "../../schemas/flash-sequence.ts";
import { Change } from "../../schemas/topics.ts";
import { WorkMark } from "../../schemas/work-list.ts";
import { recordKind } from "../kind.ts";

/** failure: a change that a queue's handler failed to process, with the reason and the time of the next retry. */
const Failure = Type.Object({
  queue: Type.String(),
  topic: Type.String(),
  change: Change,
  reason: Type.String(),
  since: Type.Unsafe<Date>({}),
  attempts: Type.Integer(),
  /** Number of retries started since it last failed; more than one if retries ended their processes. */
  begun: Type.Optional(Type.Integer()),
  retryAt: Type.Unsafe<Date>({}),
});
export type Failure = Static<typeof Failure>;

export const failures = recordKind("failure", Failure, { indexes: [{ keys: { queue: 1, retryAt: 1 } }] });

const date = Type.Unsafe<Date>({});

/**
 * A place in a walk: the index of a stage, and the last key checked in that stage. Without a cursor, it is the place before the
 * stage's first key.
 */
const Position = Type.Object({ stage: Type.Integer(), cursor: Type.Optional(Type.String()) });
export type Position = Static<typeof Position>;

/** walk: a walk over the records of a queue's stages, with its cursor, its counts and its lease. */
const Walk = Type.Object({
  queue: Type.String(),
  /** Prefix of the walked keys: those of all tenants, of one tenant or of one store. */
  scope: Type.String(),
  /** Why it was started. */
  reason: Type.String(),
  /**
   * Generation of the walk: a newer walk with the same key replaces an older one. Stored under the name that the previous
   * release uses, since that release may run in parallel.
   */
  epoch: Type.Integer(),
  /** Audits only: run ids of the partitions' Redis servers when the audit started, separated by spaces. */
  runId: Type.Optional(Type.String()),
  startedAt: date,
  finishedAt: Type.Optional(date),
  /**
   * Start of this key's last walk that found no stale keys: everything derived from older changes was correct then. It is kept if
   * a later walk finds stale keys, since their inputs are newer.
   */
  provenAt: Type.Optional(date),
  ...Position.properties,
  /**
   * The start position of a walk that began in the middle: it runs to the end, continues with the first stage, and ends where
   * it began. Absent if it began with the first key.
   */
  began: Type.Optional(Position),
  /** Set once a walk that began in the middle has continued with the first stage. */
  wrapped: Type.Optional(Type.Boolean()),
  /** Number of records checked since it began. */
  checked: Type.Integer(),
  /** Number of records to check in all stages, taken from this key's last completed walk; absent before a walk has completed. */
  total: Type.Optional(Type.Integer()),
  stale: Type.Integer(),
  /** Scheduled audits only: the walk has a budget, and enqueues a key only after a second check. */
  background: Type.Optional(Type.Boolean()),
  /** Stale keys of the current stage that are awaiting their second check, and when the last of them was found. */
  suspects: Type.Optional(Type.Array(Type.String())),
  suspectedAt: Type.Optional(date),
  /** Audits only: number of per-tenant walks into which the audit was divided. */
  parts: Type.Optional(Type.Integer()),
  /** Set on a tenant's walk within an audit: the generation of that audit. */
  audit: Type.Optional(Type.Integer()),
  holder: Type.String(),
  heldUntil: date,
});
export type Walk = Static<typeof Walk>;

export const walks = recordKind("walk", Walk, { indexes: [{ keys: { queue: 1, finishedAt: 1 } }] });

export const flashSequences = recordKind("flashsequence.v1", FlashSequence, {
  indexes: [
    { keys: { due: 1 }, sparse: true },
    // A store's running sequences.
    { keys: { store: 1, state: 1 } },
    // Ended sequences, for clean-up.
    { keys: { endedAt: 1 }, sparse: true },
  ],
});

// By expiry, for clean-up.
export const workMarks = recordKind("workmark", WorkMark, { indexes: [{ keys: { expiresAt: 1 } }] });
