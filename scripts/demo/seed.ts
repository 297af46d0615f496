import { setTimeout } from "node:timers/promises";
import { pino } from "pino";
import { itemKeysOfScenarios } from "../../domain/packs/item-keys.ts";
import { openSystem } from "../../queues/system.ts";
import type { RecordKind } from "../../records/kind.ts";
import { canvasDesigns, communicationPacks, designs } from "../../records/kinds/designs.ts";
import { labelTypes as labelTypeKind, models as modelKind, stores, tenants } from "../../records/kinds/tenants.ts";
import type { Environment } from "../../schemas/environment.ts";
import {
  canvasDesignKey,
  communicationPackKey,
  labelTypeKey,
  modelKey,
  storeKey,
  tenantKey,
} from "../../schemas/keys.ts";
import type { Client } from "../client.ts";
import { barcodeFor } from "../operate/import/label-rows.ts";
import { readItems } from "../operate/import/read-items.ts";
import { demoStore, demoTenant, labelTypes, models, STORE_ID, TENANT_ID } from "./catalogue.ts";
import { demoDesigns, demoPack } from "./designs.ts";

const PACK_ID = "shelf-prices";
/** Types of the demo's labels, in turn. */
const demoTypes = ["1328", "1344", "1314", "1340"];

/** After this time, the demo starts even if some labels are still waiting for their pictures. */
const SHOWN_WITHIN_MS = 300_000;
const WITHOUT_PICTURE = "filter[plState]=PENDING,NEW&limit=1";

type Settings = Environment<
  "REDIS_URL" | "MONGODB_URL" | "MONGODB_DATABASE" | "RESULT_TTL" | "SWEEP_EVERY" | "LOG_LEVEL"
>;

/**
 * Creates the demo tenant, its store, label types, designs and rules, unless they exist. With `tenantId`, creates them for
 * another tenant.
 */
export async function seedTenant(settings: Settings, tenantId = TENANT_ID): Promise<void> {
  // Every process serves the first partition, however many partitions there are.
  const system = openSystem({ ...settings, QUEUE_PARTITIONS: 1 }, pino({ level: "silent" }), 60_000);
  const tenant = tenantKey(tenantId);
  /** The demo's records name one another by keys of the demo tenant. */
  const ofTenant = <Body>(body: Body): Body =>
    JSON.parse(JSON.stringify(body).replaceAll(`${tenantKey(TENANT_ID)}/`, `${tenant}/`));
  /** Creates records of a kind in one write, so that a worker reacts to them once. */
  const make = <Body>(kind: RecordKind<Body>, bodies: ReadonlyMap<string, Body>) =>
    system.commit.change(kind, [...bodies.keys()], (key, current) => (current ? undefined : bodies.get(key)), "bulk");
  const pack = communicationPackKey(tenant, PACK_ID);
  await make(labelTypeKind, new Map(labelTypes.map((type) => [labelTypeKey(tenant, type.type), type])));
  await make(modelKind, new Map(models.map((model) => [modelKey(tenant, model.name), model])));
  await make(
    canvasDesigns,
    new Map(demoDesigns.map(({ id, canvas }) => [canvasDesignKey(tenant, id), ofTenant(canvas)])),
  );
  await make(designs, new Map(demoDesigns.map(({ key, design }) => [ofTenant(key), ofTenant(design)])));
  const itemKeys = itemKeysOfScenarios(demoPack.scenarios);
  await make(communicationPacks, new Map([[pack, ofTenant({ ...demoPack, ...(itemKeys && { itemKeys }) })]]));
  await make(tenants, new Map([[tenant, { ...demoTenant, communicationPack: pack }]]));
  await make(stores, new Map([[storeKey(tenantId, STORE_ID), demoStore]]));
  await system.close();
}

/**
 * Adds the demo's products to the store and links labels to them, through the public interface, if the store is empty.
 * Returns once the labels show the products, so that the next check of the glass finds a picture.
 */
export async function seedProducts(client: Client): Promise<void> {
  if ((await client.listItems("projection=S&limit=1")).length > 0) return;
  const items = await readItems(new URL("./products.csv", import.meta.url));
  const labels = items.map(({ itemId }, index) => {
    const type = demoTypes[index % demoTypes.length] ?? "1328";
    return { barcode: barcodeFor(`demo ${itemId}`, type), links: [{ itemId, displayPosition: 0 }] };
  });
  const lastTwo = items.slice(-2).map(({ itemId }, displayPosition) => ({ itemId, displayPosition }));
  const twoItems = { barcode: barcodeFor("demo two items", "1660"), links: lastTwo };
  const threePages = { barcode: barcodeFor("demo three pages", "1661"), links: lastTwo.slice(0, 1) };
  await client.patchItems(items);
  const request = await client.patchLabels([...labels, twoItems, threePages]);
  while ((await client.labelsResult(request)).status !== "COMPLETED") await setTimeout(100);
  const deadline = Date.now() + SHOWN_WITHIN_MS;
  while (Date.now() < deadline && (await client.listLabels(WITHOUT_PICTURE)).length > 0) await setTimeout(250);
}
