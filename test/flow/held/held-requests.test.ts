import test from "ava";
import { allKinds } from "../../../records/all-kinds.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { links } from "../../../records/kinds/links.ts";
import { walks } from "../../../records/kinds/work.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import { counterCollection } from "../../../records/requests/numbers.ts";
import { chunkKey, linkIdOf, linkKey } from "../../../schemas/keys.ts";
import type { PriceGuards } from "../../../schemas/price-guards.ts";
import type { Problem } from "../../../schemas/problem.ts";
import { STORE_ID } from "../../../scripts/demo/catalogue.ts";
import { writeItems, writeLinks } from "../../api/calls.ts";
import { manage } from "../../api/management/calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, itemOutcomes, labelFor, transmissions } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { callsOf, type Sent } from "./held-calls.ts";

/** A store with guards, and one label for each item. */
const shelfwire = ownStack();
const [ana, ivo] = [callsOf(shelfwire, "ana"), callsOf(shelfwire, "ivo")];
const guards: PriceGuards = { positive: true, change: { rise: 30, fall: 50 }, cost: { property: "cost", least: 1 } };
const names = ["milk", "bread", "salt", "tea", "rice", "oil", "soap", "honey"];

const priceOf = async (itemId: string) => {
  const { value } = (await (await shelfwire.call("GET", `/items/${itemId}`)).json()) as { value: { price: string } };
  return value.price;
};
const chunkOf = (number: number) =>
  journalCollection(shelfwire.system.db).findOne({ _id: chunkKey(DEMO_STORE, number, 0) });

/** What is compared of a label's state: a label checks in once an hour, which changes other fields, such as `lastSeen`. */
const comparedOfState = { wanted: 1, shown: 1, sending: 1, sendDue: 1, fault: 1 };

/** Returns every record as it is stored; of the labels' states, only what no check-in changes. */
async function everyRecord(): Promise<string> {
  const kinds = (await allKinds()).filter(({ name }) => name !== walks.name);
  const stored = kinds.map(async ({ name }) => {
    const found = shelfwire.system.db.collection(name).find({}).sort({ _id: 1 });
    return [name, await (name === labelStates.name ? found.project(comparedOfState) : found).toArray()];
  });
  return JSON.stringify(await Promise.all(stored));
}

test.serial.before(async () => {
  // Set before the store's first call, which reads its settings.
  await manage(shelfwire, "PUT", `/stores/${STORE_ID}/price-guards`, guards);
  await writeItems(
    shelfwire,
    names.map((itemId) => ({ itemId, itemName: itemId, price: "1.00" })),
  );
  const links = names.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
  await writeLinks(shelfwire, "PATCH", "/labels", links);
  for (const itemId of names) await glassOf(shelfwire, labelFor(itemId));
});

test.serial(
  "an interactive call that hits a guard is refused, with the guard, its numbers and the next steps",
  async (t) => {
    const answer = await ana.send([
      { itemId: "bread", price: "1.10" },
      { itemId: "milk", price: "9.00" },
    ]);
    t.is(answer.status, 409);
    const problem = (await answer.json()) as Problem;
    t.is(problem.type, "/problems/price-guard");
    t.regex(problem.detail, /onGuard=HOLD/);
    t.deepEqual(
      problem.errors?.map(({ pointer, detail }) => [pointer, detail]),
      [["/1/price", "rises by 800%, from 1.00 to 9.00; at most 30% is allowed"]],
    );
    t.is(await priceOf("bread"), "1.00");
  },
);

