import { createChangeEvents } from "../../queues/publish/change-events.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/worker/open-worker.ts";
import { runWorkerProcess } from "../../queues/worker/worker-process.ts";
import { allKinds } from "../../records/all-kinds.ts";
import { openDeliveries } from "../../records/outbox/deliveries.ts";
import type { Environment } from "../../schemas/environment.ts";
import { createDelivery } from "./deliver.ts";
import { createFeed } from "./feed.ts";
import { notifier } from "./index.ts";
import { createKeeping } from "./keep.ts";
import { openReceivers } from "./receivers.ts";
import { DEAD_FOR_MS } from "./retry.ts";

export const notifierSettings = ["WEBHOOKS_PRIVATE"] as const;

const LOOK_EVERY_MS = 500;
const FORGET_EVERY_MS = 3_600_000;

const kinds = await allKinds();

/** The notifier with the world put in. */
export function buildNotifier(
  system: WorkerSystem,
  settings: Environment<(typeof notifierSettings)[number]>,
): WorkerParts<"notifier"> {
  const { db, records, outbox, now } = system;
  const deliveries = openDeliveries(db, now);
  const receivers = openReceivers({ mayBePrivate: settings.WEBHOOKS_PRIVATE === "allowed", now });
  const delivery = createDelivery({ ...system, deliveries, receivers, random: Math.random });
  const keepForSubscribers = createKeeping({
    ...system,
    kinds,
    deliveries,
    eventsOf: createChangeEvents(records, now),
  });
  return {
    handlers: { notifier: notifier({ keepForSubscribers }) },
    stages: [],
    async open({ notifier: { handle } }) {
      const feed = createFeed({ outbox, handle });
      return {
        timers: [
          { everyMs: LOOK_EVERY_MS, run: feed },
          { everyMs: LOOK_EVERY_MS, run: delivery.begin },
        ],
        async close() {
          await delivery.close();
          await receivers.close();
        },
      };
    },
    timers: [
      {
        everyMs: FORGET_EVERY_MS,
        run: async () => void (await deliveries.forget(new Date(now().getTime() - DEAD_FOR_MS))),
      },
    ],
  };
}

if (import.meta.main) await runWorkerProcess("notifier", notifierSettings, buildNotifier);
