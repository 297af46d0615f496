import { readOpenRequests } from "../../../records/requests/requests-naming.ts";
import { type CauseName, causes } from "../../../schemas/explanation.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import { labelOfLink } from "../../../schemas/keys.ts";
import type { ExplanationFacts } from "../../labels/explain/explanation-facts.ts";
import { type ExplainDependencies, idsOf, readLabelFacts, readStoreFacts } from "../../labels/explain/read-facts.ts";
import { verdictOf } from "../../labels/explain/verdict.ts";
import { type ShownState, stateOfCause } from "../../pages/browser/state-of-cause.ts";
import { type OwnOfLabel, scanLabels } from "./scan-labels.ts";
import { findWaitingChoices } from "./waiting-choices.ts";

/** A label and the verdict on it. */
export interface JudgedLabel {
  key: string;
  barcode: string;
  itemIds: string[];
  cause: CauseName;
  reason: string;
  since: Date | undefined;
  state: ShownState;
  /** Whether it does not show the newest picture. */
  isBehind: boolean;
  /** Whether its drawing reported errors or warnings. */
  isWarned: boolean;
}

/** A part of a store's labels. */
export interface JudgedPart {
  judged: JudgedLabel[];
  /** The labels' own fields, by key, if they were requested. */
  own: ReadonlyMap<string, OwnOfLabel>;
  /** Whether more accepted requests are waiting than were examined. */
  isCut: boolean;
}

const LABELS_PER_LOOK = 100;

/**
 * Judges every label of a store, part by part. Every label gets one verdict. In a healthy store few labels are examined
 * closely; for the others, `causeAtRest` determines the cause.
 */
export async function* judgeLabels(
  dependencies: ExplainDependencies,
  store: string,
  now: Date,
  withOwn = false,
): AsyncGenerator<JudgedPart> {
  const { records, db, offlineAfterMs } = dependencies;
  // Read before any label, so that a request that is applied in the meantime counts as waiting, and no unapplied
  // request counts as applied.
  const open = await readOpenRequests(db)(store);
  const shared = await readStoreFacts(dependencies, store);
  const isNamed = (ids: readonly string[]) => open.naming(ids).length > 0;
  const comparison = { now, offlineAfterMs, isNamed, withOwn };
  for await (const { suspects, unproven, rested, warned, own } of scanLabels(records, store, comparison)) {
    const judged: JudgedLabel[] = [];
    const looked = new Set(suspects);
    for (const drawn of inBatches(unproven, LABELS_PER_LOOK))
      for (const link of await findWaitingChoices(dependencies, drawn)) looked.add(labelOfLink(link).label);
    for (const [key, label] of rested)
      if (!looked.has(key)) judged.push({ key, ...label, ...atRest(label.cause), isWarned: warned.has(key) });
    for (const keys of inBatches([...looked], LABELS_PER_LOOK))
      for (const facts of await readLabelFacts(dependencies, store, keys, shared)) {
        const requests = { naming: open.naming(idsOf(facts)), isCut: open.isCut };
        const { found, ...verdict } = verdictOf({ ...facts, requests }, now);
        const { cause, reason, since } = found;
        judged.push({ ...labelOf(facts), cause, reason, since, ...verdict, isWarned: warned.has(facts.label._id) });
      }
    yield { judged, own, isCut: open.isCut };
  }
}

const atRest = (cause: CauseName) => ({
  reason: causes[cause],
  since: undefined,
  state: stateOfCause[cause],
  isBehind: false,
});

const labelOf = ({ label, positions }: ExplanationFacts) => ({
  key: label._id,
  barcode: label.barcode,
  itemIds: positions.flatMap(({ link }) => (link && link.status !== "DELETED" ? [link.itemId] : [])),
});
