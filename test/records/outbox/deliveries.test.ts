import test from "ava";
import { type Deliveries, openDeliveries } from "../../../records/outbox/deliveries.ts";
import { type Delivery, deliveryId } from "../../../records/outbox/delivery.ts";
import { callNotice, callText } from "../../../schemas/call-notice.ts";
import type { ChangeEvent } from "../../../schemas/events.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();
let deliveries: Deliveries;
let time = new Date("2026-03-01T08:00:00Z");
test.before(async () => {
  deliveries = openDeliveries(database.db, () => time);
});
test.beforeEach(async () => {
  time = new Date("2026-03-01T08:00:00Z");
  await database.db.collection("delivery").deleteMany({});
});

const SUBSCRIPTION = "t/demo/subscriptions/one";
const LEASE_MS = 60_000;
const answered = (status: number) => callNotice("RECEIVER_ANSWERED", { status });
const pass = (ms: number): void => {
  time = new Date(time.getTime() + ms);
};
const eventOf = (rev: number): ChangeEvent => ({
  specversion: "1.0",
  id: `t/demo/s/main/items/milk#${rev}`,
  source: "/t/demo/s/main",
  type: "storeitemvalues.v1",
  subject: "t/demo/s/main/items/milk",
  time: time.toISOString(),
  datacontenttype: "application/json",
  data: { key: "t/demo/s/main/items/milk", rev, operation: "UPDATED", changed: ["unit.price", "$set"] },
});
const deliveryOf = (rev: number, subscription = SUBSCRIPTION) => {
  return { subscription, event: eventOf(rev) };
};
const idsOf = (taken: readonly Delivery[]): string[] => taken.map(({ _id }) => _id);
const id = (rev: number, subscription = SUBSCRIPTION): string => deliveryId(subscription, eventOf(rev));
const take = (): Promise<Delivery[]> => deliveries.take(SUBSCRIPTION, 10, LEASE_MS);

test.serial("stored events are taken unchanged, oldest first", async (t) => {
  await deliveries.keep([deliveryOf(1)]);
  pass(1);
  await deliveries.keep([deliveryOf(2)]);
  const taken = await take();
  t.deepEqual(idsOf(taken), [id(1), id(2)]);
  t.deepEqual(taken[1]?.event.data, { ...deliveryOf(2).event.data });
});

test.serial("a delivery taken by one process cannot be taken by another until its lease expires", async (t) => {
  await deliveries.keep([deliveryOf(1)]);
  const [first, second] = await Promise.all([take(), take()]);
  t.is(first.length + second.length, 1);
  pass(LEASE_MS - 1);
  t.deepEqual(await take(), []);
  pass(1);
  t.is((await take()).length, 1);
});

test.serial("an event is stored once, even in a batch with new events", async (t) => {
  await Promise.all([deliveries.keep([deliveryOf(1)]), deliveries.keep([deliveryOf(1)])]);
  await deliveries.keep([deliveryOf(1), deliveryOf(2)]);
  t.deepEqual(await deliveries.count(SUBSCRIPTION), { waiting: 2, dead: 0, lastFailure: null });
  await deliveries.confirm([id(1)]);
  t.deepEqual(idsOf(await take()), [id(2)]);
});

test.serial("only a due delivery makes its subscription due", async (t) => {
  await deliveries.keep([deliveryOf(1), deliveryOf(2), deliveryOf(1, "t/demo/subscriptions/two")]);
  t.deepEqual((await deliveries.findDue()).sort(), [SUBSCRIPTION, "t/demo/subscriptions/two"]);
  await take();
  t.deepEqual(await deliveries.findDue(), ["t/demo/subscriptions/two"]);
});

test.serial(
  "a failed delivery is due at its next attempt, and without a next attempt it is a dead letter",
  async (t) => {
    await deliveries.keep([deliveryOf(1), deliveryOf(2)]);
    await deliveries.putOff([
      { id: id(1), attempts: 1, due: new Date(time.getTime() + 5_000), notice: answered(503) },
      { id: id(2), attempts: 20, due: undefined, notice: answered(500) },
    ]);
    t.deepEqual(await take(), []);
    pass(5_000);
    t.like((await take())[0], { _id: id(1), attempts: 1, reason: "the receiver answered 503" });
    const { lastFailure, lastFailureNotice, ...counts } = await deliveries.count(SUBSCRIPTION);
    t.deepEqual(counts, { waiting: 1, dead: 1 });
    t.regex(lastFailure ?? "", /^the receiver answered 50[03]$/);
    t.is(lastFailureNotice && callText(lastFailureNotice), lastFailure ?? undefined);
    const dead = await deliveries.listDead(SUBSCRIPTION, 0, 10);
    t.deepEqual(idsOf(dead), [id(2)]);
    t.like(dead[0], { attempts: 20, reason: "the receiver answered 500", notice: answered(500) });
  },
);

test.serial("waiting deliveries and dead letters are counted only up to the limit", async (t) => {
  await deliveries.keep(Array.from({ length: 7 }, (_, index) => deliveryOf(index)));
  const dead = [4, 5, 6].map((index) => ({ id: id(index), attempts: 20, due: undefined, notice: answered(500) }));
  await deliveries.putOff(dead);
  t.like(await deliveries.count(SUBSCRIPTION), { waiting: 4, dead: 3 });
  t.like(await deliveries.count(SUBSCRIPTION, 2), { waiting: 2, dead: 2 });
});

