import { labelStates, labels } from "../../../records/kinds/labels.ts";
import type { Records } from "../../../records/records.ts";
import type { Care } from "../../../schemas/care.ts";
import { labelKey } from "../../../schemas/keys.ts";

/** Reads what is kept about the care of labels. */
export const createCareReads = (records: Records) => ({
  async readCare(store: string, barcode: string): Promise<{ care?: Care | undefined } | undefined> {
    const key = labelKey(store, barcode);
    const [known, states] = await Promise.all([
      records.readRevs(labels, [key]),
      records.readFields(labelStates, [key], ["care"]),
    ]);
    return known.has(key) ? { care: states.get(key)?.care } : undefined;
  },
  async *scanCare(store: string): AsyncGenerator<(Care | undefined)[]> {
    for await (const keys of records.scanKeys(labels, labelKey(store, ""))) {
      const states = await records.readFields(labelStates, keys, ["care"]);
      yield keys.map((key) => states.get(key)?.care);
    }
  },
});
