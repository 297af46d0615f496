import test from "ava";
import { itemOutcomes, labelFor, labelOutcomes } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { sizeToTry } from "../../harness/searches/effort.ts";
import { numberOf, readItem, readLabel } from "../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link"] });

const ROUNDS = sizeToTry(6, 20);
const CALLERS = sizeToTry(20, 50);
const LISTED = sizeToTry(500, 1_500);
const UPDATES = sizeToTry(20, 50);

test.serial("PATCH /items and PATCH /labels always link, even if they are sent without waiting", async (t) => {
  t.log(`${ROUNDS} rounds, ${CALLERS} callers, ${LISTED} rows; more with --thorough`);
  const sent: { itemId: string; requestId: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const itemId = `one by one ${round}`;
    await shelfwire.client.patchItems([{ itemId, price: "1.99" }]);
    const links = [{ itemId }];
    sent.push({ itemId, requestId: await shelfwire.client.patchLabels([{ barcode: labelFor(itemId), links }]) });
  }
  for (const { itemId, requestId } of sent) {
    t.is((await labelOutcomes(shelfwire, requestId))[0]?.status, "SUCCESS");
    t.is((await readLabel(shelfwire, labelFor(itemId))).links[0]?.itemId, itemId);
  }
});

test.serial("concurrent pairs of these calls from many callers always link", async (t) => {
  const pairs = Array.from({ length: CALLERS }, async (_, caller) => {
    const itemId = `side by side ${caller}`;
    await shelfwire.client.patchItems([{ itemId, price: "1.99" }]);
    const requestId = await shelfwire.client.patchLabels([{ barcode: labelFor(itemId), links: [{ itemId }] }]);
    return (await labelOutcomes(shelfwire, requestId))[0]?.status;
  });
  t.deepEqual(new Set(await Promise.all(pairs)), new Set(["SUCCESS"]));
});

test.serial("a whole price list and its labels always link", async (t) => {
  const ids = Array.from({ length: LISTED }, (_, index) => `listed ${index}`);
  await shelfwire.client.patchItems(ids.map((itemId) => ({ itemId, price: "1.99" })));
  const rows = ids.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
  const outcomes = await labelOutcomes(shelfwire, await shelfwire.client.patchLabels(rows));
  t.deepEqual(
    outcomes.map(({ itemId }) => itemId),
    ids,
  );
  t.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(["SUCCESS"]));
});

test.serial("the last of many updates of an item wins, even if they are sent without waiting", async (t) => {
  let last = 0;
  for (let round = 0; round <= UPDATES; round += 1) {
    last = await shelfwire.client.patchItems([{ itemId: "repriced", price: `${round}.99` }]);
  }
  await itemOutcomes(shelfwire, last);
  t.is((await readItem(shelfwire, "repriced")).price, `${UPDATES}.99`);
});

test.serial("the last of many links of a label wins, even if they are sent without waiting", async (t) => {
  await shelfwire.client.patchItems([{ itemId: "even" }, { itemId: "odd" }]);
  const barcode = labelFor("relinked");
  let last = 0;
  for (let round = 0; round < 10; round += 1) {
    const links = [{ itemId: round % 2 ? "odd" : "even" }];
    last = await shelfwire.client.patchLabels([{ barcode, links }]);
  }
  await labelOutcomes(shelfwire, last);
  t.is((await readLabel(shelfwire, barcode)).links[0]?.itemId, "odd");
});

test.serial("an update, a deletion and an update that are sent without waiting leave the last values", async (t) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const itemId = `deleted between ${round}`;
    await shelfwire.client.patchItems([{ itemId, itemName: "old", price: "1.99", properties: { brand: "old" } }]);
    const deletion = await numberOf(await shelfwire.call("DELETE", `/items/${encodeURIComponent(itemId)}`));
    const update = await shelfwire.client.patchItems([{ itemId, price: "2.49" }]);
    t.is((await itemOutcomes(shelfwire, deletion))[0]?.status, "SUCCESS");
    await itemOutcomes(shelfwire, update);
    const { itemName, price, properties } = await readItem(shelfwire, itemId);
    t.deepEqual({ itemName, price, properties }, { itemName: null, price: "2.49", properties: {} });
  }
});

test.serial("an update and a deletion that are sent without waiting leave no item", async (t) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await shelfwire.client.patchItems([{ itemId: `gone ${round}` }]);
    const deletion = await numberOf(await shelfwire.call("DELETE", `/items/gone%20${round}`));
    t.is((await itemOutcomes(shelfwire, deletion))[0]?.status, "SUCCESS");
    t.is((await shelfwire.call("GET", `/items/gone%20${round}`)).status, 404);
  }
});
