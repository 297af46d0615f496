import type { GlassEntry, GlassLog } from "../../../records/glass-log.ts";
import { labels } from "../../../records/kinds/label.ts";
import { labelTypes } from "../../../records/kinds/label-type.ts";
import { readAll } from "../../../records/records.ts";
import { inBatches } from "../../../schemas/batches.ts";
import type { LabelBehind, ShownThen } from "../../../schemas/integrity.ts";
import { idOf, labelKey, labelOfLink, tenantOf } from "../../../schemas/keys.ts";
import { pageToSend } from "../../../schemas/label-state.ts";
import type { ExplanationFacts } from "../../labels/explain/explanation-facts.ts";
import { findCauses } from "../../labels/explain/find-causes.ts";
import { type ExplainDependencies, readLabelFacts, readStoreFacts } from "../../labels/explain/read-facts.ts";
import { stagesBehind } from "../../labels/explain/stages-behind.ts";
import { hidesPrice } from "./compare-label.ts";
import { scanLabels } from "./scan-labels.ts";
import { createTimesToGlass, DAY_MS } from "./times-to-glass.ts";
import { findWaitingChoices } from "./waiting-choices.ts";

export interface IntegrityDependencies extends ExplainDependencies {
  glassLog: Pick<GlassLog, "readAt" | "scanTimes">;
}

/** A part of a report: rows, or what is told of the whole at its end. */
export interface ReportPart<Row> {
  rows: readonly Row[];
  /** Labels that were looked at. */
  labels: number;
}

const LABELS_PER_LOOK = 100;

/** The labels of a store that do not show the newest picture, in parts as they are found. */
export async function* labelsBehind(
  dependencies: IntegrityDependencies,
  store: string,
  now: Date,
  dateText: (date: Date) => string,
): AsyncGenerator<ReportPart<LabelBehind>> {
  const shared = await readStoreFacts(dependencies, store);
  for await (const { labels, suspects, unproven } of scanLabels(dependencies.records, store)) {
    const rows: LabelBehind[] = [];
    const waiting: string[] = [];
    for (const drawn of inBatches(unproven, LABELS_PER_LOOK))
      for (const link of await findWaitingChoices(dependencies, drawn)) waiting.push(labelOfLink(link).label);
    // By barcode, whichever way a label was found.
    for (const keys of inBatches([...new Set([...suspects, ...waiting])].sort(), LABELS_PER_LOOK)) {
      const facts = await readLabelFacts(dependencies, store, keys, shared);
      rows.push(...facts.filter(isBehind).map((one) => behindRow(one, now, dateText)));
    }
    yield { rows, labels };
  }
}

/** Whether a label shows another picture than the newest, or one that lacks the price of its item. */
const isBehind = (facts: ExplanationFacts): boolean =>
  stagesBehind(facts).length > 0 ||
  (facts.state !== undefined && pageToSend(facts.state) !== undefined) ||
  (facts.image !== undefined && hidesPrice(facts.image));

function behindRow(facts: ExplanationFacts, now: Date, dateText: (date: Date) => string): LabelBehind {
  const [found] = findCauses(facts, now);
  const { cause, reason, since } = found ?? { cause: "UP_TO_DATE" as const, reason: "" };
  const itemIds = facts.positions.flatMap(({ link }) => (link && link.status !== "DELETED" ? [link.itemId] : []));
  return { barcode: facts.label.barcode, itemIds, cause, since: since ? dateText(since) : null, reason };
}

/** What the pages of a store's labels showed at a time; of these labels only, where some are named. */
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

/** The times from a change to the glass of a store's last hour and day, as a whole and step by step. */
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
