import { forecastOf, REPLACE_WITHIN_DAYS } from "../../../domain/labels/care/battery-due.ts";
import { isDueWithin } from "../../../domain/labels/care/battery-forecast.ts";
import {
  addUpDays,
  datedDays,
  recentDays,
  refreshesPerDay,
  sumOf,
} from "../../../domain/labels/care/refresh-counts.ts";
import { rounded } from "../../../domain/labels/care/rounded.ts";
import { LabelCare, StoreCare } from "../../../schemas/care.ts";
import { route } from "../../http/route.ts";
import { LabelPath, type NoLabel } from "../labels.ts";
import type { CareFacts } from "./read-care.ts";

export interface LabelCareWorld {
  noLabel: NoLabel;
  /** Returns undefined if there is no such label. */
  readCare(store: string, barcode: string): Promise<CareFacts | undefined>;
  /** Reads the facts for all labels of a store, in batches. */
  scanCare(store: string): AsyncIterable<CareFacts[]>;
  now(): Date;
}

/** The refreshes of labels and their causes, and how long batteries last (docs/integrators/care.md). */
export const labelCare = ({ readCare, scanCare, now, noLabel }: LabelCareWorld) => [
  route({
    method: "GET",
    path: "/labels/care",
    operationId: "getStoreCare",
    summary: "Count the refreshes of a store's labels by day and cause, and the batteries due for replacement",
    scope: "labels:read",
    answers: { 200: StoreCare },
    handle: async ({ store }) => ({ status: 200, body: await storeCare(scanCare(store), now()) }),
  }),

  route({
    method: "GET",
    path: "/labels/:barcode/care",
    operationId: "getLabelCare",
    summary: "Count a label's refreshes by day and cause, and forecast how long its battery will last",
    scope: "labels:read",
    params: LabelPath,
    answers: { 200: LabelCare },
    problems: ["not-found"],
    handle: async ({ store, params: { barcode } }) => {
      const facts = await readCare(store, barcode);
      if (facts === undefined) throw await noLabel(store, barcode);
      const days = recentDays(facts.care, now());
      const refreshes = { refreshes: sumOf(days), refreshesPerDay: rounded(refreshesPerDay(facts.care, now())) };
      return {
        status: 200,
        body: { barcode, ...refreshes, days: datedDays(days), battery: batteryCare(facts, now()) },
      };
    },
  }),
];

function batteryCare({ care, battery = "UNKNOWN", type }: CareFacts, now: Date): LabelCare["battery"] {
  const last = care?.voltages?.at(-1);
  const forecast = forecastOf({ care, battery }, type, now);
  return {
    batteryState: battery,
    millivolts: last?.millivolts ?? null,
    measuredAt: last === undefined ? null : new Date(last.at).toISOString(),
    daysLeft: forecast?.daysLeft ?? null,
    earliest: forecast?.earliest ?? null,
    latest: forecast?.latest ?? null,
    basis: forecast?.basis ?? null,
    replace: isDueWithin(forecast, REPLACE_WITHIN_DAYS),
  };
}

async function storeCare(batches: AsyncIterable<CareFacts[]>, now: Date): Promise<StoreCare> {
  const sums = addUpDays();
  const counts = { labels: 0, forecasts: 0, replace: 0 };
  for await (const batch of batches) {
    for (const facts of batch) {
      sums.add(recentDays(facts.care, now));
      const forecast = forecastOf(facts, facts.type, now);
      counts.labels += 1;
      if (forecast) counts.forecasts += 1;
      if (isDueWithin(forecast, REPLACE_WITHIN_DAYS)) counts.replace += 1;
    }
  }
  const days = sums.days();
  return { ...counts, refreshes: sumOf(days), days };
}
