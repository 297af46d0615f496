import test from "ava";
import { processNames } from "../../../queues/topology.ts";
import { items } from "../../../records/kinds/items.ts";
import { subscriptions } from "../../../records/kinds/tenants.ts";
import type { ChangeData, ObservedTopic, OldLinkData } from "../../../schemas/events.ts";
import { itemKey, linkKey } from "../../../schemas/keys.ts";
import { STORE_ID } from "../../../scripts/demo/catalogue.ts";
import { openStore, writeItems, writeLabels, writeLinks } from "../../api/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { openShelfwire, type Shelfwire } from "../../harness/shelfwire.ts";
import { assertSignedOnce, designsOfTenant, madeHere, store, subscriberOf } from "./subscriber.ts";

let shelfwire: Shelfwire;
let notifier: { close(): Promise<void> };
test.before(async () => {
  const workers = processNames.filter((name) => name !== "notifier");
  shelfwire = await openShelfwire({ workers, settings: { WEBHOOKS_PRIVATE: "127.0.0.0/8:*" } });
  notifier = await shelfwire.openWorker("notifier");
});
test.after.always(() => shelfwire.close());

const subscribe = subscriberOf(() => shelfwire);

test.serial("each change to an item is one signed event with key, rev, operation and fields", async (t) => {
  const { receiver, untilHeard, ofItem } = await subscribe(t, ["storeitemvalues.v1"]);
  await untilHeard();
  await writeItems(shelfwire, [{ itemId: "delivered", price: "1.00" }]);
  await eventually("the first event is delivered", async () => ofItem("delivered").length === 1);
  await writeItems(shelfwire, [{ itemId: "delivered", price: "2.00" }]);
  const [made, changed] = await eventually("both events are delivered", async () => {
    const found = ofItem("delivered");
    return found.length === 2 && found;
  });
  const key = itemKey(store, "delivered");
  const { rev = 0, changedAt = new Date(0) } = (await shelfwire.system.records.read(items, [key])).get(key) ?? {};
  t.deepEqual(changed, {
    specversion: "1.0",
    id: `${key}#${rev}`,
    source: `/${store}`,
    type: "storeitemvalues.v1",
    subject: key,
    time: changedAt.toISOString(),
    datacontenttype: "application/json",
    data: { key, rev, operation: "UPDATED", changed: ["price"] },
  });
  t.like(made?.data, { operation: "CREATED" });
  assertSignedOnce(t, receiver.calls);
});

test.serial("a link change is published on link.v2 and in the old format", async (t) => {
  const topics: ObservedTopic[] = ["storeitemvalues.v1", "link.v2", "dtoflow-changes-link.v1"];
  const { untilLinksAreHeard, findCreated } = await subscribe(t, topics);
  await untilLinksAreHeard();
  const barcode = labelFor("observed");
  await writeItems(shelfwire, [{ itemId: "linked", price: "1.00" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "linked" }] }]);
  const link = linkKey(store, `${barcode}-0`);
  const [, old] = await Promise.all([findCreated("link.v2", link), findCreated("dtoflow-changes-link.v1", link)]);
  const { designId, ...rest } = old.data as OldLinkData;
  t.deepEqual(rest, { ...madeHere, id: `${barcode}-0`, itemId: "linked", eslId: barcode });
  t.true(designId === null || designId.startsWith("t/demo/designs/"));
});

test.serial("a store's subscription receives only that store's changes", async (t) => {
  const other = await openStore(shelfwire, "other");
  const { events } = await subscribe(t, ["storeitemvalues.v1"], { stores: ["other"] });
  await eventually("the subscription is read", async () => {
    await writeItems(shelfwire, [{ itemId: "here", price: String(Math.random()) }]);
    await writeItems(other, [{ itemId: "there", price: String(Math.random()) }]);
    return events().length > 0;
  });
  t.true(events().every(({ source }) => source === "/t/demo/s/other"));
});

test.serial("failed events are retried and arrive when the receiver is back", async (t) => {
  let isAway = false;
  const { receiver, untilHeard, ofItem } = await subscribe(t, ["storeitemvalues.v1"], {}, () => (isAway ? 503 : 204));
  await untilHeard();
  isAway = true;
  await writeItems(shelfwire, [{ itemId: "late", price: "1.00" }]);
  await eventually("the first attempt has failed", async () => ofItem("late").length > 0);
  isAway = false;
  const attempts = await eventually("the event was sent again", async () => {
    const calls = receiver.calls.filter(({ body }) => body.includes("items/late"));
    return calls.length > 1 && calls;
  });
  t.is(new Set(attempts.map(({ headers }) => headers["webhook-id"])).size, 1, "each attempt has the id of the first");
});

