import { setTimeout } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { labelStates } from "../../../../records/kinds/labels.ts";
import { stores } from "../../../../records/kinds/tenants.ts";
import type { ItemPatch } from "../../../../schemas/item.ts";
import { keysUnder, labelKey, storeKey } from "../../../../schemas/keys.ts";
import type { LabelState } from "../../../../schemas/label-state.ts";
import { type Client, createClient } from "../../../client.ts";
import { demoStore, STORE_ID, TENANT_ID } from "../../../demo/catalogue.ts";
import { seedTenant } from "../../../demo/seed.ts";
import type { DemoStack } from "../../../demo/with-stack.ts";
import { labelRowsFor } from "../../../operate/import/label-rows.ts";
import { openBenchSystem, settingsOf } from "../open-system.ts";
import { printRow } from "../report.ts";

const LABEL_TYPE = "1328";
const BUSY_LISTS = 40;
const BUSY_ROWS = 20_000;
/** How many of the busy store's items have a label. */
const BUSY_LABELS = 2_000;
const CALM_ROWS = 1_000;
const PRICES = 10;
const POLL_INTERVAL_MS = 50;

/** A store that sends little, with its client. */
interface Calm {
  what: string;
  client: Client;
  store: string;
}

/**
 * Measures how long a price and a list of 1,000 rows take until the pictures are acknowledged, with and without forty lists of
 * 20,000 rows in another store, which belongs once to another tenant and once to the same tenant.
 */
export async function benchFairness(demo: DemoStack, database: string): Promise<void> {
  const { stack } = demo;
  await seedTenant(settingsOf(demo, database), "calm");
  const system = openBenchSystem(demo, database);
  const second = storeKey(TENANT_ID, "calm");
  await system.commit.change(stores, [second], () => demoStore, "bulk");
  await system.close();
  const mongo = await new MongoClient(stack.mongo.url).connect();
  const clientOf = async (tenantId: string, storeId: string) =>
    createClient({ origin: stack.origin, tenantId, storeId, token: await demo.tokenOf(tenantId) });
  const calm: Calm[] = [
    { what: "another tenant", client: await clientOf("calm", STORE_ID), store: storeKey("calm", STORE_ID) },
    { what: "another store", client: await clientOf(TENANT_ID, "calm"), store: second },
  ];
  const measure = createMeasure(mongo, database);
  await measure.hang(await clientOf(TENANT_ID, STORE_ID), storeKey(TENANT_ID, STORE_ID), BUSY_LABELS);
  for (const { client, store } of calm) await measure.hang(client, store, CALM_ROWS);
  for (const { client, store } of calm) await measure.list(client, store);
  const alone = await measure.all(calm);
  for (let list = 0; list < BUSY_LISTS; list += 1) await demo.client.patchItems(rowsOf(BUSY_ROWS, `${list}.49`));
  const beside = await measure.all(calm);
  for (const [index, { what }] of calm.entries()) {
    const [quiet, busied] = [alone[index], beside[index]];
    if (quiet === undefined || busied === undefined) continue;
    const against = "alone";
    const busy = `beside ${BUSY_LISTS} lists of ${BUSY_ROWS} rows`;
    printRow({
      ...{ what: `a price of ${what} to the acknowledged picture ${busy}`, against, unit: "prices" },
      ...{ rate: PRICES / busied.price, baseline: PRICES / quiet.price, minRatio: 0.33 },
    });
    printRow({
      ...{ what: `a list of ${CALM_ROWS} rows of ${what} to acknowledged pictures ${busy}`, against, unit: "rows" },
      ...{ rate: CALM_ROWS / busied.list, baseline: CALM_ROWS / quiet.list, minRatio: 0.25 },
    });
  }
  const open = await mongo.db(database).collection("journal").countDocuments({ open: true });
  process.stdout.write(`     ${open} chunks of the busy store were still open\n`);
  await mongo.close();
}

/** Measures the seconds until labels show what was sent. */
function createMeasure(mongo: MongoClient, database: string) {
  const states = mongo.db(database).collection<LabelState & { _id: string }>(labelStates.name);
  let price = 0;
  const nextPrice = () => {
    price += 1;
    return `${price}.99`;
  };

  /** Waits until this many labels of a store show a picture that was delivered after `since`. */
  async function untilShown(store: string, since: Date, count: number, barcode = ""): Promise<void> {
    const _id = barcode === "" ? keysUnder(`${store}/`) : labelKey(store, barcode);
    const filter = { _id, "shown.deliveredAt": { $gt: since } };
    while ((await states.countDocuments(filter)) < count) await setTimeout(POLL_INTERVAL_MS);
  }

  async function onePrice(client: Client, store: string): Promise<number> {
    const [{ barcode } = { barcode: "" }] = labelRows(store, 1);
    const since = new Date();
    await client.patchItems(rowsOf(1, nextPrice()));
    await untilShown(store, since, 1, barcode);
    return (Date.now() - since.getTime()) / 1000;
  }

  async function list(client: Client, store: string): Promise<number> {
    const since = new Date();
    await client.patchItems(rowsOf(CALM_ROWS, nextPrice()));
    await untilShown(store, since, CALM_ROWS);
    return (Date.now() - since.getTime()) / 1000;
  }

  return {
    async hang(client: Client, store: string, count: number): Promise<void> {
      const since = new Date();
      await client.patchItems(rowsOf(count, nextPrice()));
      await client.patchLabels(labelRows(store, count));
      await untilShown(store, since, count);
    },

    list,

    /**
     * Returns the seconds that prices and a list take in each of these stores. The stores send their prices in turn, because
     * the busy store's backlog changes from second to second.
     */
    async all(stores: readonly Calm[]): Promise<{ price: number; list: number }[]> {
      const taken = stores.map(({ client, store }) => ({ client, store, price: 0, list: 0 }));
      for (let count = 0; count < PRICES; count += 1)
        for (const one of taken) one.price += await onePrice(one.client, one.store);
      for (const one of taken) one.list = await list(one.client, one.store);
      return taken;
    },
  };
}

const rowsOf = (count: number, price: string): ItemPatch[] =>
  Array.from({ length: count }, (_, index) => ({ itemId: `item ${index}`, itemName: `Item ${index}`, price }));

/** Returns label rows with different barcodes in each store, linked to the store's first items. */
const labelRows = (store: string, count: number) =>
  labelRowsFor(
    Array.from({ length: count }, (_, index) => `${store} ${index}`),
    LABEL_TYPE,
  ).map(({ barcode }, index) => ({ barcode, links: [{ itemId: `item ${index}`, displayPosition: 0 }] }));
