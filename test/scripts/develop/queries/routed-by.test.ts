import test from "ava";
import { keysUnder } from "../../../../schemas/keys.ts";
import { shapeOf } from "../../../../scripts/develop/queries/query-shape.ts";
import { routedBy } from "../../../../scripts/develop/queries/routed-by.ts";

const STORE = "t/demo/s/main";

test("a query of a sharded collection goes where its ids are: one, some or a range of them", (t) => {
  for (const _id of [`${STORE}/labels/1`, { $in: [`${STORE}/labels/1`] }, keysUnder(`${STORE}/`)])
    t.is(routedBy(shapeOf("labelstate", { _id, sendDue: { $lte: 1 } })), "ids");
});

test("a query of a sharded collection without ids, or with excluded ones, has no route", (t) => {
  t.is(routedBy(shapeOf("labelstate", { store: STORE })), undefined);
  t.is(routedBy(shapeOf("labelstate", { _id: { $nin: [`${STORE}/labels/1`] } })), undefined);
  t.is(routedBy(shapeOf("labelstate", {}, { _id: 1 })), undefined, "an order is no route");
});

test("alternatives have a route if each of them has", (t) => {
  const one = { _id: `${STORE}/labels/1` };
  t.is(routedBy(shapeOf("labelstate", { $or: [one, { _id: keysUnder("t/other/") }] })), "ids");
  t.is(routedBy(shapeOf("labelstate", { $or: [one, { store: STORE }] })), undefined);
});

test("a collection that stays whole is on one shard, whatever is asked; of an unknown one nothing is known", (t) => {
  t.is(routedBy(shapeOf("outbox", { since: { $lt: 1 } })), "one shard");
  t.is(routedBy(shapeOf("unheard", { _id: "t/demo/x" })), undefined);
});
