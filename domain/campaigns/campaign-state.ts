import type { Campaign } from "../../schemas/campaign.ts";
import type { CampaignState } from "../../schemas/campaign-answers.ts";
import { instantOf } from "../items/valid-from.ts";

/** The state of a campaign at a time: what is stored, and what the clock says of it. */
export function stateOf(
  { state, begins, ends }: Pick<Campaign, "state" | "begins" | "ends">,
  now: Date,
): CampaignState {
  if (state !== "SCHEDULED" || begins === undefined || ends === undefined) return state;
  if (now >= ends) return "ENDED";
  return now >= begins ? "LIVE" : "SCHEDULED";
}

/** When a campaign begins and ends in a store, in epoch milliseconds; one without a time begins now. */
export function periodIn(
  { from, until }: Pick<Campaign, "from" | "until">,
  timeZone: string,
  now: Date,
): { begins: number; ends: number } {
  const begins = from === undefined ? now.getTime() : Math.max(instantOf(from, timeZone), now.getTime());
  return { begins, ends: instantOf(until, timeZone) };
}
