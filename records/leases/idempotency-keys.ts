import { randomUUID } from "node:crypto";
import { type Db, MongoServerError } from "mongodb";

/** An answer that was given to a call, to be given to each repetition. */
export interface KeptAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  type?: string;
  body?: string;
}

/** A call that carries a key of its caller's (Idempotency-Key): who runs it, and what it was answered. */
interface KeyedCall {
  _id: string;
  /** What was asked for. */
  fingerprint: string;
  /** Names what the call puts into the journal; the same however often the call is run again. */
  run: string;
  takenAt: Date;
  /** Who runs it now, and until when that is believed of a process that may have been killed. */
  holder: string;
  heldUntil: Date;
  answer?: KeptAnswer;
}

/** A key that the caller holds now: it runs the call, and then answers, frees or leaves it. */
export type Held = Pick<KeyedCall, "_id" | "run" | "holder"> & {
  /** Somebody began before and did not come to an end. */
  isRepeated: boolean;
};

export type Taken =
  | { is: "ours"; held: Held }
  | { is: "answered"; answer: KeptAnswer }
  | { is: "running"; milliseconds: number }
  | { is: "another call" };

export interface IdempotencyKeys {
  /** Takes a key, unless another call has it, it is answered, or a process runs it. */
  take(key: string, fingerprint: string): Promise<Taken>;
  /** Keeps others away for another while. */
  hold(held: Held): Promise<void>;
  answer(held: Held, answer: KeptAnswer): Promise<void>;
  /** Forgets a call that did nothing, as if its key had never been used. */
  free(held: Held): Promise<void>;
  /** Lets whoever comes next run the call again, under the same name. */
  leave(held: Held): Promise<void>;
  /** Drops keys that were first taken before `before`. */
  forget(before: Date): Promise<number>;
}

const HOLD_MS = 5_000;
const TRIES = 5;
const DUPLICATE_KEY = 11_000;

/** Keys count for `lifetime` seconds. Times are only for calm: that a call happens once, the journal sees to. */
export function openIdempotencyKeys(db: Db, now: () => Date, lifetime: number): IdempotencyKeys {
  const calls = db.collection<KeyedCall>("idempotencykey");
  const later = () => new Date(now().getTime() + HOLD_MS);

  async function insert(call: KeyedCall): Promise<boolean> {
    try {
      await calls.insertOne(call);
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }

  /** What a key that is there already means for a call; undefined where it changed meanwhile. */
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
    const left = { _id, holder: present.holder, heldUntil };
    const { matchedCount } = await calls.updateOne(left, { $set: { holder, heldUntil: later() } });
    return matchedCount === 1 ? { is: "ours", held: { _id, run, holder, isRepeated: true } } : undefined;
  }

  return {
    async take(key, fingerprint) {
      const [run, holder] = [randomUUID(), randomUUID()];
      for (let tries = 0; tries < TRIES; tries += 1) {
        const call = { _id: key, fingerprint, run, takenAt: now(), holder, heldUntil: later() };
        if (await insert(call)) return { is: "ours", held: { _id: key, run, holder, isRepeated: false } };
        // Also what a majority does not have yet: whoever inserted it is at work.
        const present = await calls.findOne({ _id: key }, { readConcern: { level: "local" } });
        const taken = present && (await judge(present, fingerprint, holder));
        if (taken) return taken;
      }
      return { is: "running", milliseconds: HOLD_MS };
    },

    async hold({ _id, holder }) {
      await calls.updateOne({ _id, holder }, { $set: { heldUntil: later() } });
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
    async forget(before) {
      return (await calls.deleteMany({ takenAt: { $lt: before } })).deletedCount;
    },
  };
}
