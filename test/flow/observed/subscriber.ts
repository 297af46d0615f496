import type { ExecutionContext } from "ava";
import { Webhook } from "standardwebhooks";
import { designs } from "../../../records/kinds/designs.ts";
import { subscriptions } from "../../../records/kinds/tenants.ts";
import { openDeliveries } from "../../../records/outbox/deliveries.ts";
import { readAll } from "../../../records/records.ts";
import type { ChangeEvent, ObservedTopic } from "../../../schemas/events.ts";
import { itemKey, storeKey, tenantKey } from "../../../schemas/keys.ts";
import type { Subscription } from "../../../schemas/subscription.ts";
import { STORE_ID, TENANT_ID } from "../../../scripts/demo/catalogue.ts";
import { writeItems, writeLabels } from "../../api/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import type { Shelfwire } from "../../harness/shelfwire.ts";
import { openReceiver, type Received } from "../../workers/notifier/receiver.ts";

export const store = storeKey(TENANT_ID, STORE_ID);
const SECRET = `whsec_${Buffer.from("0123456789abcdefghijklmn").toString("base64")}`;

/** The fields of the old format for every link that is created in this store. */
export const madeHere = { operation: "CREATED", tenantId: TENANT_ID, storeId: STORE_ID, status: "ACTIVE" } as const;
export const designsOfTenant = ({ system }: Shelfwire) =>
  readAll(system.records, designs, `${tenantKey(TENANT_ID)}/designs/`);

/** Asserts that every call is signed, and that calls with the same id have the same body. */
export function assertSignedOnce(t: ExecutionContext, calls: readonly Received[]): void {
  for (const { headers, body } of calls) {
    t.notThrows(() => new Webhook(SECRET).verify(body, headers as Record<string, string>));
    t.is(headers["content-type"], "application/cloudevents+json");
  }
  const bodies = Map.groupBy(calls, ({ headers }) => headers["webhook-id"]);
  for (const attempts of bodies.values()) t.is(new Set(attempts.map(({ body }) => body)).size, 1);
  t.is(bodies.size, new Set(calls.map(({ body }) => body)).size);
}

/** Subscribes a test's receivers to the changes of a Shelfwire. */
export function subscriberOf(opened: () => Shelfwire) {
  let count = 0;
  return async function subscribe(
    t: ExecutionContext,
    topics: ObservedTopic[],
    order: Partial<Subscription> = {},
    answer?: (received: Received) => number | Promise<number>,
  ) {
    const receiver = await openReceiver(answer);
    count += 1;
    const key = `${tenantKey(TENANT_ID)}/subscriptions/test-${count}`;
    const { commit, db, now, records } = opened().system;
    const body = { topics, url: receiver.url, secret: SECRET, createdAt: new Date(), ...order };
    await commit.change(subscriptions, [key], () => body, "bulk");
    const remove = async () => {
      const present = (await records.read(subscriptions, [key])).get(key);
      if (present) await records.remove(subscriptions, [{ key, rev: present.rev }]);
    };
    t.teardown(() => remove().then(() => receiver.close()));
    /** Returns each event once: an event is delivered again, under the same id, if the first response was lost. */
    const events = (): ChangeEvent[] => {
      const received: ChangeEvent[] = receiver.calls.flatMap(({ body: text }) => JSON.parse(text));
      return [...new Map(received.map((event) => [`${event.type} ${event.id}`, event])).values()];
    };
    const untilNothingWaits = () =>
      eventually("nothing waits", async () => (await openDeliveries(db, now).count(key)).waiting === 0);
    return { key, receiver, events, remove, untilNothingWaits, ...heardBy(opened(), events, `first ${count}`) };
  };
}

/** Finds the events of a subscription, and waits for some of them. */
function heardBy(shelfwire: Shelfwire, events: () => ChangeEvent[], name: string) {
  const ofItem = (itemId: string) => events().filter(({ subject }) => subject === itemKey(store, itemId));
  return {
    ofItem,
    /** Waits for the event of a record's creation; that of a later change may be delivered before it. */
    findCreated: (type: string, subject: string) =>
      eventually(`${type} of ${subject}`, async () =>
        events().find(
          (event) =>
            event.type === type &&
            event.subject === subject &&
            (event.data as { operation?: string }).operation === "CREATED",
        ),
      ),
    /** Changes an item until its first event arrives, because a process takes some seconds to read a new subscription. */
    async untilHeard(): Promise<void> {
      let price = 0;
      await eventually("the subscription is read", async () => {
        price += 1;
        await writeItems(shelfwire, [{ itemId: name, price: String(price) }]);
        return ofItem(name).length > 0;
      });
    },
    /** Does the same for changes to links, which another process publishes. */
    async untilLinksAreHeard(): Promise<void> {
      const barcode = labelFor(name);
      let round = 0;
      await eventually("link changes are delivered", async () => {
        round += 1;
        const itemId = `${name} ${round}`;
        await writeItems(shelfwire, [{ itemId, price: "1.00" }]);
        await writeLabels(shelfwire, [{ barcode, links: [{ itemId }] }]);
        return events().some(({ type }) => type !== "storeitemvalues.v1");
      });
    },
  };
}
