import { parsePrivateReceivers } from "../../domain/webhooks/public-address.ts";
import { createChangeEvents } from "../../queues/publish/change-events.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/worker/open-worker.ts";
import { runWorkerProcess } from "../../queues/worker/worker-process.ts";
import { firstDue } from "../../records/mongodb/due-keys.ts";
import { onlyIfAny } from "../../records/mongodb/find-first-together.ts";
import { openDeliveries } from "../../records/outbox/deliveries.ts";
import type { Environment } from "../../schemas/environment.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { createBoundDeliveries } from "./bound-deliveries.ts";
import { openReceivers } from "./call-receiver.ts";
import { createDelivery } from "./deliver.ts";
import { notifier } from "./index.ts";
import { mailSettings, openMails } from "./mails/open-mails.ts";
import { createMakeDeliveries } from "./make-deliveries.ts";
import { createReadInbox } from "./read-inbox.ts";
import { DEAD_LETTER_TTL_MS } from "./retry.ts";

export const notifierSettings = ["WEBHOOKS_PRIVATE", ...mailSettings] as const;

const POLL_INTERVAL_MS = 500;
const BOUND_INTERVAL_MS = 10_000;
const MAILS_INTERVAL_MS = 5_000;
const OBSERVE_INTERVAL_MS = 30_000;
const CLEAN_UP_INTERVAL_MS = 3_600_000;

/** Builds the notifier with real records, queues and receivers. */
export function buildNotifier(
  system: WorkerSystem,
  settings: Environment<(typeof notifierSettings)[number]>,
): WorkerParts<"notifier"> {
  const { db, records, inbox, now, databaseNow } = system;
  const deliveries = openDeliveries(db, databaseNow);
  const receivers = openReceivers({ allowed: parsePrivateReceivers(settings.WEBHOOKS_PRIVATE ?? ""), now });
  const delivery = createDelivery({ ...system, now: databaseNow, deliveries, receivers, random: Math.random });
  const makeDeliveries = createMakeDeliveries({
    ...system,
    deliveries,
    eventsOf: createChangeEvents(records, now),
  });
  const limit = tenantLimits.deliveriesWaiting;
  const boundDeliveries = createBoundDeliveries({ ...system, deliveries, limit });
  const mails = openMails(system, settings);
  const ifDue = (name: string, run: () => Promise<void>) =>
    onlyIfAny(system.firstTogether, () => firstDue({ name }, databaseNow()), run);
  return {
    handlers: { notifier: notifier({ makeDeliveries }) },
    stages: [],
    async open({ notifier: { handle } }) {
      const readInbox = createReadInbox({ inbox, handle });
      return {
        timers: [
          { intervalMs: POLL_INTERVAL_MS, run: ifDue("inbox", readInbox) },
          { intervalMs: POLL_INTERVAL_MS, run: ifDue("delivery", delivery.begin) },
          { intervalMs: BOUND_INTERVAL_MS, run: boundDeliveries },
          ...(mails
            ? [
                { intervalMs: MAILS_INTERVAL_MS, run: mails.sendMails },
                { intervalMs: OBSERVE_INTERVAL_MS, run: mails.observePeople },
              ]
            : []),
        ],
        async close() {
          mails?.close();
          await delivery.close();
          await receivers.close();
        },
      };
    },
    timers: [
      {
        intervalMs: CLEAN_UP_INTERVAL_MS,
        run: async () => void (await deliveries.forget(new Date(databaseNow().getTime() - DEAD_LETTER_TTL_MS))),
      },
    ],
  };
}

if (import.meta.main) await runWorkerProcess("notifier", notifierSettings, buildNotifier);
