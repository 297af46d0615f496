import { randomUUID } from "node:crypto";
import test from "ava";
import { createTails } from "../../../api/management/subscriptions/tails.ts";
import { subscriptions } from "../../../records/kinds/tenants.ts";
import { openDeliveries } from "../../../records/outbox/deliveries.ts";
import { openRecords } from "../../../records/records.ts";
import { subscriptionKey } from "../../../schemas/keys.ts";
import { tenantLimits } from "../../../schemas/tenant-limits.ts";
import { createBoundDeliveries } from "../../../workers/notifier/bound-deliveries.ts";
import { ownStack } from "../../harness/own.ts";
import { thisThread } from "../../harness/threads/host.ts";
import { refused } from "../calls.ts";
import { manage } from "./calls.ts";

const shelfwire = ownStack({ workers: [] }, thisThread);
const original = { ...tenantLimits };
test.afterEach(() => void Object.assign(tenantLimits, original));

const call = (method: string, path: string, body?: unknown) => manage(shelfwire, method, path, body);
const read = async (path: string) => (await call("GET", path)).json() as Promise<Record<string, unknown>[]>;

for (const { limit, path, id, what } of [
  { limit: "stores", path: "/stores", id: "storeId", what: "stores" },
  { limit: "designs", path: "/designs", id: "designId", what: "designs" },
  { limit: "canvasDesigns", path: "/canvas-designs", id: "canvasId", what: "canvas designs" },
  { limit: "communicationPacks", path: "/communication-packs", id: "packId", what: "communication packs" },
] as const) {
  test.serial(`beyond the limit of ${what} a new one returns 409, and existing ones can be changed`, async (t) => {
    const present = await read(path);
    const [first] = present;
    tenantLimits[limit] = present.length;
    const { detail } = await refused(t, await call("PUT", `${path}/one-more`, first), 409);
    t.regex(detail, new RegExp(`^A tenant can have at most ${present.length} ${what}; this one has ${present.length}`));
    t.is((await call("PUT", `${path}/${first?.[id]}`, first)).status, 200);
    t.is((await read(path)).length, present.length);
    tenantLimits[limit] = present.length + 1;
    t.is((await call("PUT", `${path}/one-more`, first)).status, 200);
  });
}

test.serial("deleting a design makes room for another", async (t) => {
  const [design] = await read("/designs");
  tenantLimits.designs = (await read("/designs")).length + 1;
  t.is((await call("PUT", "/designs/short-lived", design)).status, 200);
  await refused(t, await call("PUT", "/designs/another", design), 409);
  t.is((await call("DELETE", "/designs/short-lived")).status, 204);
  t.is((await call("PUT", "/designs/another", design)).status, 200);
});

const order = { topics: ["storeitemvalues.v1"], url: "https://shop.example/events" };

test.serial("a subscription beyond the limit returns 409", async (t) => {
  tenantLimits.subscriptions = 1;
  const made = (await (await call("POST", "/subscriptions", order)).json()) as { subscriptionId: string };
  const { detail } = await refused(t, await call("POST", "/subscriptions", order), 409);
  t.regex(detail, /at most 1 subscriptions; this one has 1/);
  await call("DELETE", `/subscriptions/${made.subscriptionId}`);
});

test.serial(
  "the number of tails per tenant is limited: a further tail returns 429, and another tenant can still open tails",
  (t) => {
    tenantLimits.tails = 1;
    const { redis } = shelfwire.system;
    const tails = createTails({ redis, clock: () => performance.now(), eventsOf: async () => [] });
    t.teardown(() => tails.close());
    const open = (tenant: string) => {
      const tail = tails.open({ tenant, topic: "storeitemvalues.v1", after: undefined, isPermitted: async () => true });
      if (typeof tail !== "string") t.teardown(() => tail.destroy());
      return tail;
    };
    t.not(typeof open("t/a"), "string");
    t.is(open("t/a"), "tenant");
    t.not(typeof open("t/b"), "string");
  },
);

test.serial("if too many events wait, the subscription with the most is stopped and reports the reason", async (t) => {
  const { system } = shelfwire;
  const deliveries = openDeliveries(system.db, system.now);
  const records = openRecords(system.db);
  const keyOf = (name: string) => subscriptionKey("t/demo", name);
  for (const name of ["slow", "quick"])
    await system.commit.change(
      subscriptions,
      [keyOf(name)],
      () => ({ ...order, topics: ["storeitemvalues.v1" as const], secret: "whsec_x", createdAt: new Date() }),
      "bulk",
    );
  const keep = (name: string, count: number) =>
    deliveries.keep(
      Array.from({ length: count }, () => ({
        subscription: keyOf(name),
        event: {
          specversion: "1.0" as const,
          id: randomUUID(),
          source: "/t/demo",
          type: "storeitemvalues.v1",
          subject: "x",
          time: "2026-01-01T00:00:00Z",
          datacontenttype: "application/json" as const,
          data: { key: "x", rev: 1, operation: "UPDATED" as const, changed: [] },
        },
      })),
    );
  await keep("slow", 4);
  await keep("quick", 2);
  const bound = (limit: number) => createBoundDeliveries({ ...system, deliveries, limit })();
  const stopped = async (name: string) => (await records.read(subscriptions, [keyOf(name)])).get(keyOf(name))?.stopped;

  await bound(6);
  t.is(await stopped("slow"), undefined, "at the limit no subscription is stopped");
  tenantLimits.deliveriesWaiting = 6;
  const { detail } = await refused(t, await call("POST", "/subscriptions/quick/test"), 429);
  t.regex(detail, /At most 6 events of a tenant can wait/);
  await bound(5);
  t.regex((await stopped("slow")) ?? "", /more than 5 events of the tenant were waiting, 4 of them/);
  t.is(await stopped("quick"), undefined);
  t.is(await deliveries.countOfTenant("t/demo", 100), 2);
});
