import type { Leases } from "../../records/leases/leases.ts";

/** The turn of one kind of data in a pass of the clean-up. */
export interface Turn {
  /** Renews the lease of the pass; false where another process has taken it, so that this one must stop. */
  renew(): Promise<boolean>;
  /** As `renew`, and false once the turn has lasted for its time, so that every kind of data has one in each pass. */
  goOn(): Promise<boolean>;
}

const MAX_TURN_MS = 300_000;

export function beginTurn({ leases, now }: { leases: Leases; now(): Date }, lease: string, leaseMs: number): Turn {
  const end = now().getTime() + MAX_TURN_MS;
  const renew = () => leases.hold(lease, leaseMs);
  return { renew, goOn: async () => now().getTime() < end && (await renew()) };
}