test.serial("a held request changes nothing anywhere until a second person approves it", async (t) => {
  const before = { sent: transmissions(shelfwire), glass: await glassOf(shelfwire, labelFor("milk")) };
  const rows = [
    { itemId: "milk", price: "9.00", sics: ["8001"] },
    { itemId: "bread", price: "1.10" },
    { itemId: "new", price: "1" },
  ];
  const sent = (await (await ana.send(rows, "HOLD")).json()) as Sent;
  const number = sent.requestId;
  t.deepEqual(sent, { requestId: number, held: { requestId: number, rows: 1 } });

  // A later request is applied, so the held request does not block the store, and the held changes stay unapplied.
  await writeItems(shelfwire, [{ itemId: "soap", price: "1.00", sics: ["8002"] }]);
  await writeItems(shelfwire, [{ itemId: "soap", price: "1.00", sics: ["8003"] }]);
  t.like(await (await shelfwire.call("GET", `/items-result/${number}`)).json(), {
    status: "PENDING",
    overallStatus: "PENDING",
  });
  const held = await ivo.get(number);
  t.like(held, { requestId: number, state: "WAITING", rows: 3, held: 1, largest: 800 });
  t.like(held.sentBy, { id: "ana" });
  t.deepEqual(
    held.changes.map(({ itemId, price, was, percent, guards: hit }) => [itemId, price, was, percent, hit[0]?.code]),
    [["milk", "9.00", "1.00", 800, "PRICE_RISE"]],
  );
  t.is(transmissions(shelfwire), before.sent);
  t.deepEqual(await glassOf(shelfwire, labelFor("milk")), before.glass);
  t.is((await shelfwire.call("GET", "/items/new")).status, 404);

  t.is((await ana.approve(number)).status, 403);
  t.is((await shelfwire.call("POST", `/held-requests/${number}/approve`)).status, 403);
  t.is((await callsOf(shelfwire, "ivo", "items:read items:write").approve(number)).status, 403);
  t.is(await priceOf("milk"), "1.00");

  t.is((await ivo.approve(number, "Agreed")).status, 200);
  t.deepEqual(
    (await itemOutcomes(shelfwire, number)).map(({ status }) => status),
    ["SUCCESS", "SUCCESS", "SUCCESS_NEW_ITEM"],
  );
  t.is(await priceOf("milk"), "9.00");
  await eventually(
    "the price is on the glass",
    async () => !(await glassOf(shelfwire, labelFor("milk"))).equals(before.glass),
  );
  t.like((await ana.get(number)).decision, { by: { id: "ivo" }, note: "Agreed" });
  t.is((await ivo.approve(number)).status, 409);
});

test.serial("a request that is only held leaves every record unchanged", async (t) => {
  // Pictures of approved prices may still be in transmission.
  for (const itemId of names) await glassOf(shelfwire, labelFor(itemId));
  await shelfwire.assertNothingStale();
  const before = await everyRecord();
  const number = await ana.hold(names.map((itemId) => ({ itemId, price: "0.10", properties: { kind: "offer" } })));
  t.is(await everyRecord(), before);
  t.is((await ivo.refuse(number, "A typing error")).status, 200);
  const outcomes = await itemOutcomes(shelfwire, number);
  t.deepEqual(
    new Set(outcomes.map(({ errors }) => errors[0])),
    new Set(['the request was held because of price guards, and "ivo" refused it: A typing error']),
  );
  t.is(await everyRecord(), before);
  t.is((await ivo.approve(number)).status, 409);
});

test.serial("approving a held request keeps later prices, even if they repeated the stored price", async (t) => {
  const number = await ana.hold([
    { itemId: "bread", price: "5" },
    { itemId: "salt", price: "5" },
    { itemId: "tea", price: "5" },
  ]);
  await writeItems(shelfwire, [{ itemId: "bread", price: "1.20" }]);
  await writeItems(shelfwire, [{ itemId: "salt", price: "1.00" }]);
  t.is((await ivo.approve(number)).status, 200);
  await itemOutcomes(shelfwire, number);
  t.deepEqual([await priceOf("bread"), await priceOf("salt"), await priceOf("tea")], ["1.20", "1.00", "5"]);
});

test.serial(
  "approving a held request keeps a link that was confirmed after it, even if the request links the same label",
  async (t) => {
    const barcode = labelFor("soap");
    const number = await ana.hold([{ itemId: "bread", price: "9.00", links: [{ barcode }] }]);
    await writeLinks(shelfwire, "PATCH", "/labels", [{ barcode, links: [{ itemId: "soap" }] }]);
    t.is((await ivo.approve(number)).status, 200);
    await itemOutcomes(shelfwire, number);
    const link = linkKey(DEMO_STORE, linkIdOf(barcode, 0));
    t.is((await shelfwire.system.records.read(links, [link])).get(link)?.itemId, "soap");
  },
);

