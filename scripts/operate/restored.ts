import { setTimeout } from "node:timers/promises";
import { forgetRedis } from "../../queues/forget-redis.ts";
import { resendLabels } from "../../queues/linking/resend-labels.ts";
import type { System } from "../../queues/system.ts";
import { skipNumbers } from "../../records/requests/skip-numbers.ts";

export interface RestoredOptions {
  /** How many request numbers each store leaves out: more than it can have drawn since the backup. */
  step: number;
  /** How many labels are sent to in each second. */
  perSecond: number;
  /** How long processes that run are waited for, until they have noticed the new epoch. */
  noticeMs: number;
  print(line: string): void;
}

/**
 * What must follow a restore of MongoDB (docs/operations.md#a-restore-of-mongodb). It may be repeated: each run leaves
 * out further numbers and sends every label once more.
 */
export async function restored(system: System, { step, perSecond, noticeMs, print }: RestoredOptions): Promise<void> {
  const others = await otherConnections(system);
  const epoch = await system.epoch.begin(system.now());
  print(`A new epoch has begun: ${new Date(epoch).toISOString()}.`);
  if (others > 0) {
    print(
      `Other processes have ${others} connections to Redis: they end themselves now. The platform must start them.`,
    );
    await setTimeout(noticeMs);
  }
  const skipped = await skipNumbers(system.db, step);
  print(`${skipped.length} stores go on ${step} request numbers above the last that MongoDB holds.`);
  for (const { store, through } of skipped) print(`  ${store}: ${through + 1}`);
  print(`${await forgetRedis(system.redis)} keys of jobs and results were deleted in Redis.`);
  const labels = await resendLabels(system, perSecond);
  print(`${labels} labels are sent their pictures once more, within ${Math.ceil(labels / perSecond)} s.`);
}

async function otherConnections({ redis }: System): Promise<number> {
  const list = String(await redis.client("LIST"));
  return list.split("\n").filter((line) => line.startsWith("id=")).length - 1;
}
