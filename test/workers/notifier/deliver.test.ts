import test from "ava";
import { subscriptions } from "../../../records/kinds/tenants.ts";
import { openDeliveries } from "../../../records/outbox/deliveries.ts";
import { callNotice } from "../../../schemas/call-notice.ts";
import type { ChangeEvent } from "../../../schemas/events.ts";
import type { Subscription } from "../../../schemas/subscription.ts";
import type { Answer, Call } from "../../../workers/notifier/call-receiver.ts";
import { createDelivery } from "../../../workers/notifier/deliver.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();

/** Stores a subscription with this id; returns its key. */
async function subscribe(id: string, more: Partial<Subscription> = {}): Promise<string> {
  const key = `t/demo/subscriptions/${id}`;
  const order = {
    topics: ["link.v2" as const],
    url: "https://shop.example/",
    secret: `whsec_${"A".repeat(32)}`,
    createdAt: new Date(),
  };
  await own.system.commit.change(subscriptions, [key], () => ({ ...order, ...more }), "bulk");
  return key;
}

test.serial("a closing process finishes its calls, and unstarted deliveries are due immediately", async (t) => {
  const { system } = own;
  const { db, now } = system;
  const deliveries = openDeliveries(db, now);
  const subscription = await subscribe("one");
  const event = (id: string) => ({ id, type: "link.v2" }) as unknown as ChangeEvent;
  const ids = Array.from({ length: 6 }, (_, index) => `event-${index}`);
  await deliveries.keep(ids.map((id) => ({ subscription, event: event(id) })));

  const calls: (() => void)[] = [];
  const receivers = {
    call: () => new Promise<Answer>((resolve) => calls.push(() => resolve({ kind: "delivered" }))),
  };
  const { begin, close } = createDelivery({ ...system, deliveries, receivers, random: () => 0 });
  await begin();
  await eventually("four calls are in progress", async () => calls.length === 4);
  t.deepEqual(await deliveries.findDue(), [], "all deliveries are taken");
  const closed = close();
  for (const end of calls) end();
  await closed;
  t.is(calls.length, 4);
  t.is((await deliveries.take(subscription, 10, 1000)).length, 2);
});

test.serial(
  "a failed call with several events is retried with the same events and ID, whatever arrives in the meantime",
  async (t) => {
    const { system } = own;
    const { db } = system;
    await db.collection("delivery").deleteMany({});
    let time = Date.now();
    const now = () => new Date(time);
    const deliveries = openDeliveries(db, now);
    const subscription = await subscribe("lists", { eventsACall: 3 });
    const event = (id: string) => ({ id, type: "link.v2" }) as unknown as ChangeEvent;
    const keep = (...ids: string[]) => deliveries.keep(ids.map((id) => ({ subscription, event: event(id) })));

    const calls: { id: string; events: string[] }[] = [];
    let isAway = true;
    const receivers = {
      async call({ id, body }: Call): Promise<Answer> {
        calls.push({ id, events: (JSON.parse(body) as { id: string }[]).map((one) => one.id) });
        return isAway
          ? { kind: "failed", notice: callNotice("RECEIVER_ANSWERED", { status: 503 }) }
          : { kind: "delivered" };
      },
    };
    let draws = 0;
    const random = () => {
      draws += 1;
      return (draws % 7) / 7;
    };
    const world = { ...system, now, deliveries, receivers, random };
    /** Runs a round in a separate process. */
    const round = async (events: number) => {
      const begun = calls.length;
      const { begin, close } = createDelivery(world);
      await begin();
      const sent = () => calls.slice(begun).flatMap((call) => call.events).length;
      await eventually(`${events} events are sent`, async () => sent() >= events);
      await close();
      return calls.slice(begun);
    };
    const byEvents = (made: typeof calls) => new Map(made.map(({ id, events }) => [events.toSorted().join(), id]));

    await keep("a", "b", "c", "d");
    const first = byEvents(await round(4));
    t.deepEqual([...first.keys()].map((events) => events.split(",").length).toSorted(), [1, 3]);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await keep(`e${attempt}`, `f${attempt}`);
      time += 3_600_000 * 1.5;
      const again = byEvents(await round(6 + 2 * attempt));
      for (const [events, id] of first) t.is(again.get(events), id, events);
      const others = [...again.keys()].filter((events) => !first.has(events)).flatMap((events) => events.split(","));
      t.true(others.includes(`e${attempt}`) && others.includes(`f${attempt}`));
    }
    isAway = false;
    time += 3_600_000 * 1.5;
    const delivered = await round(10);
    const all = delivered.flatMap(({ events }) => events);
    t.deepEqual(all.toSorted(), ["a", "b", "c", "d", "e0", "e1", "e2", "f0", "f1", "f2"]);
    for (const [events, id] of first) t.is(byEvents(delivered).get(events), id);
  },
);

