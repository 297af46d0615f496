import test from "ava";
import { openActivityLog } from "../../../records/activity/activity-log.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import type { ActivityAnswer, ActivityEntry, ActivityPage, ItemHistory } from "../../../schemas/activity.ts";
import { verifyTenant } from "../../../scripts/operate/admin/commands/activity.ts";
import { bodyOf, numberOf } from "../../api/calls.ts";
import { manage } from "../../api/management/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

/** The activity log of a Shelfwire: each change has its actor, and a check finds entries that were changed or removed. */
const shelfwire = ownStack({ settings: { SWEEP_EVERY: "1" } });

const barcode = labelFor("milk");
const as = async (subject: string) => ({ authorization: `Bearer ${await shelfwire.token({ subject })}` });
const listed = async (query = "", headers: Record<string, string> = {}) =>
  bodyOf<ActivityPage>(await shelfwire.call("GET", `/activity${query}`, undefined, headers));
const entryOf = (is: (entry: ActivityAnswer) => boolean) =>
  eventually("the log has the entry", async () => (await listed()).entries.find(is));

test.serial.before(async () => {
  const rows = [{ itemId: "milk", itemName: "Milk", price: "1.09" }];
  await itemOutcomes(shelfwire, await numberOf(await shelfwire.call("PATCH", "/items", rows, await as("ana"))));
  await labelOutcomes(shelfwire, await shelfwire.client.patchLabels([{ barcode, links: [{ itemId: "milk" }] }]));
  await glassOf(shelfwire, barcode);
});

test.serial("a search by person, item or store finds a price change, with its price and its request", async (t) => {
  const answer = await shelfwire.call("PATCH", "/items/milk", { price: "0.99" }, await as("ivo"));
  const requestId = await numberOf(answer);
  await itemOutcomes(shelfwire, requestId);
  await entryOf((entry) => entry.requestId === requestId);
  for (const query of ["?person=ivo", "?item=milk&limit=1"]) {
    const [entry] = (await listed(query)).entries;
    t.like(entry, {
      actor: { kind: "api-user", id: "ivo", channel: "interface" },
      operation: "patch-items",
      requestId,
      status: "DONE",
      rows: [{ itemId: "milk", price: "0.99" }],
    });
  }
  const linked = (await listed(`?label=${barcode}`)).entries;
  t.deepEqual(
    linked.map(({ operation }) => operation),
    ["patch-labels"],
  );
  t.deepEqual((await listed("?person=nobody")).entries, []);
});

test.serial("a page ends with the cursor of the next page", async (t) => {
  const whole = (await listed()).entries;
  const paged: ActivityAnswer[] = [];
  let next: string | null = "";
  while (next !== null) {
    const page: ActivityPage = await listed(`?limit=1${next && `&before=${encodeURIComponent(next)}`}`);
    paged.push(...page.entries);
    next = page.next;
  }
  t.deepEqual(paged.slice(-whole.length), whole);
});

test.serial("a call to the management interface is logged without the values of its body", async (t) => {
  const secret = "a secret of the label server, 32 characters";
  await manage(shelfwire, "PUT", "/stores/other", {
    name: secret,
    timeZone: "Europe/Zagreb",
    currency: "EUR",
    locale: "hr-HR",
    linkDepartments: [],
  });
  const text = await eventually("the tenant's log has the call", async () => {
    const body = await (await manage(shelfwire, "GET", "/tenant-activity?format=ndjson")).text();
    return body.includes('"putStore"') ? body : undefined;
  });
  const entry = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ActivityAnswer)
    .find(({ operation }) => operation === "putStore");
  t.like(entry, { names: { storeId: "other" }, status: "DONE", storeId: null });
  t.true(entry?.fields.includes("timeZone"));
  t.false(text.includes(secret));
});

test.serial("an action on labels is logged without a request", async (t) => {
  await shelfwire.call("POST", `/labels/${barcode}/flash`, undefined, await as("ana"));
  const entry = await entryOf(({ operation }) => operation === "flashLabel");
  t.like(entry, { requestId: null, actor: { id: "ana" }, names: { barcode } });
});