test.serial("lastFailure counts only the subscription's own attempted deliveries", async (t) => {
  await deliveries.keep([deliveryOf(1), deliveryOf(2), deliveryOf(3, "t/demo/subscriptions/two")]);
  const failed = (letter: string, status: number) => ({
    id: letter,
    attempts: 1,
    due: time,
    notice: answered(status),
  });
  await deliveries.putOff([failed(id(3, "t/demo/subscriptions/two"), 404)]);
  t.is((await deliveries.count(SUBSCRIPTION)).lastFailure, null);
  await deliveries.putOff([failed(id(2), 403)]);
  t.is((await deliveries.count(SUBSCRIPTION)).lastFailure, "the receiver answered 403");
});

test.serial("replayed dead letters are due again, either the named ones or all", async (t) => {
  await deliveries.keep([deliveryOf(1), deliveryOf(2), deliveryOf(3), deliveryOf(4, "t/demo/subscriptions/two")]);
  const dead = [id(1), id(2), id(3), id(4, "t/demo/subscriptions/two")];
  await deliveries.putOff(dead.map((letter) => ({ id: letter, attempts: 9, due: undefined, notice: answered(500) })));
  t.is(await deliveries.replay(SUBSCRIPTION, [id(2), "another"]), 1);
  t.like((await take())[0], { _id: id(2), attempts: 0, since: time });
  t.is(await deliveries.replay(SUBSCRIPTION), 2);
  t.deepEqual(idsOf(await take()).sort(), [id(1), id(3)]);
});

test.serial("only a subscription's own deliveries are removed with it", async (t) => {
  await deliveries.keep([deliveryOf(1), deliveryOf(1, "t/demo/subscriptions/two")]);
  await deliveries.drop(SUBSCRIPTION);
  t.deepEqual(await deliveries.count(SUBSCRIPTION), { waiting: 0, dead: 0, lastFailure: null });
  t.deepEqual(await deliveries.count("t/demo/subscriptions/two"), { waiting: 1, dead: 0, lastFailure: null });
});

test.serial("old dead letters are deleted, and waiting deliveries are kept", async (t) => {
  await deliveries.keep([deliveryOf(1), deliveryOf(2)]);
  await deliveries.putOff([{ id: id(2), attempts: 20, due: undefined, notice: answered(500) }]);
  t.is(await deliveries.forget(time), 0);
  t.is(await deliveries.forget(new Date(time.getTime() + 1)), 1);
  t.deepEqual(await deliveries.count(SUBSCRIPTION), { waiting: 1, dead: 0, lastFailure: null });
});

test.serial("storing, postponing or confirming an empty list changes nothing", async (t) => {
  await deliveries.keep([deliveryOf(1)]);
  await Promise.all([deliveries.keep([]), deliveries.putOff([]), deliveries.confirm([])]);
  t.like(await deliveries.count(SUBSCRIPTION), { waiting: 1, dead: 0 });
});

test.serial("only returned deliveries are due immediately", async (t) => {
  await deliveries.keep([deliveryOf(1), deliveryOf(2), deliveryOf(3)]);
  t.is((await take()).length, 3);
  await deliveries.giveBack([id(1), id(3)]);
  t.deepEqual(idsOf(await take()).sort(), [id(1), id(3)]);
  pass(LEASE_MS);
  t.deepEqual(idsOf(await take()).sort(), [id(1), id(2), id(3)]);
});

test.serial("a tenant's deliveries are counted across its subscriptions, only up to the limit", async (t) => {
  const of = (subscription: string) => [1, 2, 3].map((rev) => deliveryOf(rev, subscription));
  await deliveries.keep(
    ["t/demo/subscriptions/one", "t/demo/subscriptions/two", "t/demo2/subscriptions/one"].flatMap(of),
  );
  t.is(await deliveries.countOfTenant("t/demo", 100), 6);
  t.is(await deliveries.countOfTenant("t/demo", 4), 4);
  t.is(await deliveries.countOfTenant("t/demo2", 100), 3);
  t.is(await deliveries.countOfTenant("t/other", 100), 0);
});

test.serial("dead letters are listed by the age of their events, page by page", async (t) => {
  for (const [rev, age] of [
    [3, 1],
    [1, 2],
    [2, 3],
  ] as const) {
    pass(-age);
    await deliveries.keep([deliveryOf(rev)]);
    await deliveries.putOff([{ id: id(rev), attempts: 20, due: undefined, notice: answered(500) }]);
    pass(age);
  }
  const listed = async (start: number, limit: number) => idsOf(await deliveries.listDead(SUBSCRIPTION, start, limit));
  t.deepEqual(await listed(0, 10), [id(2), id(1), id(3)]);
  t.deepEqual(await listed(1, 1), [id(1)]);
});

test.serial("the deliveries that have been due longest are taken, in the order of their events", async (t) => {
  for (const [rev, age] of [
    [4, 1],
    [2, 3],
    [3, 2],
    [1, 4],
  ] as const) {
    pass(-age);
    await deliveries.keep([deliveryOf(rev)]);
    pass(age);
  }
  t.deepEqual(idsOf(await deliveries.take(SUBSCRIPTION, 3, LEASE_MS)), [id(1), id(2), id(3)]);
  t.deepEqual(idsOf(await take()), [id(4)]);
});
