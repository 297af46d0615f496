import type { Db } from "mongodb";
import { priceListParts, priceLists } from "../../records/kinds/price-lists.ts";
import { batchesOf } from "../../records/mongodb/batches-of.ts";
import type { Records } from "../../records/records.ts";
import { idOf, ownerOf, priceListPartsUnder } from "../../schemas/keys.ts";
import type { PriceList } from "../../schemas/price-list.ts";
import type { Stored } from "../../schemas/record.ts";
import type { TimeSlice } from "./time-slice.ts";

interface Dependencies {
  db: Db;
  records: Pick<Records, "remove" | "scanFields">;
}

const LISTS_PER_BATCH = 100;

/**
 * Removes price lists that were sent before `before` and are not scheduled for a later time; returns their number. Their items
 * keep a bounded number of versions, which the next writes drop.
 */
export async function forgetPriceLists({ db, records }: Dependencies, before: Date, slice: TimeSlice): Promise<number> {
  const past = db
    .collection<Stored<PriceList>>(priceLists.name)
    .find({ since: { $lt: before } }, { projection: { rev: 1, startsAt: 1 } })
    .sort({ since: 1 });
  let removed = 0;
  for await (const batch of batchesOf(past, LISTS_PER_BATCH))
    for (const { _id, rev, startsAt } of batch) {
      if (startsAt !== undefined && startsAt >= before) continue;
      // The list is removed last: if the process is killed in between, the next pass finds it and continues.
      for await (const parts of records.scanFields(priceListParts, priceListPartsUnder(ownerOf(_id), idOf(_id)), []))
        await records.remove(
          priceListParts,
          parts.map((part) => ({ key: part._id, rev: part.rev })),
        );
      removed += await records.remove(priceLists, [{ key: _id, rev }]);
      if (!(await slice.goOn())) return removed;
    }
  return removed;
}
