import test from "ava";
import { Type } from "typebox";
import { bodyLimits } from "../../../api/body/body-limits.ts";
import { compileBodyCheck } from "../../../api/body/check-body.ts";
import { parseJson, parseWrittenJson } from "../../../api/body/parse-json.ts";
import { ItemPatch } from "../../../schemas/item.ts";

const check = compileBodyCheck(Type.Array(ItemPatch, { minItems: 1 }));

/** Returns the faults of a body of items, each as one string. */
async function faultsOf(text: string): Promise<string[]> {
  const bytes = Buffer.from(text);
  const { faults } = await check(await parseJson(bytes, bodyLimits.json, () => {}), {
    timeZone: "Europe/Zagreb",
    readWritten: () => parseWrittenJson(bytes, bodyLimits.json, () => {}),
  });
  return faults.map(({ pointer, detail }) => `${pointer} ${detail}`);
}

test("inexact numbers are listed together with all other faults", async (t) => {
  t.deepEqual(await faultsOf('[{"itemId":"1","price":1.10},{"itemId":""},{"itemId":"2","price":2.0,"sics":"x"}]'), [
    '/0/price must be a string; as a number, 1.10 is not kept exactly. Send "1.10"',
    '/1/itemId must have at least 1 character, but is ""',
    '/2/price must be a string; as a number, 2.0 is not kept exactly. Send "2.0"',
    '/2/sics must be a list or null, not "x"',
  ]);
});

test("a body with too many faults says how many rows were not checked", async (t) => {
  const rows = Array.from({ length: 250 }, () => ({ itemId: "" }));
  const faults = await faultsOf(JSON.stringify(rows));
  t.is(faults.length, 101);
  t.is(faults.at(-1), " and more faults; the last 149 of 250 rows were not checked");
});
