import type { Db } from "mongodb";
import { isDuplicateKey } from "../mongodb/duplicate-keys.ts";
import type { FirstTogether } from "../mongodb/find-first-together.ts";
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
  firstTogether: FirstTogether;
  /** Unique to this process. */
  holder: string;
  now(): Date;
  /** A monotonic clock, in milliseconds. */
  clock(): number;
}

/**
 * Leases for work that only one process should do at a time, such as a sweep. They save work; correctness does not depend on
 * them.
 */
export function openLeases({ db, firstTogether, holder, now, clock }: LeaseWorld): Leases {
  const leases = db.collection<Lease>("lease");
  const hasEnded = createLeaseWatch(clock);
  /** Names of the leases that this process holds, as far as it knows. */
  const own = new Set<string>();

  async function mayBeTaken(name: string, milliseconds: number): Promise<boolean> {
    const held = await firstTogether<Lease>({ collection: "lease", filter: { _id: name } });
    if (held === undefined || held.holder === holder || held.until < now()) return true;
    return hasEnded(name, stateOf(held), milliseconds);
  }

  /** Takes a lease that its holder has not renewed, even if the lease has not ended yet because the holder's clock is ahead. */
  async function takeEnded(name: string, milliseconds: number, until: Date): Promise<boolean> {
    const held = await leases.findOne({ _id: name });
    if (held === null || !hasEnded(name, stateOf(held), milliseconds)) return false;
    const { matchedCount } = await leases.updateOne(held, { $set: { holder, until } });
    return matchedCount === 1;
  }

  async function take(name: string, milliseconds: number): Promise<boolean> {
    const until = new Date(now().getTime() + milliseconds);
    const free = { _id: name, $or: [{ holder }, { until: { $lt: now() } }] };
    try {
      await leases.updateOne(free, { $set: { holder, until } }, { upsert: true });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return takeEnded(name, milliseconds, until);
      throw error;
    }
  }

  return {
    async hold(name, milliseconds) {
      // The holder renews its lease with one command. Other processes check first, together with their other look-ups.
      const isTaken = (own.has(name) || (await mayBeTaken(name, milliseconds))) && (await take(name, milliseconds));
      if (isTaken) own.add(name);
      else own.delete(name);
      return isTaken;
    },

    async release(name) {
      own.delete(name);
      await leases.deleteOne({ _id: name, holder });
    },
  };
}

const stateOf = ({ holder, until }: Lease): string => `${holder} ${until.getTime()}`;
