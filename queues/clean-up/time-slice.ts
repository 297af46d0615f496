import type { Leases } from "../../records/leases/leases.ts";

/** The time slice of one kind of data in a clean-up pass. */
export interface TimeSlice {
  /** Renews the lease of the pass; false if another process has taken it, so this process must stop. */
  renew(): Promise<boolean>;
  /** Like `renew`, but also false once the slice is over, so that every kind of data gets a slice in each pass. */
  goOn(): Promise<boolean>;
}

const MAX_SLICE_MS = 300_000;

export function beginTimeSlice(
  { leases, now }: { leases: Leases; now(): Date },
  lease: string,
  leaseMs: number,
): TimeSlice {
  const end = now().getTime() + MAX_SLICE_MS;
  const renew = () => leases.hold(lease, leaseMs);
  return { renew, goOn: async () => now().getTime() < end && (await renew()) };
}
