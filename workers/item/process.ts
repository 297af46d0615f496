import { createKeepActivity } from "../../queues/activity/keep-activity.ts";
import { createRunCampaigns } from "../../queues/campaigns/run-campaigns.ts";
import { createLinkLabels } from "../../queues/linking/link-labels.ts";
import { applyChunks } from "../../queues/requests/apply-chunks.ts";
import type { System } from "../../queues/system.ts";
import type { WorkerParts } from "../../queues/worker/open-worker.ts";
import { runWorkerProcess } from "../../queues/worker/worker-process.ts";
import { openActivityLog } from "../../records/activity/activity-log.ts";
import { openCallNotes } from "../../records/activity/call-notes.ts";
import { campaigns } from "../../records/kinds/campaigns.ts";
import { itemPages, items } from "../../records/kinds/items.ts";
import { stores } from "../../records/kinds/tenants.ts";
import { createBarcodeSchemes } from "../../records/linking/barcode-schemes.ts";
import { firstDue } from "../../records/mongodb/due-keys.ts";
import { onlyIfAny } from "../../records/mongodb/find-first-together.ts";
import { openChildRequests } from "../../records/requests/child-requests.ts";
import type { Environment } from "../../schemas/environment.ts";
import { idOf, itemKey } from "../../schemas/keys.ts";
import { createHoldSweep } from "./hold-sweep.ts";
import { itemWorker } from "./index.ts";
import { createListRecords } from "./list-records.ts";
import { createOrderDrawing } from "./order-drawings.ts";
import { createPriorPriceRules } from "./prior-price-rules.ts";
import { createScheduleSweep } from "./schedule-sweep.ts";
import { createSchedules } from "./schedules.ts";
import { createSics } from "./sics.ts";

export const itemSettings = ["BARCODE_PATTERN", "SWEEP_EVERY"] as const;

/** Updates are scheduled to the second, so due updates are read every second. */
const POLL_INTERVAL_MS = 1000;
/**
 * This timer rarely has work: held requests expire after hours, and decisions about them are carried out immediately unless a
 * process is killed.
 */
const HOLD_INTERVAL_MS = 5000;

/** Builds the item worker with real records and queues. */
export function buildItemWorker(
  system: System,
  settings: Environment<(typeof itemSettings)[number]>,
): WorkerParts<"item"> {
  const { records, commit, numbers, isUnavailable, enqueueChunks, db, firstTogether, now, log } = system;
  const handlers = itemWorker({
    ...createSics(records, commit),
    ...createSchedules(db, records, commit),
    ...createListRecords(records, commit),
    orderDrawing: createOrderDrawing({ acceptChildren: openChildRequests(db), enqueueChunks }),
    async changePages(store, itemIds, decide, urgency) {
      await commit.change(itemPages, keysOf(store, itemIds), (key, current) => decide(idOf(key), current), urgency);
    },
    mustExist: async (store) => (await records.read(stores, [store])).get(store)?.parameters?.ITEM_MUST_EXIST ?? true,
    isUnavailable,
    admit: system.interactiveRows.admit,
    onScheduleFailed: (store, itemId, errors) =>
      log.warn({ store, itemId, errors: errors.length }, "a scheduled update could not be applied when it was due"),
    applyChunks: (apply, refuse) => applyChunks(system, apply, refuse),
    now,
    timeZoneOf: async (store) => (await records.read(stores, [store])).get(store)?.timeZone ?? "UTC",
    priorPriceRulesOf: createPriorPriceRules(records, system.clock),
    settledAtLeast: numbers.settledAtLeast,
    linkLabels: createLinkLabels({
      ...system,
      schemeOf: createBarcodeSchemes(records, settings.BARCODE_PATTERN, system.clock),
    }),
    readItems: (store, itemIds) => records.read(items, keysOf(store, itemIds)),
    async changeItems(store, itemIds, decide, urgency, present) {
      await commit.change(
        items,
        keysOf(store, itemIds),
        (key, current) => decide(idOf(key), current),
        urgency,
        present,
      );
    },
  });
  const activity = {
    ...system,
    activityLog: openActivityLog(db),
    callNotes: openCallNotes(db, system.databaseNow),
    now: system.databaseNow,
  };
  const areCampaignsDue = () => firstDue(campaigns, system.databaseNow());
  return {
    handlers: { item: handlers },
    stages: [],
    timers: [
      { intervalMs: POLL_INTERVAL_MS, run: createScheduleSweep({ ...system, now: system.databaseNow }) },
      { intervalMs: POLL_INTERVAL_MS, run: onlyIfAny(firstTogether, areCampaignsDue, createRunCampaigns(system)) },
      { intervalMs: HOLD_INTERVAL_MS, run: createHoldSweep({ ...system, now: system.databaseNow }) },
      { intervalMs: settings.SWEEP_EVERY * 1000, run: createKeepActivity(activity) },
    ],
  };
}

const keysOf = (store: string, itemIds: readonly string[]): string[] => itemIds.map((itemId) => itemKey(store, itemId));

if (import.meta.main) await runWorkerProcess("item", itemSettings, buildItemWorker);
