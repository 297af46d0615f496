import type { GlassLog } from "../../../records/glass-log.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { labelTypes } from "../../../records/kinds/tenants.ts";
import { readAll } from "../../../records/records.ts";
import type { GlassEntry } from "../../../schemas/glass.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import type { AskedVerdict, LabelBehind, ShownThen } from "../../../schemas/integrity.ts";
import { idOf, labelKey, tenantOf } from "../../../schemas/keys.ts";
import type { ExplainDependencies } from "../../labels/explain/read-facts.ts";
import { type ShownState, states } from "../../pages/browser/state-of-cause.ts";
import { judgeLabels } from "./judge-labels.ts";
import { createTimesToGlass, DAY_MS } from "./times-to-glass.ts";

export interface IntegrityDependencies extends ExplainDependencies {
  glassLog: Pick<GlassLog, "readAt" | "scanTimes">;
}

/** A part of a report: its rows, and the number of labels that it covers. */
export interface ReportPart<Row> {
  rows: readonly Row[];
  /** Number of labels that were examined. */
  labels: number;
}

/** Counts of verdicts on labels, which can be added up. */
export interface VerdictCounts {
  verdicts: Record<ShownState, number>;
  /** Labels that do not show the newest picture. */
  behind: number;
  /** Labels whose drawing reported errors or warnings. */
  warned: number;
  /** Whether more accepted requests are waiting than were examined. */
  isCut: boolean;
}

/** A part of the comparison of a store's labels, with the verdict counts of all labels in the part. */
export interface ComparedPart extends ReportPart<LabelBehind>, VerdictCounts {}

const LABELS_PER_LOOK = 100;

/**
 * Compares a store's labels part by part, and lists the labels that do not show the newest picture or, with `asked`, the
 * labels with this verdict.
 */
export async function* labelsBehind(
  dependencies: IntegrityDependencies,
  store: string,
  now: Date,
  dateText: (date: Date) => string,
  asked?: AskedVerdict,
): AsyncGenerator<ComparedPart> {
  for await (const { judged, isCut } of judgeLabels(dependencies, store, now)) {
    const counts = noVerdicts(isCut);
    const rows: LabelBehind[] = [];
    for (const { state, isBehind, isWarned, since, key: _, ...row } of judged) {
      counts.labels += 1;
      counts.verdicts[state] += 1;
      if (isBehind) counts.behind += 1;
      if (isWarned) counts.warned += 1;
      if (asked === undefined ? isBehind : asked === "WARNED" ? isWarned : asked === state)
        rows.push({ ...row, since: since ? dateText(since) : null });
    }
    // Sorted by barcode, whichever way a label was found.
    yield { rows: rows.sort((a, b) => (a.barcode < b.barcode ? -1 : 1)), ...counts };
  }
}

const noVerdicts = (isCut: boolean): VerdictCounts & { labels: number } => ({
  ...{ labels: 0, behind: 0, warned: 0, isCut },
  verdicts: Object.fromEntries(states.map((state) => [state, 0])) as Record<ShownState, number>,
});

/** Passes parts on, and adds up their counts. */
export function createTally() {
  const total = noVerdicts(false);
  return {
    total: total as Readonly<VerdictCounts>,
    async *of(parts: AsyncIterable<ComparedPart>): AsyncGenerator<ComparedPart> {
      for await (const part of parts) {
        total.labels += part.labels;
        total.behind += part.behind;
        total.warned += part.warned;
        total.isCut ||= part.isCut;
        for (const state of states) total.verdicts[state] += part.verdicts[state];
        yield part;
      }
    },
  };
}

/** Yields what the pages of a store's labels showed at a given time, for all labels or only for the named ones. */
export async function* shownThen(
  { records, glassLog }: IntegrityDependencies,
  store: string,
  at: Date,
  barcodes: readonly string[] | undefined,
  dateText: (date: Date) => string,
): AsyncGenerator<ReportPart<ShownThen>> {
  const types = await readAll(records, labelTypes, `${tenantOf(store)}/labeltypes/`);
  const pagesOf = new Map(types.map(({ type, pages }) => [type, pages]));
  const named = barcodes && [
    [
      ...(
        await records.readFields(
          labels,
          barcodes.map((one) => labelKey(store, one)),
          ["type"],
        )
      ).values(),
    ],
  ];
  for await (const batch of named ?? records.scanFields(labels, labelKey(store, ""), ["type"])) {
    for (const some of inBatches(batch, LABELS_PER_LOOK)) {
      const pages = some.flatMap(({ _id: label, type }) =>
        Array.from({ length: pagesOf.get(type) ?? 1 }, (_, page) => ({ label, page })),
      );
      const entries = Map.groupBy(await glassLog.readAt(pages, at), ({ label }) => label);
      const rows = some.flatMap(({ _id }) => {
        const found = entries.get(_id) ?? [];
        return found.length > 0 ? found.map((entry) => shownRow(entry, dateText)) : [unknownRow(_id)];
      });
      yield { rows, labels: some.length };
    }
  }
}

const shownRow = (
  { label, page, at, items, image, fault, uploaded }: GlassEntry,
  dateText: (date: Date) => string,
): ShownThen => ({
  barcode: idOf(label),
  page,
  since: dateText(at),
  items: fault === undefined ? items.map(({ itemId, price = null }) => ({ itemId, price })) : [],
  image,
  uploaded: uploaded === true,
  fault: fault ?? null,
});

const unknownRow = (label: string): ShownThen => ({
  barcode: idOf(label),
  page: 0,
  since: null,
  items: [],
  image: null,
  uploaded: false,
  fault: null,
});

/** Reads how long changes took to reach the glass during a store's last hour and day, overall and step by step. */
export async function readTimes(
  { glassLog }: IntegrityDependencies,
  store: string,
  now: Date,
  dateText: (date: Date) => string,
) {
  const times = createTimesToGlass(now, dateText);
  for await (const entries of glassLog.scanTimes(store, new Date(now.getTime() - DAY_MS)))
    for (const entry of entries) times.add(entry);
  return times.result();
}
