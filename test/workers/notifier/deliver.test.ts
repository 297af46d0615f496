import test from "ava";
import { subscriptions } from "../../../records/kinds/subscription.ts";
import { openDeliveries } from "../../../records/outbox/deliveries.ts";
import type { ChangeEvent } from "../../../schemas/events.ts";
import { createDelivery } from "../../../workers/notifier/deliver.ts";
import type { Answer } from "../../../workers/notifier/receivers.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();

test("a process that closes ends its calls, and what it has taken and not begun is due at once", async (t) => {
  const { system } = own;
  const { db, now, commit } = system;
  const deliveries = openDeliveries(db, now);
  const subscription = "t/demo/subscriptions/one";
  const order = { topics: ["link.v2" as const], url: "https://shop.example/", secret: `whsec_${"A".repeat(32)}` };
  await commit.change(subscriptions, [subscription], () => order as never, "bulk");
  const event = (id: string) => ({ id, type: "link.v2" }) as unknown as ChangeEvent;
  const ids = Array.from({ length: 6 }, (_, index) => `event-${index}`);
  await deliveries.keep(ids.map((id) => ({ subscription, event: event(id) })));

  const calls: (() => void)[] = [];
  const receivers = {
    call: () => new Promise<Answer>((resolve) => calls.push(() => resolve({ kind: "delivered" }))),
  };
  const { begin, close } = createDelivery({ ...system, deliveries, receivers, random: () => 0 });
  await begin();
  await eventually("four calls are under way", async () => calls.length === 4);
  t.deepEqual(await deliveries.findDue(), [], "all of them are taken");
  const closed = close();
  for (const end of calls) end();
  await closed;
  t.is(calls.length, 4);
  t.is((await deliveries.take(subscription, 10, 1000)).length, 2);
});