test.serial("a delivery waits as long as its receiver requests, and others are sent in the meantime", async (t) => {
  const { system } = own;
  const { db } = system;
  await db.collection("delivery").deleteMany({});
  let time = Date.now();
  const now = () => new Date(time);
  const deliveries = openDeliveries(db, now);
  const subscription = await subscribe("resting");
  const notice = callNotice("RECEIVER_ANSWERED", { status: 429 });
  const called: string[] = [];
  const receivers = {
    async call({ body }: Call): Promise<Answer> {
      const { id } = JSON.parse(body) as ChangeEvent;
      called.push(id);
      return id === "first" ? { kind: "failed", notice, retryAfterMs: 600_000 } : { kind: "delivered" };
    },
  };
  /** Runs a round in which this event is sent, and returns every event that the round sent. */
  const roundWith = async (id: string) => {
    const { begin, close } = createDelivery({ ...system, now, deliveries, receivers, random: () => 0 });
    const before = called.length;
    await begin();
    await eventually(`${id} is sent`, async () => called.slice(before).includes(id));
    await close();
    return called.slice(before);
  };
  const keep = (id: string) => deliveries.keep([{ subscription, event: { id, type: "link.v2" } as ChangeEvent }]);
  await keep("first");
  t.deepEqual(await roundWith("first"), ["first"]);
  time += 599_000;
  await keep("second");
  t.deepEqual(await roundWith("second"), ["second"]);
  time += 2_000;
  t.deepEqual(await roundWith("first"), ["first"]);
});

test.serial("after a receiver responds 410, the remaining calls of the round are not made", async (t) => {
  const { system } = own;
  const { db, now, records } = system;
  await db.collection("delivery").deleteMany({});
  const deliveries = openDeliveries(db, now);
  const subscription = await subscribe("gone");
  const ids = Array.from({ length: 6 }, (_, index) => `event-${index}`);
  await deliveries.keep(ids.map((id) => ({ subscription, event: { id, type: "link.v2" } as ChangeEvent })));
  let isDropped = false;
  const drop = async (key: string) => {
    await deliveries.drop(key);
    isDropped = true;
  };
  const calls: ((answer: Answer) => void)[] = [];
  const receivers = { call: () => new Promise<Answer>((resolve) => calls.push(resolve)) };
  const world = { ...system, deliveries: { ...deliveries, drop }, receivers, random: () => 0 };
  const { begin, close } = createDelivery(world);
  await begin();
  await eventually("four calls are in progress", async () => calls.length === 4);
  calls[0]?.({ kind: "gone" });
  await eventually("the deliveries are removed", async () => isDropped);
  t.is(calls.length, 4);
  for (const answer of calls) answer({ kind: "delivered" });
  await close();
  t.is(calls.length, 4);
  t.truthy((await records.read(subscriptions, [subscription])).get(subscription)?.stopped);
  t.is((await deliveries.count(subscription)).waiting, 0);
});
