import { type CampaignRow, offerOf } from "../../schemas/campaign-row.ts";
import { exists, type Item } from "../../schemas/item.ts";
import type { Outcome } from "../../schemas/request.ts";
import { failure, notFound, success } from "../items/outcome.ts";
import { beginOffer, endOffer, refusalOf } from "./offers.ts";

/** Returns an item after a row of a campaign, and the row's outcome. A campaign creates no items. */
export function mergeCampaignRow(
  current: Item | undefined,
  row: CampaignRow,
  stamp: number,
): { item: Item | undefined; outcome: Outcome } {
  if (current === undefined || !exists(current)) return { item: current, outcome: notFound(row.itemId) };
  if (row.ends) return { item: endOffer(current, row.campaign, stamp), outcome: success(row.itemId, false) };
  const offer = offerOf(row, stamp);
  const item = beginOffer(current, offer);
  const refusal = item === undefined ? refusalOf(current, offer) : undefined;
  if (refusal) return { item: current, outcome: failure(row.itemId, refusal) };
  return { item: item ?? current, outcome: success(row.itemId, false) };
}
