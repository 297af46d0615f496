import { type CampaignRow, offerOf } from "../../schemas/campaign-row.ts";
import { exists, type Item } from "../../schemas/item.ts";
import type { Outcome } from "../../schemas/request.ts";
import { rowNotice } from "../../schemas/row-notice.ts";
import { failure, notFound, success } from "../items/outcome.ts";
import { beginOffer, endOffer, MAX_OFFERS } from "./offers.ts";

/** An item after a row of a campaign, and the outcome of the row. A campaign makes no items. */
export function mergeCampaignRow(
  current: Item | undefined,
  row: CampaignRow,
  stamp: number,
): { item: Item | undefined; outcome: Outcome } {
  if (current === undefined || !exists(current)) return { item: current, outcome: notFound(row.itemId) };
  if (row.ends) return { item: endOffer(current, row.campaign, stamp), outcome: success(row.itemId, false) };
  const item = beginOffer(current, offerOf(row, stamp));
  if (item === undefined)
    return { item: current, outcome: failure(row.itemId, rowNotice("CAMPAIGNS_FULL", { most: MAX_OFFERS })) };
  return { item, outcome: success(row.itemId, false) };
}
