import { setTimeout } from "node:timers/promises";
import { forgetRedis } from "../../../queues/forget-redis.ts";
import { resendLabels } from "../../../queues/linking/resend-labels.ts";
import { nodesOf } from "../../../queues/redis.ts";
import type { System } from "../../../queues/system.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { planSkips, type SkippedNumbers, skipNumbers } from "../../../records/requests/skip-numbers.ts";
import type { Call, Report } from "./command.ts";

/** Default number of labels to which a picture is sent per second. Live prices continue meanwhile. */
export const LABELS_PER_SECOND = 50;

export interface RestoredOptions extends Pick<Call, "isDryRun" | "progress"> {
  /** How many request numbers each store skips, which must be more than it can have used since the backup. */
  step: number;
  /** Number of labels to which a picture is sent per second. */
  perSecond: number;
  /** How long to wait until running processes have noticed the new epoch, in milliseconds. */
  noticeMs: number;
}

/**
 * Takes the steps that must follow a restore of MongoDB (docs/operations/back-up-and-restore.md#a-restore-of-mongodb). They may
 * be repeated: each run skips more numbers and sends every label's picture again.
 */
export async function restored(system: System, options: RestoredOptions): Promise<Report> {
  const { step, perSecond, noticeMs, isDryRun, progress } = options;
  const connections = await otherConnections(system);
  const total = await system.records.count(labelStates, "t/");
  if (isDryRun) {
    const stores = nextRequests(await planSkips(system.db, step));
    return {
      data: { connections, stores, labels: total },
      lines: [
        `Other processes have ${connections} connections to Redis; a new epoch would terminate them.`,
        ...skipLines(stores, step),
        `${total} labels would be sent their pictures again, within ${Math.ceil(total / perSecond)} s.`,
      ],
    };
  }
  const epoch = await system.epoch.begin(system.now());
  if (connections > 0) await setTimeout(noticeMs);
  const stores = nextRequests(await skipNumbers(system.db, step));
  const deletedKeys = await forgetRedis(system.redis);
  const labels = await resendLabels(system, perSecond, progress("labels", total));
  return {
    data: { epoch, connections, stores, deletedKeys, labels },
    lines: [
      `A new epoch has begun: ${new Date(epoch).toISOString()}.`,
      ...(connections > 0
        ? [
            `Other processes had ${connections} connections to Redis and have exited. The platform must start them again.`,
          ]
        : []),
      ...skipLines(stores, step),
      `${deletedKeys} keys of jobs and results were deleted in Redis.`,
      `${labels} labels are sent their pictures again, within ${Math.ceil(labels / perSecond)} s.`,
    ],
  };
}

const nextRequests = (skips: readonly SkippedNumbers[]) =>
  skips.map(({ store, through }) => ({ store, nextRequest: through + 1 }));

const skipLines = (stores: readonly { store: string; nextRequest: number }[], step: number): string[] => [
  `${stores.length} stores continue ${step} request numbers above the last one stored in MongoDB.`,
  ...stores.map(({ store, nextRequest }) => `  ${store}: ${nextRequest}`),
];

async function otherConnections({ redis }: System): Promise<number> {
  const lists = await Promise.all(nodesOf(redis).map((node) => node.client("LIST")));
  const connections = lists.flatMap((list) => String(list).split("\n")).filter((line) => line.startsWith("id="));
  return connections.length - lists.length;
}
