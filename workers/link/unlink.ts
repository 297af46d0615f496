import { unlink } from "../../domain/linking/merge-link.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { leaveItemLinks, linksOfItems } from "../../queues/linking/item-links.ts";
import { type ApplyRows, readIsLatest, type StampedRow } from "../../queues/requests/stamped-rows.ts";
import { items } from "../../records/kinds/items.ts";
import { labels } from "../../records/kinds/labels.ts";
import { links } from "../../records/kinds/links.ts";
import { byLabelAndPosition, everyLinkOfLabel } from "../../records/linking/links-of-labels.ts";
import type { Records } from "../../records/records.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { exists } from "../../schemas/item.ts";
import { itemKey, labelKey, linkIdOf, linkKey } from "../../schemas/keys.ts";
import type { Link } from "../../schemas/link.ts";
import type { UnlinkRow } from "../../schemas/link-record.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Outcome } from "../../schemas/request.ts";
import { rowErrors, rowNotice } from "../../schemas/row-notice.ts";
import type { Urgency } from "../../schemas/urgency.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  numbers: Pick<Numbers, "settledAtLeast">;
}

/**
 * Applies unlinks. Each link that a row names becomes a tombstone under the row's stamp. Only then is it removed from its item's
 * list, so that the list never lacks an existing link. Returns one outcome per removed link, by label and position. A row without
 * links to remove succeeds with one outcome.
 */
export function createUnlink({ records, commit, numbers }: Dependencies): ApplyRows<UnlinkRow> {
  /** Returns the keys of the links that a row may name, or the outcome if the row names an unknown item, label or link. */
  async function findLinks(store: string, row: UnlinkRow): Promise<string[] | Outcome> {
    const { barcode, displayPosition, itemId, linkId } = row;
    if (linkId !== undefined) return { status: "UNKNOWN", ...rowErrors(rowNotice("LINK_UNKNOWN", { link: linkId })) };
    if (itemId !== undefined) {
      const key = itemKey(store, itemId);
      const item = (await records.readFields(items, [key], ["deleted"])).get(key);
      if (item && exists(item)) return linksOfItems(records, [key]);
      return { itemId, status: "ITEM_NOT_FOUND", ...rowErrors(rowNotice("ITEM_UNKNOWN", { item: itemId })) };
    }
    const label = labelKey(store, barcode ?? "");
    const isKnown = (await records.readRevs(labels, [label])).has(label);
    if (!isKnown)
      return { ...row, status: "UNKNOWN", ...rowErrors(rowNotice("LABEL_UNKNOWN", { barcode: barcode ?? "" })) };
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
    const isNamed = (link: Link) => isNamedBy({ row, stamp }, link);
    const found = await records.read(links, keys);
    const named = [...found.values()].filter(isNamed).sort(byLabelAndPosition);
    const decide = (_: string, link: Stored<Link> | undefined) =>
      link && isNamed(link) ? unlink(link, stamp, isLatest) : undefined;
    await commit.change(
      links,
      named.map(({ _id }) => _id),
      decide,
      urgency,
      found,
    );
    await leaveItemLinks(
      commit,
      named.map(({ _id, itemId }) => ({ link: _id, itemId, movedBy: stamp })),
    );
    if (named.length === 0) return [{ ...row, status: "SUCCESS", errors: [] }];
    return named.map(({ eslId, itemId, displayPosition }) => {
      return { barcode: eslId, itemId, displayPosition, status: "SUCCESS", errors: [] };
    });
  }

  return async (store, rows, urgency) => {
    const isLatest = await readIsLatest(numbers, store, rows);
    const outcomes: Outcome[][] = [];
    // Such a request has one row, so there is nothing to batch.
    for (const row of rows) outcomes.push(await applyRow(store, row, isLatest(row.stamp), urgency));
    return outcomes;
  };
}

/** Whether a row names a link that exists, or that the same row already unlinked before its process was killed. */
const isNamedBy = ({ row, stamp }: StampedRow<UnlinkRow>, link: Link): boolean =>
  (row.itemId === undefined || link.itemId === row.itemId) &&
  (link.status === "DELETED" ? link.stamp === stamp : link.stamp <= stamp);
