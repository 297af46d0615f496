import type { Logger } from "pino";
import type { createCarryOutHold } from "../../queues/requests/carry-out-hold.ts";
import { joined, type Partitions } from "../../queues/store-partitions.ts";
import type { FirstTogether } from "../../records/mongodb/find-first-together.ts";
import { firstMarks, type HoldMarks } from "../../records/requests/held/hold-marks.ts";
import { firstOpenHold, type Holds } from "../../records/requests/held/holds.ts";
import { PARTIAL_TTL_MS } from "../../records/requests/numbers.ts";

interface Dependencies {
  firstTogether: FirstTogether;
  partitions: Pick<Partitions, "own">;
  holds: Pick<Holds, "readOpen" | "change">;
  holdMarks: Pick<HoldMarks, "removeUnused">;
  carryOutHold: ReturnType<typeof createCarryOutHold>;
  /** By the database's clock. */
  now(): Date;
  log: Pick<Logger, "info">;
}

/**
 * Rejects held requests that have expired, and carries out decisions that a killed process did not carry out. Each process does
 * this for the stores in its partitions. Idempotent.
 */
export function createHoldSweep({
  firstTogether,
  partitions,
  holds,
  holdMarks,
  carryOutHold,
  now,
  log,
}: Dependencies): () => Promise<void> {
  return async () => {
    const own = joined(await partitions.own("schedules"));
    const [anyOpen, anyMarks] = await Promise.all([firstTogether(firstOpenHold), firstTogether(firstMarks)]);
    if (anyOpen === undefined && anyMarks === undefined) return;
    const open = await holds.readOpen(own);
    for (const { first, isWhole } of open) {
      const { store, number, hold, drawnAt } = first;
      if (!isWhole) {
        if (now().getTime() - drawnAt.getTime() > PARTIAL_TTL_MS) await carryOutHold.dropped(first);
        continue;
      }
      if (hold.state !== "WAITING") {
        await carryOutHold.decided(first);
        continue;
      }
      if (now() < hold.expiresAt) continue;
      const expired = { state: "EXPIRED" as const, decision: { at: now() } };
      if (!(await holds.change(store, number, hold, expired))) continue;
      log.info({ store, number }, "a held request has expired");
      await carryOutHold.decided({ ...first, hold: { ...hold, ...expired } });
    }
    await holdMarks.removeUnused(own, new Set(open.map(({ first }) => first.hold.mark)));
  };
}
