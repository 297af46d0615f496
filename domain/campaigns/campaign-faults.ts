import { type CampaignOrder, MAX_CAMPAIGN_PAIRS } from "../../schemas/campaign.ts";
import type { Fault } from "../../schemas/problem.ts";
import { MAX_FAULTS } from "../../schemas/validate.ts";

/** A draft of a campaign, with any stores. */
export type OrderOfStores = Omit<CampaignOrder, "storeIds"> & { storeIds: readonly string[] };

/** Returns the faults of a campaign's draft that its schema cannot express. */
export function campaignFaults({
  from,
  until,
  items = [],
  prices = {},
  filter,
  storeIds: stores,
}: OrderOfStores): Fault[] {
  const faults: Fault[] = [];
  if (from !== undefined && from >= until)
    faults.push({ pointer: "/until", detail: `is "${until}", but must be after "from", "${from}"` });
  const rules = (["fixed", "percent", "property"] as const).filter((rule) => prices[rule] !== undefined);
  if (rules.length > 1)
    faults.push({
      pointer: "/prices",
      detail: `has ${rules.map((rule) => `"${rule}"`).join(" and ")}: send one of them`,
    });
  if (prices.ending !== undefined && prices.percent === undefined)
    faults.push({ pointer: "/prices/ending", detail: 'requires "percent"' });
  if (filter?.value !== undefined && filter.property === undefined)
    faults.push({ pointer: "/filter/value", detail: 'requires "property"' });
  const seen = new Set<string>();
  for (const [index, { itemId }] of items.entries()) {
    if (seen.has(itemId))
      faults.push({ pointer: `/items/${index}/itemId`, detail: `"${itemId}" occurs twice: send it once` });
    seen.add(itemId);
  }
  const pairs = items.length * stores.length;
  if (pairs > MAX_CAMPAIGN_PAIRS)
    faults.push({
      pointer: "/items",
      detail: `has ${pairs} pairs of a store and an item, more than the maximum of ${MAX_CAMPAIGN_PAIRS}`,
    });
  return faults.slice(0, MAX_FAULTS);
}
