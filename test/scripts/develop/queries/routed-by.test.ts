import test from "ava";
import { keysUnder } from "../../../../schemas/keys.ts";
import { shapeOf } from "../../../../scripts/develop/queries/query-shape.ts";
import { routedBy } from "../../../../scripts/develop/queries/routed-by.ts";

const STORE = "t/demo/s/main";

test("a query of a sharded collection goes to the shards of its IDs: one, some or a range of them", (t) => {
  for (const _id of [`${STORE}/labels/1`, { $in: [`${STORE}/labels/1`] }, keysUnder(`${STORE}/`)])
    t.is(routedBy(shapeOf("labelstate", { _id, sendDue: { $lte: 1 } })), "ids");
});

test("a query of a sharded collection without IDs, or with excluded IDs, has no route", (t) => {
  t.is(routedBy(shapeOf("labelstate", { store: STORE })), undefined);
  t.is(routedBy(shapeOf("labelstate", { _id: { $nin: [`${STORE}/labels/1`] } })), undefined);
  t.is(routedBy(shapeOf("labelstate", {}, { _id: 1 })), undefined, "a sort order is not a route");
});

test("alternatives have a route if each of them does", (t) => {
  const one = { _id: `${STORE}/labels/1` };
  t.is(routedBy(shapeOf("labelstate", { $or: [one, { _id: keysUnder("t/other/") }] })), "ids");
  t.is(routedBy(shapeOf("labelstate", { $or: [one, { store: STORE }] })), undefined);
});

test("an unsharded collection is on one shard, whatever the query, and an unknown collection has no route", (t) => {
  t.is(routedBy(shapeOf("outbox", { since: { $lt: 1 } })), "one shard");
  t.is(routedBy(shapeOf("unheard", { _id: "t/demo/x" })), undefined);
});
