import test from "ava";
import { arrivalOf, type Explained } from "../../../../api/pages/browser/arrival.ts";
import { notDone, outcomeOf, toldOutcomes } from "../../../../api/pages/browser/shelf/act-outcome.ts";

const glass = (price: string | null, rev: number, differs: object = {}) => ({
  ...{ isWanted: true, isUploaded: false, items: [{ itemId: "milk", price, rev }] },
  ...differs,
});
const explained = (differs: Partial<Explained>): Explained => ({
  cause: "UP_TO_DATE",
  glass: [glass("2.49", 7)],
  positions: [{ item: { itemId: "milk", price: "2.49", rev: 7 } }],
  ...differs,
});

const table: [rule: string, differs: Partial<Explained>, arrival: ReturnType<typeof arrivalOf>][] = [
  ["its picture was made from the current item", {}, "arrived"],
  ["its picture was made earlier", { glass: [glass("1.99", 6)], cause: "ON_ITS_WAY" }, "waiting"],
  ["another change is drawn, but not this price", { glass: [glass("1.99", 7)] }, "waiting"],
  ["the same price was already shown, from an older item", { glass: [glass("2.49", 6)] }, "waiting"],
  ["another picture was sent since", { glass: [glass("2.49", 7, { isWanted: false })] }, "waiting"],
  ["the contents of the picture are unknown", { glass: [glass(null, 7, { items: null })] }, "waiting"],
  ["nothing is acknowledged", { glass: [], cause: "ON_ITS_WAY" }, "waiting"],
  ["a later change is drawn too", { glass: [glass("2.49", 9)] }, "arrived"],
  ["another user changed it", { positions: [{ item: { itemId: "milk", price: "3.00", rev: 8 } }] }, "overtaken"],
  [
    "a campaign shows its own until it ends",
    { positions: [{ item: { itemId: "milk", price: "1.99", rev: 8, campaign: { regularPrice: "2.49" } } }] },
    "later",
  ],
  ["an uploaded image hides it", { glass: [glass(null, 7, { isUploaded: true })] }, "hidden"],
  ["it could not be drawn", { glass: [glass(null, 7, { items: [] })], cause: "PICTURE_FAULT" }, "faulty"],
];
for (const [rule, differs, arrival] of table)
  test(`a price is ${arrival} if ${rule}`, (t) => t.is(arrivalOf(explained(differs), "milk", "2.49"), arrival));

test("labels for which an action failed, or that the action did not reach before it was stopped, are offered again", (t) => {
  const found = new Map([
    ["A", "done"],
    ["B", "unreachable"],
  ] as const);
  t.deepEqual(notDone(["A", "B", "C"], found), ["B", "C"]);
});

test("an action counts as done only for labels that it reached; the other labels are counted by result", (t) => {
  t.is(outcomeOf(true, "OK", true), "done");
  t.is(outcomeOf(true, undefined, true), "done");
  t.is(outcomeOf(true, undefined, false), "later");
  t.is(outcomeOf(true, "UNREACHABLE", false), "unreachable");
  t.is(outcomeOf(true, "UNSUPPORTED", true), "unsupported");
  t.is(outcomeOf(false, undefined, true), "refused");
  t.deepEqual(toldOutcomes(["unreachable", "unreachable", "unreachable"], false), [
    { key: "shelf.done", count: 0 },
    { key: "shelf.unreachable", count: 3 },
  ]);
  t.deepEqual(toldOutcomes(["done", "later", "refused"], true), [
    { key: "shelf.stopped", count: 1 },
    { key: "shelf.later", count: 1 },
    { key: "shelf.refused", count: 1 },
  ]);
});
