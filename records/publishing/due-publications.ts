import type { Db } from "mongodb";
import { keysUnder } from "../../schemas/keys.ts";
import type { Envelope } from "../../schemas/record.ts";
import { eslImages } from "../kinds/pictures.ts";
import { publications } from "../kinds/publishing.ts";

const MAX_DUE = 100;

/** Keys of the publications that a worker must take a step further, the longest due first. */
export async function duePublications(db: Db, now: Date): Promise<string[]> {
  const found = await db
    .collection<Envelope>(publications.name)
    .find({ due: { $lte: now } })
    .project<Pick<Envelope, "_id">>({ _id: 1 })
    .sort({ due: 1 })
    .limit(MAX_DUE)
    .toArray();
  return found.map(({ _id }) => _id);
}

/** How many labels of a store have a picture, or one that matches a filter. */
export const countPictures = (db: Db, store: string, filter: object = {}): Promise<number> =>
  db.collection<Envelope>(eslImages.name).countDocuments({ _id: keysUnder(`${store}/`), ...filter });

/** How many labels of a tenant have a picture that changed since a time, up to a maximum. */
export const countPicturesSince = (db: Db, tenant: string, since: Date, limit: number): Promise<number> =>
  db
    .collection<Envelope>(eslImages.name)
    .countDocuments({ _id: keysUnder(`${tenant}/`), changedAt: { $gte: since } }, { limit });
