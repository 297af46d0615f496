import type { CareOfType } from "../../../domain/labels/care/battery-due.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { readTypesByNumber } from "../../../records/linking/types-by-number.ts";
import type { Records } from "../../../records/records.ts";
import { labelKey, tenantOf } from "../../../schemas/keys.ts";
import type { LabelState } from "../../../schemas/label-state.ts";

/** What each label type specifies about the care of its labels, by type number. */
export type CareOfTypes = ReadonlyMap<number, CareOfType>;

/** The facts about a label's care. */
export interface CareFacts extends Partial<Pick<LabelState, "care" | "battery">> {
  type: CareOfType;
}

/** Reads the stored facts about the care of labels. */
export function createCareReads(records: Records) {
  async function readFacts(known: readonly { _id: string; type: number }[], types: CareOfTypes): Promise<CareFacts[]> {
    const keys = known.map(({ _id }) => _id);
    const states = await records.readFields(labelStates, keys, ["care", "battery"]);
    return known.map(({ _id, type }) => ({ ...states.get(_id), type: types.get(type) ?? {} }));
  }

  async function readCares(store: string, barcodes: readonly string[]): Promise<CareFacts[]> {
    const keys = barcodes.map((barcode) => labelKey(store, barcode));
    const known = await records.readFields(labels, keys, ["type"]);
    return readFacts([...known.values()], await readTypesByNumber(records, tenantOf(store)));
  }

  return {
    readCares,
    readCare: async (store: string, barcode: string): Promise<CareFacts | undefined> =>
      (await readCares(store, [barcode]))[0],
    async *scanCare(store: string): AsyncGenerator<CareFacts[]> {
      const types = await readTypesByNumber(records, tenantOf(store));
      for await (const batch of records.scanFields(labels, labelKey(store, ""), ["type"]))
        yield await readFacts(batch, types);
    },
  };
}
