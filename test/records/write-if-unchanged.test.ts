import test from "ava";
import { writeOperation } from "../../records/write-if-unchanged.ts";

/** The database command for a record, by the state in which it was read. */
const CHANGED_AT = new Date(0);
const appended = { field: "history", max: 3 };
const record = (more: object, rev = 2) => ({
  _id: "t/a",
  store: "t/a",
  rev,
  writeId: "w",
  changedAt: CHANGED_AT,
  ...more,
});
const [first, second] = [{ at: 1 }, { at: 2 }];

test("a new record is inserted, whatever its kind", (t) => {
  const document = record({ price: "1" });
  for (const kind of [{}, { appended }])
    t.deepEqual(writeOperation(kind, undefined, document), { insertOne: { document } });
});

test("a record of a kind without a list is replaced if its rev is the rev that was read", (t) => {
  const replacement = record({ price: "2" });
  t.deepEqual(writeOperation({}, record({ price: "1" }, 1), replacement), {
    replaceOne: { filter: { _id: "t/a", rev: 1 }, replacement },
  });
});

/** The update for a kind with a list, if the stored rev is the rev that was read. */
function updateOf(before: object, after: object): object {
  const operation = writeOperation({ appended }, record(before, 1), record(after));
  const { filter, update } = "updateOne" in operation ? operation.updateOne : { filter: {}, update: {} };
  return { ...update, of: filter };
}
const of = { _id: "t/a", rev: 1 };

test("for a kind with a list only differences are sent, and undefined or missing fields are removed", (t) => {
  t.deepEqual(updateOf({ tries: 1, battery: "OK" }, { tries: 2, battery: "OK" }), { of, $set: { rev: 2, tries: 2 } });
  t.deepEqual(updateOf({ tries: 1, fault: "f", battery: undefined }, { tries: 1 }), {
    ...{ of, $set: { rev: 2 }, $unset: { fault: "" } },
  });
  t.deepEqual(updateOf({ fault: "f" }, { fault: undefined }), { of, $set: { rev: 2 }, $unset: { fault: "" } });
});

test("new entries are appended to a list, and its oldest entries are dropped", (t) => {
  const push = (entries: object[]) => ({ of, $push: { history: { $each: entries, $slice: -3 } } });
  t.deepEqual(updateOf({}, { history: [first] }), { $set: { rev: 2 }, ...push([first]) });
  t.deepEqual(updateOf({ history: [first] }, { history: [first, second] }), { $set: { rev: 2 }, ...push([second]) });
  t.deepEqual(updateOf({ history: [first] }, { history: [first] }), { of, $set: { rev: 2 } });
  t.deepEqual(updateOf({ history: [first] }, {}), { of, $set: { rev: 2 } }, "a list that was not read is kept");
});
