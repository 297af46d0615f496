import { replaceDevice } from "../../domain/labels/replace-device.ts";
import { noRoomFor } from "../../domain/linking/links-of-item.ts";
import { linkedLabel, mergeLabel } from "../../domain/linking/merge-label.ts";
import { type LinkUpsert, mergeLink } from "../../domain/linking/merge-link.ts";
import { planRows, type RowPlan } from "../../domain/linking/plan-label-rows.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import type { Records } from "../../records/records.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { idOf, labelKey, linkIdOf, linkKey } from "../../schemas/keys.ts";
import type { Label, LabelPatch } from "../../schemas/label.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import type { Link } from "../../schemas/link.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Outcome } from "../../schemas/request.ts";
import { rowErrors } from "../../schemas/row-notice.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Commit } from "../changes/commit.ts";
import { type ApplyRows, readIsLatest, type StampedRow } from "../requests/stamped-rows.ts";
import { enterItemLinks, leaveItemLinks } from "./item-links.ts";
import { type LoadedLinkingFacts, loadLinkingFacts } from "./load-linking-facts.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  numbers: Pick<Numbers, "settledAtLeast">;
  schemeOf: SchemeOf;
  now(): Date;
}

type Rows = readonly StampedRow<LabelPatch>[];

interface LabelChanges {
  store: string;
  rows: Rows;
  plans: readonly RowPlan[];
  facts: LoadedLinkingFacts;
  /** Barcodes of labels that get a different item. */
  relinked: ReadonlySet<string>;
  isLatest(stamp: number): boolean;
}

/** Plans the effects of rows on the store's current records. Writes nothing. */
export const createPlanLabels =
  ({ records, schemeOf }: Pick<Dependencies, "records" | "schemeOf">) =>
  async (store: string, rows: Rows): Promise<{ plans: RowPlan[]; facts: LoadedLinkingFacts }> => {
    const facts = await loadLinkingFacts(records, schemeOf, store, rows);
    return { plans: planRows(rows, facts), facts };
  };

/**
 * The only way in which requests create and move labels and links: used for PATCH /labels, link-single and the links of item
 * rows. Writes the item's list of links first, then the label, then the link, so that a reader of a link finds its label, and
 * the link in its item's list.
 */