test.serial("eventsACall sends several events in one call, as a list", async (t) => {
  const { events, receiver, untilHeard } = await subscribe(t, ["storeitemvalues.v1"], { eventsACall: 50 });
  await untilHeard();
  const before = receiver.calls.length;
  await writeItems(
    shelfwire,
    Array.from({ length: 120 }, (_, index) => ({ itemId: `many ${index}`, price: "1.00" })),
  );
  await eventually(
    "all events are delivered",
    async () => events().filter(({ subject }) => subject.includes("/many ")).length === 120,
  );
  t.true(receiver.calls.length - before < 120);
  t.is(receiver.calls.at(-1)?.headers["content-type"], "application/cloudevents-batch+json");
});

test.serial("a receiver that responds with 410 is not called again, and nothing waits for it", async (t) => {
  const { key, receiver, untilNothingWaits } = await subscribe(t, ["storeitemvalues.v1"], {}, () => 410);
  await eventually("the receiver was called", async () => {
    await writeItems(shelfwire, [{ itemId: "gone", price: String(Math.random()) }]);
    return receiver.calls.length > 0;
  });
  const stored = async () => (await shelfwire.system.records.read(subscriptions, [key])).get(key);
  await eventually("the subscription is stopped", async () => (await stored())?.stopped);
  await writeItems(shelfwire, [{ itemId: "gone", price: String(Math.random()) }]);
  const calls = receiver.calls.length;
  await untilNothingWaits();
  t.is(receiver.calls.length, calls);
});

test.serial("each change that Redis loses before its delivery is still delivered", async (t) => {
  let isAway = true;
  const { untilHeard, ofItem } = await subscribe(t, ["storeitemvalues.v1"], {}, () => (isAway ? 503 : 204));
  await untilHeard();
  await writeItems(shelfwire, [{ itemId: "wiped", price: "1.00" }]);
  await writeItems(shelfwire, [{ itemId: "wiped", price: "2.00" }]);
  await shelfwire.system.redis.flushall();
  isAway = false;
  const delivered = await eventually("both events are delivered", async () => {
    const found = new Map(ofItem("wiped").map((event) => [event.id, event]));
    return found.size === 2 && [...found.values()];
  });
  const operations = delivered.map(({ data }) => (data as { operation: string }).operation);
  t.deepEqual(operations.sort(), ["CREATED", "UPDATED"]);
});

test.serial(
  "a change made without a notifier before a flush of Redis is delivered when a notifier starts",
  async (t) => {
    const { untilHeard, ofItem } = await subscribe(t, ["storeitemvalues.v1"]);
    await untilHeard();
    await notifier.close();
    await writeItems(shelfwire, [{ itemId: "unseen", price: "1.00" }]);
    await shelfwire.system.redis.flushall();
    notifier = await shelfwire.openWorker("notifier");
    await eventually("the event is delivered", async () => ofItem("unseen").length > 0);
    t.is(new Set(ofItem("unseen").map(({ id }) => id)).size, 1);
  },
);

test.serial("a bulk operation with all of its links is one event on link.v2 and one in the old format", async (t) => {
  const topics: ObservedTopic[] = ["storeitemvalues.v1", "storelink.v1", "link.v2", "dtoflow-changes-link.v1"];
  const { events, untilLinksAreHeard } = await subscribe(t, topics);
  await untilLinksAreHeard();
  const itemIds = Array.from({ length: 30 }, (_, index) => `bulk ${index}`);
  await writeItems(
    shelfwire,
    itemIds.map((itemId) => ({ itemId, price: "1.00" })),
  );
  const [{ _id: designId = "" } = {}] = await designsOfTenant(shelfwire);
  await writeLinks(shelfwire, "POST", "/links/bulk", { storeIds: [STORE_ID], itemIds, designId, operation: "LINK" });
  const ofType = (type: string) => events().filter((event) => event.type === type && event.subject === store);
  const [one, old] = await eventually("both events are delivered", async () => {
    const [present] = ofType("link.v2");
    const [former] = ofType("dtoflow-changes-link.v1");
    return present && former && ([present, former] as const);
  });
  const keys = itemIds.map((itemId) => itemKey(store, itemId)).sort();
  const { items: changes } = one.data as { items: ChangeData[] };
  t.deepEqual(changes.map(({ key }) => key).sort(), keys);
  t.true(changes.every(({ operation }) => operation === "CREATED"));
  const { items: shapes } = old.data as { items: OldLinkData[] };
  t.is(shapes.length, 30);
  t.deepEqual(
    shapes.find(({ itemId }) => itemId === "bulk 0"),
    { ...madeHere, id: "item:bulk 0", itemId: "bulk 0", designId, eslId: null },
  );
  await eventually("each store-level link is published by itself on its own topic", async () => {
    const subjects = events().flatMap(({ type, subject }) => (type === "storelink.v1" ? [subject] : []));
    return new Set(subjects).size === 30;
  });
  t.deepEqual([ofType("link.v2").length, ofType("dtoflow-changes-link.v1").length], [1, 1]);
});

