import { resolveCodes } from "../../queues/linking/load-linking-facts.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { labelTypes } from "../../records/kinds/tenants.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import { type Records, readAll } from "../../records/records.ts";
import { labelKey, tenantOf } from "../../schemas/keys.ts";
import type { ActionFacts } from "./action-rules.ts";

/** Reads the facts that actions on labels need. */
export function createActionFacts(records: Records, schemeOf: SchemeOf) {
  return {
    /** Returns the facts of labels, in the order of `barcodes`. */
    async readActionFacts(store: string, barcodes: readonly string[]): Promise<ActionFacts[]> {
      const keys = barcodes.map((barcode) => labelKey(store, barcode));
      const [readType, known, states, types] = await Promise.all([
        schemeOf(store),
        records.read(labels, keys),
        records.readFields(labelStates, keys, ["wanted", "shown", "lastSeen", "checksIn"]),
        readAll(records, labelTypes, `${tenantOf(store)}/labeltypes/`),
      ]);
      return barcodes.map((barcode, index) => {
        const key = keys[index] ?? "";
        const label = known.get(key);
        const type = label?.type ?? readType(barcode);
        return { label, labelType: types.find((labelType) => labelType.type === type), state: states.get(key) };
      });
    },

    /** Returns the existing item for each id or SIC. */
    findItems: (store: string, codes: readonly string[]) => resolveCodes(records, store, codes),
  };
}
