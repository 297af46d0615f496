import test from "ava";
import { failure, notFound, success } from "../../../domain/items/outcome.ts";
import type { Outcome } from "../../../schemas/request.ts";
import { rowNotice } from "../../../schemas/row-notice.ts";

const taken = rowNotice("SIC_TAKEN", { code: "4001", item: "tea" });
const outcomes: [rule: string, given: Outcome, expected: Outcome][] = [
  ["a row that created its item", success("milk", true), { itemId: "milk", status: "SUCCESS_NEW_ITEM", errors: [] }],
  ["a row that changed its item", success("milk", false), { itemId: "milk", status: "SUCCESS", errors: [] }],
  [
    "a failed row with its reason",
    failure("milk", taken),
    { itemId: "milk", status: "ERROR", errors: ['the SIC "4001" belongs to the item "tea"'], notices: [taken] },
  ],
  [
    "a row that names an unknown item",
    notFound("milk"),
    {
      itemId: "milk",
      status: "ITEM_NOT_FOUND",
      errors: ['the item "milk" does not exist'],
      notices: [{ code: "ITEM_UNKNOWN", values: { item: "milk" } }],
    },
  ],
];
for (const [rule, given, expected] of outcomes) test(rule, (t) => t.deepEqual(given, expected));

test("two rows never share a list of errors", (t) => {
  success("milk", true).errors.push("a link failed");
  t.deepEqual(success("milk", true).errors, []);
});