export function createLinkLabels({ records, commit, numbers, schemeOf, now }: Dependencies): ApplyRows<LabelPatch> {
  const planLabels = createPlanLabels({ records, schemeOf });

  return async (store, rows, urgency) => {
    if (rows.length === 0) return [];
    const isLatest = await readIsLatest(numbers, store, rows);
    const { plans, facts } = await planLabels(store, rows);
    const planned = rows.flatMap(({ stamp }, index) =>
      (plans[index]?.links ?? []).map((link): LinkUpsert => ({ ...link, stamp })),
    );
    const keys = planned.map((upsert) => keyOf(store, upsert));
    const before = await records.read(links, [...new Set(keys)]);

    const refused = await enterItemLinks(commit, store, planned);
    const upserts = planned.filter((upsert) => !refused.has(upsert));
    const byLink = Map.groupBy(upserts, (upsert) => keyOf(store, upsert));
    const relinked = relinkedLabels(store, upserts, before);
    await changeLabels({ store, rows, plans, facts, relinked, isLatest }, urgency);
    await changeLinks(byLink, before, isLatest, urgency);
    await leaveItemLinks(commit, itemsLeft(byLink, before));
    const ofRow = Map.groupBy(refused, ({ stamp }) => stamp);
    return plans.map(({ outcomes }, index) => refuseLinks(outcomes, ofRow.get(rows[index]?.stamp ?? 0) ?? []));
  };

  async function changeLabels(
    { store, rows, plans, facts, relinked, isLatest }: LabelChanges,
    urgency: Urgency,
  ): Promise<void> {
    const byLabel = Map.groupBy(rows.entries(), ([, { row }]) => labelKey(store, row.barcode));
    const deviceStamps = new Map<string, number>();
    const decide = (key: string, current: Label | undefined) => {
      let label = current;
      for (const [index, { row, stamp }] of byLabel.get(key) ?? []) {
        const made = plans[index]?.label;
        // Two requests may state a new label's type at the same time. The request that is applied first wins, since a label has
        // only one type.
        const fits = made && (label === undefined || label.type === made.type);
        if (fits) label = mergeLabel(label, row, stamp, isLatest(stamp), made);
      }
      const stamp = label?.stamps.device;
      // Compares stamps, not values: a chunk that is applied again after its process was killed finds the value already written.
      const isOfRow = byLabel.get(key)?.some(([, row]) => row.stamp === stamp);
      if (stamp !== undefined && isOfRow) deviceStamps.set(key, stamp);
      return label && relinked.has(idOf(key)) ? linkedLabel(label, now()) : label;
    };
    await commit.change(labels, [...byLabel.keys()], decide, urgency, facts.labelRecords);
    if (deviceStamps.size > 0) await replaceDevices(deviceStamps, urgency);
  }

  /** Requests that the pictures of labels with new tags be sent again; a label without a state has shown nothing yet. */
  async function replaceDevices(stamps: ReadonlyMap<string, number>, urgency: Urgency): Promise<void> {
    const decide = (key: string, state: LabelState | undefined) =>
      state && replaceDevice(state, stamps.get(key) ?? 0, now());
    await commit.change(labelStates, [...stamps.keys()], decide, urgency);
  }

  async function changeLinks(
    byLink: ReadonlyMap<string, readonly LinkUpsert[]>,
    before: ReadonlyMap<string, Stored<Link>>,
    isLatest: (stamp: number) => boolean,
    urgency: Urgency,
  ): Promise<void> {
    const decide = (key: string, current: Link | undefined) => {
      let link = current;
      for (const upsert of byLink.get(key) ?? []) link = mergeLink(link, upsert, isLatest(upsert.stamp), now());
      return link;
    };
    await commit.change(links, [...byLink.keys()], decide, urgency, before);
  }
}

/** Returns the outcomes of a row, given the links that did not fit into their items' lists. */
function refuseLinks(outcomes: readonly Outcome[], refused: readonly LinkUpsert[]): Outcome[] {
  const isOf = ({ itemId, displayPosition }: LinkUpsert, outcome: Outcome) =>
    outcome.status === "SUCCESS" && outcome.itemId === itemId && outcome.displayPosition === displayPosition;
  return outcomes.map((outcome) => {
    const link = refused.find((one) => isOf(one, outcome));
    return link ? { ...outcome, status: "ERROR", ...rowErrors(noRoomFor(link.itemId)) } : outcome;
  });
}

const keyOf = (store: string, { eslId, displayPosition }: LinkUpsert): string =>
  linkKey(store, linkIdOf(eslId, displayPosition));

/** Returns the barcodes of labels that get a different item, or an item at a position without an active link. */
function relinkedLabels(store: string, upserts: readonly LinkUpsert[], before: ReadonlyMap<string, Link>): Set<string> {
  const moved = upserts.filter((upsert) => {
    const link = before.get(keyOf(store, upsert));
    return link?.status !== "ACTIVE" || link.itemId !== upsert.itemId;
  });
  return new Set(moved.map(({ eslId }) => eslId));
}

/** Returns links with the items that they had before their newest upsert in this batch, and that upsert's stamp. */
function itemsLeft(byLink: ReadonlyMap<string, readonly LinkUpsert[]>, before: ReadonlyMap<string, Link>) {
  return [...byLink].flatMap(([link, upserts]) => {
    const { itemId, stamp: movedBy } = upserts.reduce((newest, next) => (next.stamp > newest.stamp ? next : newest));
    const former = new Set([before.get(link)?.itemId ?? itemId, ...upserts.map((upsert) => upsert.itemId)]);
    return [...former].filter((id) => id !== itemId).map((id) => ({ link, itemId: id, movedBy }));
  });
}
