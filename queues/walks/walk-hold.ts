import type { Walk } from "../../records/kinds/work.ts";
import type { Stored } from "../../schemas/record.ts";

/** An expired lease: any process may take the walk. */
export const released: Pick<Walk, "holder" | "heldUntil"> = { holder: "", heldUntil: new Date(0) };

/** Length of the walking process's lease. The process renews it, no matter how long a batch takes. */
export const WALK_LEASE_MS = 6_000;
const RENEW_INTERVAL_MS = 1_500;

/** A walk that this process has taken. */
export interface WalkHold {
  /** Stores a step; undefined if the walk is no longer held: it was released, or another process continued it. */
  step(fields: Partial<Walk>): Promise<Stored<Walk> | undefined>;
  /** Ends the renewals. */
  end(): void;
}

interface Dependencies {
  /** Stores a step of a walk that still has the rev that was read. */
  advance(walk: Stored<Walk>, fields: Partial<Walk>): Promise<Stored<Walk> | undefined>;
  /** Called if a lease could not be renewed: the lease then ends, and another process may continue the walk. */
  onError(error: Error): void;
}

/**
 * Holds a walk, beginning with the state in which it was taken. Steps and renewals are written one at a time, each based on the
 * rev of the one before. So if a process stalls until another has continued the walk, it writes nothing more, even if its own
 * clock is wrong.
 */
export function holdWalk(taken: Stored<Walk>, { advance, onError }: Dependencies): WalkHold {
  let present: Stored<Walk> | undefined = taken;
  let last: Promise<unknown> = Promise.resolve();

  async function store(fields: Partial<Walk>): Promise<Stored<Walk> | undefined> {
    const stepped = present && (await advance(present, fields));
    present = stepped?.holder === taken.holder ? stepped : undefined;
    return stepped;
  }
  const step: WalkHold["step"] = (fields) => {
    const stored = last.then(() => store(fields));
    last = stored.catch(() => {});
    return stored;
  };

  const renewal = setInterval(() => void step({}).catch(onError), RENEW_INTERVAL_MS);
  return { step, end: () => clearInterval(renewal) };
}