test.serial(
  "an item's price history is readable, but only a caller who may read the log sees who made the changes",
  async (t) => {
    const historyOf = async (headers: Record<string, string>) =>
      bodyOf<ItemHistory>(await shelfwire.call("GET", "/items/milk/history", undefined, headers));
    const whole = await historyOf({});
    t.deepEqual(
      whole.prices.map(({ price }) => price),
      ["1.09", "0.99"],
    );
    t.true(whole.events.some(({ actor }) => actor?.id === "ivo"));
    const limited = await historyOf({ authorization: `Bearer ${await shelfwire.token({ scope: "items:read" })}` });
    t.deepEqual(limited.prices, whole.prices);
    t.true(limited.events.every(({ actor }) => actor === null));
  },
);

test.serial("reading the log needs its scope, and a tenant's scope for all stores", async (t) => {
  const statusFor = async (order: object, path: (headers: Record<string, string>) => Promise<Response>) =>
    (await path({ authorization: `Bearer ${await shelfwire.token(order)}` })).status;
  const ofStore = (headers: Record<string, string>) => shelfwire.call("GET", "/activity", undefined, headers);
  const ofTenant = (headers: Record<string, string>) =>
    fetch(`${shelfwire.origin}/t/demo/api/management/v1/tenant-activity`, { headers });
  const some = ["main"];
  t.is(await statusFor({ scope: "ops items:read items:write" }, ofStore), 403);
  t.is(await statusFor({ scope: "activity:read", stores: some }, ofStore), 200);
  t.is(await statusFor({ scope: "activity:read", stores: some }, ofTenant), 403);
  t.is(await statusFor({ scope: "activity:read" }, ofTenant), 200);
});

test.serial("the CSV has a line for each row, and no formulas", async (t) => {
  const csv = await (await shelfwire.call("GET", "/activity?format=csv&person=ivo")).text();
  const [head = "", line = "", ...more] = csv.trim().split("\r\n");
  t.true(head.startsWith("at,actorKind,actor,channel,store,operation,requestId"));
  t.regex(line, /,api-user,ivo,interface,main,patch-items,\d+,.*,milk,,0\.99,/);
  t.deepEqual(more, []);
});

test.serial("every request and every entry has its actor", async (t) => {
  const { db } = shelfwire.system;
  const chunks = await journalCollection(db)
    .find({ operation: { $ne: "none" } })
    .toArray();
  t.true(chunks.length > 0);
  t.deepEqual(
    chunks.filter(({ cause }) => cause?.actor === undefined).map(({ _id, operation }) => `${_id} ${operation}`),
    [],
  );
  const entries = await db.collection<ActivityEntry>("activity").find({}).toArray();
  t.true(entries.length > 0);
  t.deepEqual(
    entries.filter(({ actor }) => actor === undefined),
    [],
  );
});

test.serial("a changed entry and a removed one are found and named", async (t) => {
  const { db } = shelfwire.system;
  const log = openActivityLog(db);
  const faults = async () => {
    const logs = await verifyTenant(log, "t/demo");
    return logs.find(({ storeId }) => storeId === "main")?.faults;
  };
  await eventually("the log has stopped growing", async () => (await faults())?.length === 0);
  const entries = db.collection<ActivityEntry>("activity");
  const [first, second] = await entries.find({ store: DEMO_STORE }).sort({ _id: 1 }).toArray();
  if (first === undefined || second === undefined) throw new Error("the log has fewer than two entries");
  await entries.updateOne({ _id: first._id }, { $set: { rows: first.rows.replace("1.09", "0.09") } });
  t.deepEqual(await faults(), [{ place: 1, through: 1, is: "changed" }]);
  await entries.updateOne({ _id: first._id }, { $set: { rows: first.rows } });
  t.deepEqual(await faults(), []);
  await entries.deleteOne({ _id: second._id });
  t.deepEqual(await faults(), [{ place: 2, through: 2, is: "removed" }]);
  await entries.insertOne(second);
  t.deepEqual(await faults(), []);
});
