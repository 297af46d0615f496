import type { Campaign } from "../../schemas/campaign.ts";
import type { CampaignState } from "../../schemas/campaign-answers.ts";

/** Returns the state of a campaign at a given time, from its record and the clock. */
export function stateOf(
  { state, begins, ends }: Pick<Campaign, "state" | "begins" | "ends">,
  now: Date,
): CampaignState {
  if (state !== "SCHEDULED" || begins === undefined || ends === undefined) return state;
  if (now >= ends) return "ENDED";
  return now >= begins ? "LIVE" : "SCHEDULED";
}
