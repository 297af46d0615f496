import type { Db } from "mongodb";
import { labels } from "../../records/kinds/labels.ts";
import { labelTypes, models } from "../../records/kinds/tenants.ts";
import { batchesOf } from "../../records/mongodb/batches-of.ts";
import { type Records, readAll } from "../../records/records.ts";
import { idOf, keysUnder, labelKey, tenantOf } from "../../schemas/keys.ts";
import type { Label } from "../../schemas/label.ts";
import type { Stored } from "../../schemas/record.ts";

const BARCODES_PER_BATCH = 1000;

/** Reads label models, and which labels have a model. */
export function createModelReads(db: Db, records: Records) {
  return {
    /** Returns the models of the store's tenant, by name. */
    readModels: (store: string) => readAll(records, models, `${tenantOf(store)}/models/`),
    /** Returns the largest number of pages among the label types of the store's tenant. */
    async readMostPages(store: string): Promise<number> {
      const types = await readAll(records, labelTypes, `${tenantOf(store)}/labeltypes/`);
      return Math.max(1, ...types.map(({ pages }) => pages));
    },
    /** Yields the barcodes of a store's labels of one model, in batches. */
    async *barcodesOfModel(store: string, modelName: string): AsyncGenerator<string[]> {
      const cursor = db
        .collection<Stored<Label>>(labels.name)
        .find({ _id: keysUnder(labelKey(store, "")), modelName }, { projection: { _id: 1 } });
      for await (const found of batchesOf(cursor, BARCODES_PER_BATCH)) yield found.map(({ _id }) => idOf(_id));
    },
  };
}
