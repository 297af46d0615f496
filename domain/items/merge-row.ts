import { type Item, type ItemPatch, itemTexts } from "../../schemas/item.ts";
import type { Outcome } from "../../schemas/request.ts";
import { type RowNotice, rowNotice } from "../../schemas/row-notice.ts";
import { tooLarge } from "./item-size.ts";
import { mergeItem } from "./merge-item.ts";
import { inPart, success } from "./outcome.ts";

/** An item after a row, and the outcome of the row. */
interface MergedRow {
  item: Item;
  outcome: Outcome;
}

/**
 * Merges a row into its item. Codes that other items own are left out (`taken`, with the owner of each). If the properties and
 * codes would make the item too large, all of them are left out. The price is always applied, whatever else the row contains
 * (docs/integrators/calls.md#writes-are-accepted-then-applied). `isLatest`, `list` and `first` as in `mergeItem`.
 */
export function mergeRow(
  current: Item | undefined,
  row: ItemPatch,
  stamp: number,
  isLatest: boolean,
  taken: ReadonlyMap<string, string>,
  list?: string,
  first?: number,
): MergedRow {
  const notices: RowNotice[] = [...taken].map(([code, item]) => rowNotice("SIC_TAKEN", { code, item }));
  const whole: ItemPatch = { ...row, sics: row.sics?.filter((sic) => !taken.has(sic)) };
  const merged = mergeItem(current, whole, stamp, isLatest, list, first);
  const reason = tooLarge(merged, current);
  if (reason !== undefined) notices.push(reason);
  const { properties: _, sics: __, ...texts } = whole;
  const kept = reason === undefined ? whole : texts;
  const item = reason === undefined ? merged : mergeItem(current, kept, stamp, isLatest, list, first);
  const isNew = item.created === stamp;
  return {
    item,
    outcome: notices.length === 0 ? success(row.itemId, isNew) : inPart(row.itemId, isNew || setsField(kept), notices),
  };
}

/** Returns the outcome of a row including its links: the errors of failed links are added to the row's own. */
export function withLinks(row: ItemPatch, own: Outcome, links: readonly Outcome[]): Outcome {
  const { itemId = "", status } = own;
  const errors = [own, ...links].flatMap((outcome) => outcome.errors);
  if (errors.length === 0) return { itemId, status, errors };
  const notices = [own, ...links].flatMap((outcome) => outcome.notices ?? []);
  const isLinked = links.some((link) => link.errors.length === 0);
  const isStored = status === "SUCCESS_NEW_ITEM" || status === "PARTIAL" || (status === "SUCCESS" && setsField(row));
  return { itemId, status: isLinked || isStored ? "PARTIAL" : "ERROR", errors, ...(notices.length > 0 && { notices }) };
}

/** Whether a row sets a field of its item, rather than only links. */
const setsField = (row: ItemPatch): boolean =>
  itemTexts.some((field) => row[field]) ||
  Object.values(row.properties ?? {}).some((value) => value !== "") ||
  (row.sics ?? []).length > 0;
