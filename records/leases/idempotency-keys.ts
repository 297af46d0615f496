import { randomUUID } from "node:crypto";
import type { Db } from "mongodb";
import { deleteInBatches } from "../mongodb/delete-in-batches.ts";
import { isDuplicateKey } from "../mongodb/duplicate-keys.ts";

/** The stored response to a call, which is returned to each repetition of the call. */
export interface KeptAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  type?: string;
  body?: string;
}

/** A call with an Idempotency-Key: which process runs it, and its response. */
interface KeyedCall {
  _id: string;
  /** Digest of the call: a different call with the same key is refused. */
  fingerprint: string;
  /** Names the requests that the call journals; a repetition of the call has the same name. */
  run: string;
  takenAt: Date;
  /**
   * The lease of the running call. After `heldUntil`, a repeated call may take over the lease: the process that held it must have
   * been killed.
   */
  holder: string;
  heldUntil: Date;
  answer?: KeptAnswer;
}

/**
 * A key whose lease the caller holds. The caller runs the call, then stores the response, deletes the key or ends the lease.
 */
export type Held = Pick<KeyedCall, "_id" | "run" | "holder"> & {
  /** An earlier run began and did not finish. */
  isRepeated: boolean;
};

export type Taken =
  | { is: "ours"; held: Held }
  | { is: "answered"; answer: KeptAnswer }
  | { is: "running"; milliseconds: number }
  | { is: "another call" };

export interface IdempotencyKeys {
  /** Takes a key's lease, unless the key belongs to a different call or has a response, or its call is already running. */
  take(key: string, fingerprint: string): Promise<Taken>;
  /** Renews the lease. */
  hold(held: Held): Promise<void>;
  /** Stores the response for repetitions. */
  answer(held: Held, answer: KeptAnswer): Promise<void>;
  /** Deletes the key of a call that did nothing, as if it had never been used. */
  free(held: Held): Promise<void>;
  /** Ends the lease, so that the next repetition repeats the run under the same name. */
  leave(held: Held): Promise<void>;
  /** Deletes keys that were first taken before `before`, as long as `goOn` allows it; returns their number. */
  forget(before: Date, goOn?: () => Promise<boolean>): Promise<number>;
}

const LEASE_MS = 5_000;
const MAX_TRIES = 5;

/**
 * Keys expire after `lifetime` seconds (the setting RESULT_TTL). Leases only save work: it is the journal's unique index that
 * makes a call take effect only once.
 */
export function openIdempotencyKeys(db: Db, now: () => Date, lifetime: number): IdempotencyKeys {
  const calls = db.collection<KeyedCall>("idempotencykey");
  const leaseEnd = () => new Date(now().getTime() + LEASE_MS);

  async function insert(call: KeyedCall): Promise<boolean> {
    try {
      await calls.insertOne(call);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Decides what a stored key means for a call; undefined if the key has changed since it was read. */
  async function judge(present: KeyedCall, fingerprint: string, holder: string): Promise<Taken | undefined> {
    const { _id, run, takenAt, heldUntil, answer } = present;
    if (takenAt.getTime() < now().getTime() - lifetime * 1000) {
      await calls.deleteOne({ _id, run });
      return undefined;
    }
    if (present.fingerprint !== fingerprint) return { is: "another call" };
    if (answer) return { is: "answered", answer };
    const milliseconds = heldUntil.getTime() - now().getTime();
    if (milliseconds > 0) return { is: "running", milliseconds };
    const expired = { _id, holder: present.holder, heldUntil };
    const { matchedCount } = await calls.updateOne(expired, { $set: { holder, heldUntil: leaseEnd() } });
    return matchedCount === 1 ? { is: "ours", held: { _id, run, holder, isRepeated: true } } : undefined;
  }

  return {
    async take(key, fingerprint) {
      const [run, holder] = [randomUUID(), randomUUID()];
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const call = { _id: key, fingerprint, run, takenAt: now(), holder, heldUntil: leaseEnd() };
        if (await insert(call)) return { is: "ours", held: { _id: key, run, holder, isRepeated: false } };
        // Read concern "local", since an earlier insert blocks this one even before a majority has it.
        const present = await calls.findOne({ _id: key }, { readConcern: { level: "local" } });
        const taken = present && (await judge(present, fingerprint, holder));
        if (taken) return taken;
      }
      return { is: "running", milliseconds: LEASE_MS };
    },

    async hold({ _id, holder }) {
      await calls.updateOne({ _id, holder }, { $set: { heldUntil: leaseEnd() } });
    },
    async answer({ _id, run }, answer) {
      await calls.updateOne({ _id, run }, { $set: { answer } });
    },
    async free({ _id, holder }) {
      await calls.deleteOne({ _id, holder });
    },
    async leave({ _id, holder }) {
      await calls.updateOne({ _id, holder }, { $set: { heldUntil: now() } });
    },
    forget: (before, goOn) =>
      deleteInBatches(calls, { takenAt: { $lt: before } }, { sort: { takenAt: 1 }, ...(goOn && { goOn }) }),
  };
}
