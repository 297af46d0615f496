import { noRoomFor } from "../../domain/linking/links-of-item.ts";
import { linkedLabel } from "../../domain/linking/merge-label.ts";
import { patchLink } from "../../domain/linking/merge-link.ts";
import { type LinkPatchFacts, planLinkPatch } from "../../domain/linking/plan-link-patch.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { enterItemLinks, leaveItemLinks } from "../../queues/linking/item-links.ts";
import { readDesigns, resolveCodes } from "../../queues/linking/load-linking-facts.ts";
import { type ApplyRows, readIsLatest, type StampedRow } from "../../queues/requests/stamped-rows.ts";
import { labels } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import { linksByLabel } from "../../records/linking/links-of-labels.ts";
import { readLabelTypes } from "../../records/linking/read-label-types.ts";
import type { Records } from "../../records/records.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { itemOfStoreLink, labelKey, linkKey, partsOfLinkId, tenantOf } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import type { LinkPatchRow } from "../../schemas/link-record.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Outcome } from "../../schemas/request.ts";
import { rowErrors, rowNotice } from "../../schemas/row-notice.ts";
import type { Urgency } from "../../schemas/urgency.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  numbers: Pick<Numbers, "settledAtLeast">;
  schemeOf: SchemeOf;
  now(): Date;
}

/**
 * Applies PATCH /links/{linkId}. As for every relink, the item's list of links is written first, then the label, then the link,
 * so that a reader of the link also finds it in the list.
 */
export function createPatchLinks({ records, commit, numbers, schemeOf, now }: Dependencies): ApplyRows<LinkPatchRow> {
  async function readFacts(store: string, row: LinkPatchRow): Promise<LinkPatchFacts> {
    const code = row.linkedItemId || row.itemId || "";
    const forced = row.forced_design_id ?? undefined;
    const named = [
      { ...row.design, ...(forced && { forced_design_id: forced }) },
      ...(row.designId === undefined ? [] : [{ origin: "designer" as const, designId: row.designId }]),
    ];
    const label = labelKey(store, partsOfLinkId(row.linkId)?.barcode ?? "");
    const [types, itemOf, designs, byLabel] = await Promise.all([
      readLabelTypes(records, schemeOf, [label]),
      resolveCodes(records, store, code ? [code] : []),
      readDesigns(records, tenantOf(store), named),
      linksByLabel(records, [label]),
    ]);
    return { positions: byLabel.get(label)?.length, type: types.get(label) ?? 0, itemOf, designs };
  }

  async function applyRow(
    store: string,
    { row, stamp }: StampedRow<LinkPatchRow>,
    isLatest: boolean,
    urgency: Urgency,
  ): Promise<Outcome> {
    const key = linkKey(store, row.linkId);
    const [facts, present] = await Promise.all([readFacts(store, row), records.read(links, [key])]);
    const link = present.get(key);
    // The tombstone cannot be from an earlier run of this row, since a patch never deletes.
    if (link === undefined || link.status === "DELETED") return unknownLink(row.linkId);
    const { change, outcome } = planLinkPatch(row, link, facts);
    if (change === undefined) return outcome;

    const next = patchLink(link, { ...change, stamp }, isLatest, now());
    const moves = next.itemId !== link.itemId;
    if (moves && !(await move(store, link, next, urgency)))
      return { ...outcome, status: "ERROR", ...rowErrors(noRoomFor(next.itemId)) };
    const decide = (_: string, current: Link | undefined) =>
      current && patchLink(current, { ...change, stamp }, isLatest, now());
    await commit.change(links, [key], decide, urgency, present);
    if (moves) await leaveItemLinks(commit, [{ link: key, itemId: link.itemId, movedBy: stamp }]);
    return outcome;
  }

  /** Makes the writes that must precede a link's move to another item; false if the link does not fit into that item's list. */
  async function move(store: string, { eslId }: Stored<Link>, next: Link, urgency: Urgency): Promise<boolean> {
    const refused = await enterItemLinks(commit, store, [next]);
    if (refused.size > 0) return false;
    const linked = (_: string, label: Parameters<typeof linkedLabel>[0] | undefined) =>
      label && linkedLabel(label, now());
    await commit.change(labels, [labelKey(store, eslId)], linked, urgency);
    return true;
  }

  return async (store, rows, urgency) => {
    const isLatest = await readIsLatest(numbers, store, rows);
    const outcomes: Outcome[][] = [];
    // Such a request has one row, so there is nothing to batch.
    for (const row of rows) outcomes.push([await applyRow(store, row, isLatest(row.stamp), urgency)]);
    return outcomes;
  };
}

function unknownLink(linkId: string): Outcome {
  const item = itemOfStoreLink(linkId);
  const notice =
    item === undefined
      ? rowNotice("LINK_UNKNOWN", { link: linkId })
      : rowNotice("LINK_OF_STORE", { link: linkId, item });
  return { status: "UNKNOWN", ...rowErrors(notice) };
}