test.serial("the old format names the design that the rules chose", async (t) => {
  const { events, untilLinksAreHeard } = await subscribe(t, ["storeitemvalues.v1", "dtoflow-changes-link.v1"]);
  await untilLinksAreHeard();
  const barcode = labelFor("chosen");
  await writeItems(shelfwire, [{ itemId: "chosen", price: "1.00", properties: { priceKind: "regular" } }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "chosen" }] }]);
  const subject = linkKey(store, `${barcode}-0`);
  const isChosen = async () =>
    events().find(
      (event) => event.subject === subject && (event.data as OldLinkData).designId?.includes("/designs/") === true,
    );
  const { data } = await eventually("the design is sent", isChosen);
  const link = await shelfwire.call("GET", `/links/${barcode}-0`);
  t.is((data as OldLinkData).designId, ((await link.json()) as { designId: string }).designId);
  t.like(data, { id: `${barcode}-0`, eslId: barcode, itemId: "chosen", status: "ACTIVE" });
});

test.serial("the older topics contain ECC links and designer links, each topic only its own kind", async (t) => {
  const { events, untilLinksAreHeard, findCreated } = await subscribe(t, [
    "storeitemvalues.v1",
    "link.v2",
    "dtoflow-changes-ecclink.v1",
    "dtoflow-changes-designerlink.v1",
  ]);
  await untilLinksAreHeard();
  const barcode = labelFor("ecc");
  await writeItems(shelfwire, [{ itemId: "of ecc", price: "1.00" }]);
  const ecclink = { eccModelId: "model-1", parameters: {}, renderingHints: {} };
  await writeLinks(shelfwire, "POST", "/links", { barcode, itemId: "of ecc", ecclink });
  const link = linkKey(store, `${barcode}-0`);
  const designed = labelFor("designer");
  const canvasId = (await designsOfTenant(shelfwire)).find((design) =>
    design.compatible_esltype_ids.includes(1328),
  )?.canvasId;
  const [made] = await writeLinks(shelfwire, "POST", "/links", {
    barcode: designed,
    itemId: "of ecc",
    designerlink: { canvasId },
  });
  t.is(made?.status, "SUCCESS", made?.errors.join());
  const expected = {
    "dtoflow-changes-ecclink.v1": link,
    "dtoflow-changes-designerlink.v1": linkKey(store, `${designed}-0`),
  };
  for (const [type, subject] of Object.entries(expected)) {
    t.like((await findCreated(type, subject)).data, { key: subject, operation: "CREATED" });
    const subjects = events().flatMap((one) => (one.type === type ? [one.subject] : []));
    t.deepEqual([...new Set(subjects)], [subject]);
  }
});

test.serial(
  "a receiver that hangs does not delay the others, and a removed subscription receives nothing",
  async (t) => {
    const hanging = await subscribe(t, ["storeitemvalues.v1"], {}, () => new Promise<number>(() => undefined));
    const { remove, untilHeard, untilNothingWaits, ofItem } = await subscribe(t, ["storeitemvalues.v1"]);
    await untilHeard();
    await eventually("the other receiver was called", async () => hanging.receiver.calls.length > 0);
    await writeItems(shelfwire, [{ itemId: "not held up", price: "1.00" }]);
    await eventually("the event is delivered", async () => ofItem("not held up").length > 0);
    await remove();
    await writeItems(shelfwire, [{ itemId: "after the end", price: "1.00" }]);
    await untilNothingWaits();
    t.is(ofItem("after the end").length, 0);
  },
);
