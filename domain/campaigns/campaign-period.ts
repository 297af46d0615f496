import type { Campaign } from "../../schemas/campaign.ts";
import { instantOfStoreTime } from "../times/store-time.ts";

/** Returns when a campaign begins and ends in a store, in epoch milliseconds. A campaign without a start begins now. */
export function periodIn(
  { from, until }: Pick<Campaign, "from" | "until">,
  timeZone: string,
  now: Date,
): { begins: number; ends: number } {
  const begins = from === undefined ? now.getTime() : Math.max(instantOfStoreTime(from, timeZone), now.getTime());
  return { begins, ends: instantOfStoreTime(until, timeZone) };
}
