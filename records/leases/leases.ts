import type { Db } from "mongodb";
import { isDuplicateKey } from "../mongodb/duplicate-keys.ts";
import { createLeaseWatch } from "./lease-watch.ts";

interface Lease {
  _id: string;
  holder: string;
  until: Date;
}

export interface Leases {
  /** Takes or renews a lease for the given milliseconds; false if another process holds it. */
  hold(name: string, milliseconds: number): Promise<boolean>;
  /** Releases a lease early, if this process holds it. */
  release(name: string): Promise<void>;
}

interface LeaseWorld {
  db: Db;
  /** Unique to this process. */
  holder: string;
  now(): Date;
  /** Milliseconds that only grow. */
  clock(): number;
}

/**
 * Leases for work that only one process should do at a time, such as a sweep. They save work; correctness does not
 * depend on them.
 */
export function openLeases({ db, holder, now, clock }: LeaseWorld): Leases {
  const leases = db.collection<Lease>("lease");
  const hasEnded = createLeaseWatch(clock);

  /** Takes a lease that its holder has not renewed, even if its date is in the future by another clock. */
  async function takeEnded(name: string, milliseconds: number, until: Date): Promise<boolean> {
    const held = await leases.findOne({ _id: name });
    if (held === null || !hasEnded(name, `${held.holder} ${held.until.getTime()}`, milliseconds)) return false;
    const { matchedCount } = await leases.updateOne(held, { $set: { holder, until } });
    return matchedCount === 1;
  }

  return {
    async hold(name, milliseconds) {
      const until = new Date(now().getTime() + milliseconds);
      const free = { _id: name, $or: [{ holder }, { until: { $lt: now() } }] };
      try {
        await leases.updateOne(free, { $set: { holder, until } }, { upsert: true });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return takeEnded(name, milliseconds, until);
        throw error;
      }
    },

    async release(name) {
      await leases.deleteOne({ _id: name, holder });
    },
  };
}
