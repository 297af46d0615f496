import { compilePack } from "../../../domain/packs/compile-pack.ts";
import { createPackEvaluator } from "../../../domain/packs/pack-evaluator.ts";
import { studioLinkDerivation } from "../../../queues/derivations/studio-link.ts";
import { linksOfItems } from "../../../queues/linking/item-links.ts";
import { communicationPacks } from "../../../records/kinds/designs.ts";
import { items } from "../../../records/kinds/items.ts";
import { links } from "../../../records/kinds/links.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import { inBatches } from "../../../schemas/in-batches.ts";
import type { Item } from "../../../schemas/item.ts";
import { itemKey, linkIdOf, linkKey, storeKey, tenantKey } from "../../../schemas/keys.ts";
import { STORE_ID, TENANT_ID } from "../../demo/catalogue.ts";
import { hangLabels } from "../../demo/hang-labels.ts";
import type { DemoStack } from "../../demo/with-stack.ts";
import { barcodeFor } from "../../operate/import/label-rows.ts";
import { openBenchSystem } from "./open-system.ts";
import { printRow } from "./report.ts";

const ITEMS = 10_950;
/** Number of items in one evaluator job. */
const ITEMS_PER_BATCH = 1000;
const ROUNDS = 3;
const TYPE = 1328;
const store = storeKey(TENANT_ID, STORE_ID);

/**
 * Changes the price of every item of a store and measures the evaluation of its links, against bare reads and evaluations of the
 * same number of links.
 */
export async function benchItemChange(demo: DemoStack, database: string): Promise<void> {
  const system = openBenchSystem(demo, database);
  const { records, commit, derive, db } = system;
  const labels = Array.from({ length: ITEMS }, (_, index) => ({
    barcode: barcodeFor(`change ${index}`, `${TYPE}`),
    links: [{ itemId: `item ${index}` }],
  }));
  await hangLabels(records, store, labels);
  const itemKeys = labels.map((_, index) => itemKey(store, `item ${index}`));
  const linkKeys = labels.map(({ barcode }) => linkKey(store, linkIdOf(barcode, 0)));
  const derivation = studioLinkDerivation({
    records,
    schemeOf: async () => () => TYPE,
    now: () => new Date(0),
    log: { error: fail },
  });

  const seconds = { evaluated: 0, bare: 0 };
  for (let round = 0; round <= ROUNDS; round += 1) {
    await commit.change(items, itemKeys, (_, item) => item && { ...item, price: `${round}.99` }, "bulk");
    const evaluated = await secondsOf(async () => {
      for (const keys of inBatches(itemKeys, ITEMS_PER_BATCH))
        await derive(derivation, await linksOfItems(records, keys), "bulk");
    });
    const changed = await records.read(items, itemKeys.slice(0, ITEMS_PER_BATCH));
    const choose = createPackEvaluator(compilePack(await activePack(), fail), fail);
    const bare = await secondsOf(async () => {
      for (const keys of inBatches(linkKeys, ITEMS_PER_BATCH)) {
        const found = await db
          .collection<{ _id: string }>(links.name)
          .find({ _id: { $in: [...keys] } })
          .toArray();
        const given = [...changed.values()];
        for (const [index] of found.entries()) choose({ item: given[index] as Item, link: {}, type: TYPE });
      }
    });
    // The first round does not count, because it writes every studio link.
    if (round === 0) continue;
    seconds.evaluated += evaluated;
    seconds.bare += bare;
  }
  await system.close();
  printRow({
    what: `the links of ${ITEMS} items evaluated after a change of each`,
    against: "bare reads of as many links, and their evaluations",
    unit: "links",
    rate: (ROUNDS * ITEMS) / seconds.evaluated,
    baseline: (ROUNDS * ITEMS) / seconds.bare,
    minRatio: 0.1,
  });

  async function activePack() {
    const tenant = tenantKey(TENANT_ID);
    const key = (await records.read(tenants, [tenant])).get(tenant)?.communicationPack ?? "";
    const pack = (await records.read(communicationPacks, [key])).get(key);
    if (!pack) throw new Error("the demo tenant has no communication pack");
    return pack;
  }
}

const fail = (...[scenario, error]: readonly unknown[]): never => {
  throw new Error(`${JSON.stringify(scenario)}: ${error}`);
};

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
