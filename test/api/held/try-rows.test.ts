import test from "ava";
import { createTryRows } from "../../../api/held/try-rows.ts";
import { itemKey } from "../../../schemas/keys.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import { unchecked } from "../../harness/part-of.ts";

const STORE = "t/demo/s/main";
const LATER = "2026-03-01 10:00:00";

/** Returns the indices of the rows of held request 10 that the guards hit, if this item is stored. */
async function hitRows(stored: object, ...rows: { validFrom?: string }[]): Promise<number[]> {
  const item = { itemId: "milk", properties: [], stamps: {}, ...stored };
  const records = { readFields: async () => new Map([[itemKey(STORE, "milk"), item]]), count: async () => 1 };
  const tryRows = createTryRows({ records: unchecked(records), now: () => new Date(0), clock: () => 0 });
  const { hits } = await tryRows({
    ...{ store: STORE, timeZone: "UTC", guards: { positive: true }, number: 10 },
    rows: rows.map((row) => ({ itemId: "milk", price: "0", ...row })),
  });
  return hits.map(({ row }) => row);
}

test("a newer price supersedes a held row, unless the row is scheduled", async (t) => {
  const newer = { price: "2", stamps: { price: stampOf(12, 0) } };
  t.deepEqual(await hitRows(newer, {}, { validFrom: LATER }), [1]);
});

test("a later deletion supersedes a held row, even if the row is scheduled", async (t) => {
  t.deepEqual(await hitRows({ floor: stampOf(12, 0) }, {}, { validFrom: LATER }), []);
});
