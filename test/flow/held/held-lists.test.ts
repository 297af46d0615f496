import test from "ava";
import { forgetTombstones } from "../../../queues/clean-up/tombstones.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import { STORE_ID } from "../../../scripts/demo/catalogue.ts";
import { bodyOf, deleteItem, moveToUtc, writeItems } from "../../api/calls.ts";
import { manage } from "../../api/management/calls.ts";
import { DEMO_STORE, itemOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { localTime, secondsAhead } from "../../harness/scheduled-times.ts";
import { callsOf, type Sent } from "./held-calls.ts";

/** Lists with more rows than a chunk, in a store that changes at most 1,000 prices in one call. */
const shelfwire = ownStack();
const [ana, ivo] = [callsOf(shelfwire, "ana"), callsOf(shelfwire, "ivo")];
const ids = Array.from({ length: 1_200 }, (_, index) => `item ${index}`);
const list = (price: string) => ids.map((itemId) => ({ itemId, price }));
const stored = async () => shelfwire.client.listItems("limit=1000&projection=S");
const TOMORROW = new Date(Date.now() + 86_400_000);
const slice = { renew: async () => true, goOn: async () => true };

test.serial.before(async () => {
  // Set before the store's first call, which reads its settings.
  await moveToUtc(shelfwire);
  await manage(shelfwire, "PUT", "/price-guards", { amount: { items: 1_000 }, positive: true });
  await manage(shelfwire, "PUT", `/stores/${STORE_ID}/price-guards`, { expiresAfter: 2 });
  await writeItems(shelfwire, list("1.00"));
});

test.serial("a list of more than 100 rows is held unless its caller chooses otherwise", async (t) => {
  const { requestId, held } = (await (await ana.send(list("2.00"))).json()) as Sent;
  t.deepEqual(held, { requestId, rows: 1_200 });
  const result = await bodyOf<{ itemResults: { status: string }[] }>(
    await shelfwire.call("GET", `/items-result/${requestId}`),
  );
  t.deepEqual(
    [result.itemResults.length, new Set(result.itemResults.map(({ status }) => status))],
    [1_200, new Set(["PENDING"])],
  );
  const { rows, held: count, changes, guards } = await ivo.get(requestId);
  t.deepEqual([rows, count, changes.length], [1_200, 1_200, 1_000]);
  t.deepEqual(
    guards.map(({ code }) => code),
    ["TOO_MANY_PRICES"],
  );
  t.is((await ana.send(list("2.00"), "REFUSE")).status, 409);
  t.is((await ivo.approve(requestId)).status, 200);
  t.deepEqual(new Set((await itemOutcomes(shelfwire, requestId)).map(({ status }) => status)), new Set(["SUCCESS"]));
  t.deepEqual(new Set((await stored()).map(({ price }) => price)), new Set(["2.00"]));
});

test.serial("an approved list is applied completely, even if its process was killed after one part", async (t) => {
  const number = await ana.hold(list("3.00"));
  const { system } = shelfwire;
  const held = await system.holds.read(DEMO_STORE, number);
  if (held === undefined) return t.fail();
  await system.holds.change(DEMO_STORE, number, held.hold, { state: "APPROVED", decision: { at: new Date() } });
  const second = { _id: chunkKey(DEMO_STORE, number, 1) };
  await journalCollection(system.db).updateOne(second, { $set: { open: true }, $unset: { held: "" } });
  t.is((await itemOutcomes(shelfwire, number)).length, 1_200);
  t.deepEqual(new Set((await stored()).map(({ price }) => price)), new Set(["3.00"]));
});

test.serial("a refused list has an error for each row", async (t) => {
  const number = await ana.hold(list("4.00"));
  t.is((await ivo.refuse(number)).status, 200);
  const outcomes = await itemOutcomes(shelfwire, number);
  t.deepEqual([outcomes.length, new Set(outcomes.map(({ status }) => status))], [1_200, new Set(["ERROR"])]);
  t.deepEqual(new Set((await stored()).map(({ price }) => price)), new Set(["3.00"]));
});

test.serial("an item that was deleted while its price was held stays deleted", async (t) => {
  const number = await ana.hold([
    { itemId: "item 7", price: "0" },
    { itemId: "item 8", price: "0" },
  ]);
  await deleteItem(shelfwire, "item 7");
  await forgetTombstones(shelfwire.system, TOMORROW, slice);
  t.is((await ivo.approve(number)).status, 200);
  await itemOutcomes(shelfwire, number);
  t.is((await shelfwire.call("GET", "/items/item%207")).status, 404);
  t.is((await shelfwire.call("GET", "/items/item%208")).status, 200);
});

test.serial(
  "a scheduled row is held until its time, and its approval is refused if its item's schedule has moved on",
  async (t) => {
    const soon = secondsAhead(3600);
    const validFrom = localTime(soon);
    const number = await ana.hold([{ itemId: "item 9", price: "0", validFrom }]);
    const { expiresAt } = await ivo.get(number);
    t.is(Date.parse(expiresAt), soon.getTime());
    const later = await shelfwire.client.patchItems([{ itemId: "item 9", price: "5", validFrom }]);
    await itemOutcomes(shelfwire, later);
    t.is((await shelfwire.call("DELETE", `/items/item%209/scheduled/${later}`)).status, 202);
    await itemOutcomes(shelfwire, later + 1);
    t.is((await ivo.approve(number)).status, 409);
    t.is((await ivo.refuse(number)).status, 200);
  },
);
