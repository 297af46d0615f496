import type { Db } from "mongodb";
import { pageToSend } from "../../domain/labels/pages-to-send.ts";
import { areSamePages, type EslImage } from "../../schemas/image.ts";
import { keysUnder } from "../../schemas/keys.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import type { Envelope } from "../../schemas/record.ts";
import { labelStates } from "../kinds/labels.ts";
import { eslImages } from "../kinds/pictures.ts";
import { listRecords } from "../list-records.ts";
import type { Records } from "../records.ts";

type ToShow = Pick<LabelState, "wanted" | "shown" | "refreshing">;

/** Counts a store's labels that have a picture, or a picture that matches a filter. */
export const countPictures = (db: Db, store: string, filter: object = {}): Promise<number> =>
  db.collection<Envelope>(eslImages.name).countDocuments({ _id: keysUnder(`${store}/`), ...filter });

/**
 * Counts a tenant's labels whose picture has changed since a time, up to a maximum, and how many of them have acknowledged it.
 */
export async function countPicturesSince(
  { db, records }: { db: Db; records: Pick<Records, "readTogether"> },
  tenant: string,
  since: Date,
  limit: number,
): Promise<{ drawn: number; acknowledged: number }> {
  const sum = { drawn: 0, acknowledged: 0 };
  const listing = { prefix: `${tenant}/`, filter: { changedAt: { $gte: since } }, fields: ["pages"], limit };
  for await (const pictures of listRecords(db, eslImages, listing)) {
    const keys = pictures.map(({ _id }) => _id);
    const [states] = await records.readTogether([
      { kind: labelStates, keys, fields: ["wanted", "shown", "refreshing"] },
    ]);
    sum.drawn += pictures.length;
    sum.acknowledged += pictures.filter(({ _id, pages }) => isOnGlass(pages, states.get(_id))).length;
  }
  return sum;
}

const isOnGlass = (pages: EslImage["pages"], state: ToShow | undefined): boolean =>
  state !== undefined && areSamePages(pages, state.wanted) && pageToSend(state) === undefined;
