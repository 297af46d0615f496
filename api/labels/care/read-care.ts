import type { CareOfType } from "../../../domain/labels/care/note-replacement.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import type { Records } from "../../../records/records.ts";
import { labelKey } from "../../../schemas/keys.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import { type CareOfTypes, readCareOfTypes } from "./care-of-types.ts";

/** What is known about the care of a label. */
export interface CareFacts extends Partial<Pick<LabelState, "care" | "battery">> {
  type: CareOfType;
}

/** Reads what is kept about the care of labels. */
export function createCareReads(records: Records) {
  async function readFacts(known: readonly { _id: string; type: number }[], types: CareOfTypes): Promise<CareFacts[]> {
    const keys = known.map(({ _id }) => _id);
    const states = await records.readFields(labelStates, keys, ["care", "battery"]);
    return known.map(({ _id, type }) => ({ ...states.get(_id), type: types.get(type) ?? {} }));
  }

  return {
    async readCares(store: string, barcodes: readonly string[]): Promise<CareFacts[]> {
      const keys = barcodes.map((barcode) => labelKey(store, barcode));
      const known = await records.readFields(labels, keys, ["type"]);
      return readFacts([...known.values()], await readCareOfTypes(records, store));
    },
    async readCare(store: string, barcode: string): Promise<CareFacts | undefined> {
      const key = labelKey(store, barcode);
      const label = (await records.readFields(labels, [key], ["type"])).get(key);
      if (label === undefined) return undefined;
      const [facts] = await readFacts([label], await readCareOfTypes(records, store));
      return facts;
    },
    async *scanCare(store: string): AsyncGenerator<CareFacts[]> {
      const types = await readCareOfTypes(records, store);
      for await (const batch of records.scanFields(labels, labelKey(store, ""), ["type"]))
        yield await readFacts(batch, types);
    },
  };
}
