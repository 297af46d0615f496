import type { Commit } from "../../queues/changes/commit.ts";
import { leaveItemLinks, linksOfItems } from "../../queues/linking/item-links.ts";
import type { ApplyRows, StampedRow } from "../../queues/requests/apply-chunks.ts";
import type { Stored } from "../../records/kind.ts";
import { items } from "../../records/kinds/item.ts";
import { labels } from "../../records/kinds/label.ts";
import { links } from "../../records/kinds/link.ts";
import { byLabelAndPosition, everyLinkOfLabel } from "../../records/linking/links-of-labels.ts";
import { unlink } from "../../records/linking/merge-link.ts";
import type { Records } from "../../records/records.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { exists } from "../../schemas/item.ts";
import { itemKey, labelKey, linkIdOf, linkKey } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import type { UnlinkRow } from "../../schemas/link-record.ts";
import type { Outcome } from "../../schemas/request.ts";
import { numberOf } from "../../schemas/stamp.ts";
import type { Urgency } from "../../schemas/topics.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  numbers: Numbers;
}

/**
 * Applies unlinks: each link that a row names becomes a tombstone under the row's stamp, and is left out of its
 * item's list afterwards, so that the list never lacks a link that is there. One outcome a link that was removed, in
 * order of label and position; one for a row that removes none, because removing what is absent is done already.
 */
export function createUnlink({ records, commit, numbers }: Dependencies): ApplyRows<UnlinkRow> {
  /** Keys of the links that a row may mean; an outcome where it names what is not there. */
  async function findLinks(store: string, row: UnlinkRow): Promise<string[] | Outcome> {
    const { barcode, displayPosition, itemId, linkId } = row;
    if (linkId !== undefined) return { status: "UNKNOWN", errors: [`there is no link "${linkId}"`] };
    if (itemId !== undefined) {
      const key = itemKey(store, itemId);
      const item = (await records.readFields(items, [key], ["deleted"])).get(key);
      if (item && exists(item)) return linksOfItems(records, [key]);
      return { itemId, status: "ITEM_NOT_FOUND", errors: [`there is no item "${itemId}"`] };
    }
    const label = labelKey(store, barcode ?? "");
    const isKnown = (await records.readRevs(labels, [label])).has(label);
    if (!isKnown) return { ...row, status: "UNKNOWN", errors: [`there is no label "${barcode}"`] };
    if (displayPosition === undefined) return everyLinkOfLabel(records, label);
    return [linkKey(store, linkIdOf(barcode ?? "", displayPosition))];
  }

  async function applyRow(
    store: string,
    { row, stamp }: StampedRow<UnlinkRow>,
    isLatest: boolean,
    urgency: Urgency,
  ): Promise<Outcome[]> {
    const keys = await findLinks(store, row);
    if (!Array.isArray(keys)) return [keys];
    /** Those that are there, and those that this very row has unlinked already, in a process that was killed. */
    const isMeant = (link: Link) =>
      (row.itemId === undefined || link.itemId === row.itemId) &&
      (link.status === "DELETED" ? link.stamp === stamp : link.stamp <= stamp);
    const found = await records.read(links, keys);
    const meant = [...found.values()].filter(isMeant).sort(byLabelAndPosition);
    const decide = (_: string, link: Stored<Link> | undefined) =>
      link && isMeant(link) ? unlink(link, stamp, isLatest) : undefined;
    await commit.change(
      links,
      meant.map(({ _id }) => _id),
      decide,
      urgency,
      found,
    );
    await leaveItemLinks(
      commit,
      meant.map(({ _id, itemId }) => ({ link: _id, itemId, movedBy: stamp })),
    );
    if (meant.length === 0) return [{ ...row, status: "SUCCESS", errors: [] }];
    return meant.map(({ eslId, itemId, displayPosition }) => {
      return { barcode: eslId, itemId, displayPosition, status: "SUCCESS", errors: [] };
    });
  }

  return async (store, rows, urgency) => {
    const settled = await numbers.settledThrough(store);
    const outcomes: Outcome[][] = [];
    // A request has one row: there is nothing to read together.
    for (const row of rows) outcomes.push(await applyRow(store, row, numberOf(row.stamp) <= settled + 1, urgency));
    return outcomes;
  };
}
