import { stateOf } from "../../domain/campaigns/campaign-state.ts";
import type { Campaign } from "../../schemas/campaign.ts";
import { idOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { ProblemError } from "../http/problem-error.ts";

/** Throws a 409 for a campaign that is not a draft. */
export function assertDraft({ _id, state }: Stored<Campaign>): void {
  if (state !== "DRAFT")
    throw new ProblemError(
      "conflict",
      `The campaign "${idOf(_id)}" is ${state}: only a draft can be changed or scheduled. Cancel it, and create a new one.`,
    );
}

/** Throws a 409 for a campaign that is scheduled, live or being cancelled, and so cannot be deleted. */
export function assertIdle(campaign: Stored<Campaign>, now: Date): void {
  const state = stateOf(campaign, now);
  if (campaign.due !== undefined || state === "SCHEDULED" || state === "LIVE")
    throw new ProblemError("conflict", `The campaign "${idOf(campaign._id)}" is ${state}: cancel it first.`);
}

/** Throws a 409 for a campaign that has ended, and so cannot be cancelled. */
export function assertNotEnded(campaign: Stored<Campaign>, now: Date): void {
  if (stateOf(campaign, now) === "ENDED")
    throw new ProblemError(
      "conflict",
      `The campaign "${idOf(campaign._id)}" has ended: the regular prices have returned.`,
    );
}

export const changedMeanwhile = ({ _id }: Stored<Campaign>): ProblemError =>
  new ProblemError("conflict", `Somebody else has changed the campaign "${idOf(_id)}" in the meantime: read it again.`);