test.serial("if the caller chooses so, only rows that hit a guard are held", async (t) => {
  const answer = await ana.send(
    [
      { itemId: "rice", price: "1.10" },
      { itemId: "oil", price: "7" },
    ],
    "HOLD_ROWS",
  );
  const { requestId, held } = (await answer.json()) as Sent;
  t.is((await itemOutcomes(shelfwire, requestId)).length, 1);
  t.deepEqual([await priceOf("rice"), await priceOf("oil")], ["1.10", "1.00"]);
  t.is((await ivo.approve(held?.requestId ?? 0)).status, 200);
  await itemOutcomes(shelfwire, held?.requestId ?? 0);
  t.is(await priceOf("oil"), "7");
});

test.serial("guards are checked again at the approval, and a guard that nobody has seen is not approved", async (t) => {
  const number = await ana.hold([{ itemId: "honey", price: "2.00" }]);
  await writeItems(shelfwire, [{ itemId: "honey", properties: { cost: "3.00" } }]);
  t.is((await ivo.approve(number)).status, 409);
  t.is(await priceOf("honey"), "1.00");
  t.deepEqual(
    (await ivo.get(number)).changes[0]?.guards.map(({ code }) => code),
    ["PRICE_RISE", "PRICE_BELOW_COST"],
  );
  t.is((await ivo.approve(number)).status, 200);
  await itemOutcomes(shelfwire, number);
  t.is(await priceOf("honey"), "2.00");
});

test.serial("a held request that nobody decides on expires, and is refused", async (t) => {
  const number = await ana.hold([{ itemId: "rice", price: "8" }]);
  const journal = journalCollection(shelfwire.system.db);
  await journal.updateOne({ _id: chunkKey(DEMO_STORE, number, 0) }, { $set: { "hold.expiresAt": new Date(0) } });
  t.like(await itemOutcomes(shelfwire, number), [{ status: "ERROR", notices: [{ code: "HELD_EXPIRED" }] }]);
  t.is((await ivo.get(number)).state, "EXPIRED");
  t.is((await ivo.approve(number)).status, 409);
});

test.serial("an approval whose process was killed is applied once", async (t) => {
  const number = await ana.hold([{ itemId: "rice", price: "8" }]);
  const { system } = shelfwire;
  const held = await system.holds.read(DEMO_STORE, number);
  if (held === undefined) return t.fail();
  // The state that a process leaves behind if it is killed directly after the decision.
  const decision = { at: new Date(), by: { kind: "user", id: "ivo", channel: "pages" } } as const;
  t.true(await system.holds.change(DEMO_STORE, number, held.hold, { state: "APPROVED", decision }));
  t.false(await system.holds.change(DEMO_STORE, number, held.hold, { state: "REFUSED", decision }));
  await itemOutcomes(shelfwire, number);
  t.is(await priceOf("rice"), "8");
  const appliedAt = (await chunkOf(number))?.appliedAt;
  // Even if a slow process carries out the decision again, nothing is applied twice.
  await writeItems(shelfwire, [{ itemId: "rice", price: "7" }]);
  await system.carryOutHold.decided({ ...held, hold: { ...held.hold, state: "APPROVED" } });
  t.deepEqual((await chunkOf(number))?.appliedAt, appliedAt);
  t.is(await priceOf("rice"), "7");
});

test.serial("held requests are listed by state, and leave no trace in the store's counter", async (t) => {
  t.deepEqual(await ivo.list("?state=WAITING"), []);
  t.true((await ivo.list("?state=APPROVED")).length >= 4);
  await eventually(
    "no request is marked as held",
    async () => (await counterCollection(shelfwire.system.db).findOne({ _id: DEMO_STORE }))?.holds === undefined,
  );
  t.pass();
});
