import type { Db } from "mongodb";
import { isDuplicateKey } from "../duplicate-keys.ts";

interface Lease {
  _id: string;
  holder: string;
  until: Date;
}

export interface Leases {
  /** Takes or renews a lease for so many milliseconds; false where another process holds it. */
  hold(name: string, milliseconds: number): Promise<boolean>;
  /** Gives a lease back before its time, where this process holds it. */
  release(name: string): Promise<void>;
}

/** Leases for work that one process at a time should do, such as a sweep. They save work; correctness needs none. */
export function openLeases(db: Db, holder: string, now: () => Date): Leases {
  const leases = db.collection<Lease>("lease");
  return {
    async hold(name, milliseconds) {
      const until = new Date(now().getTime() + milliseconds);
      const free = { _id: name, $or: [{ holder }, { until: { $lt: now() } }] };
      try {
        await leases.updateOne(free, { $set: { holder, until } }, { upsert: true });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    async release(name) {
      await leases.deleteOne({ _id: name, holder });
    },
  };
}
