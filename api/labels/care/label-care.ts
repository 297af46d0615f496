import { addUpDays, datedDays, recentDays, refreshesPerDay, sumOf } from "../../../domain/labels/refresh-counts.ts";
import { type Care, LabelCare, StoreCare } from "../../../schemas/care.ts";
import { route } from "../../http/route.ts";
import { LabelPath, noLabel } from "../labels.ts";

export interface LabelCareWorld {
  /** What is kept about the care of a label; undefined if there is no such label. */
  readCare(store: string, barcode: string): Promise<{ care?: Care | undefined } | undefined>;
  /** That of all labels of a store, in batches; undefined for labels without a refresh. */
  scanCare(store: string): AsyncIterable<(Care | undefined)[]>;
  now(): Date;
}

/** What labels have refreshed, and why (docs/integrators/care.md). */
export const labelCare = ({ readCare, scanCare, now }: LabelCareWorld) => [
  route({
    method: "GET",
    path: "/labels/care",
    operationId: "getStoreCare",
    summary: "Count the refreshes of a store's labels by day and cause",
    scope: "labels:read",
    answers: { 200: StoreCare },
    handle: async ({ store }) => ({ status: 200, body: await storeCare(scanCare(store), now()) }),
  }),

  route({
    method: "GET",
    path: "/labels/:barcode/care",
    operationId: "getLabelCare",
    summary: "Count the refreshes of a label by day and cause",
    scope: "labels:read",
    params: LabelPath,
    answers: { 200: LabelCare },
    problems: ["not-found"],
    handle: async ({ store, params: { barcode } }) => {
      const facts = await readCare(store, barcode);
      if (facts === undefined) throw noLabel(barcode);
      const days = recentDays(facts.care, now());
      const perDay = roundTo(refreshesPerDay(facts.care, now()), 2);
      return { status: 200, body: { barcode, refreshes: sumOf(days), refreshesPerDay: perDay, days: datedDays(days) } };
    },
  }),
];

async function storeCare(batches: AsyncIterable<(Care | undefined)[]>, now: Date): Promise<StoreCare> {
  const sums = addUpDays();
  let labels = 0;
  for await (const batch of batches) {
    labels += batch.length;
    for (const care of batch) sums.add(recentDays(care, now));
  }
  const days = sums.days();
  return { labels, refreshes: sumOf(days), days };
}

const roundTo = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
