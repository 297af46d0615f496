import type { Db } from "mongodb";
import type { Envelope } from "../../schemas/record.ts";
import { campaigns } from "../kinds/campaigns.ts";

const MAX_DUE = 100;

/** Keys of the campaigns that a worker must take a step further, the longest due first. */
export async function dueCampaigns(db: Db, now: Date): Promise<string[]> {
  const found = await db
    .collection<Envelope>(campaigns.name)
    .find({ due: { $lte: now } })
    .project<Pick<Envelope, "_id">>({ _id: 1 })
    .sort({ due: 1 })
    .limit(MAX_DUE)
    .toArray();
  return found.map(({ _id }) => _id);
}
