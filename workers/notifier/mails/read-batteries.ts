import { forecastOf, REPLACE_WITHIN_DAYS } from "../../../domain/labels/care/battery-due.ts";
import { isDueWithin } from "../../../domain/labels/care/battery-forecast.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { readTypesByNumber } from "../../../records/linking/types-by-number.ts";
import type { Records } from "../../../records/records.ts";
import { labelKey, tenantOf } from "../../../schemas/keys.ts";

/** Returns a function that counts the batteries in a store that need to be replaced. It reads every label. */
export const createCountBatteries =
  (records: Records) =>
  async (store: string, now: Date): Promise<number> => {
    const types = await readTypesByNumber(records, tenantOf(store));
    let due = 0;
    for await (const batch of records.scanFields(labels, labelKey(store, ""), ["type"])) {
      const keys = batch.map(({ _id }) => _id);
      const states = await records.readFields(labelStates, keys, ["battery", "care"]);
      for (const { _id, type } of batch)
        if (isDueWithin(forecastOf(states.get(_id) ?? {}, types.get(type) ?? {}, now), REPLACE_WITHIN_DAYS)) due += 1;
    }
    return due;
  };
