import test from "ava";
import { failure, notFound, success } from "../../../domain/items/outcome.ts";
import type { Outcome } from "../../../schemas/request.ts";

const outcomes: [rule: string, given: Outcome, expected: Outcome][] = [
  ["a row that made its item", success("milk", true), { itemId: "milk", status: "SUCCESS_NEW_ITEM", errors: [] }],
  ["a row that changed its item", success("milk", false), { itemId: "milk", status: "SUCCESS", errors: [] }],
  ["a row that failed says why", failure("milk", ["no"]), { itemId: "milk", status: "ERROR", errors: ["no"] }],
  [
    "a row whose item is not there names it",
    notFound("milk"),
    { itemId: "milk", status: "ITEM_NOT_FOUND", errors: ['the item "milk" does not exist'] },
  ],
];
for (const [rule, given, expected] of outcomes) test(rule, (t) => t.deepEqual(given, expected));

test("two rows never share a list of errors", (t) => {
  success("milk", true).errors.push("a link failed");
  t.deepEqual(success("milk", true).errors, []);
});
