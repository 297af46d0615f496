import { setTimeout } from "node:timers/promises";
import pLimit from "p-limit";
import { labelTypes, models } from "../../demo/catalogue.ts";
import { demoDesigns } from "../../demo/designs.ts";
import { Refusal } from "../../operate/admin/command.ts";
import { barcodeFor } from "../../operate/import/label-rows.ts";
import { type Caller, createCaller } from "./caller.ts";
import { priceOf } from "./prices.ts";

/** A store of the load test, with the calls of its own caller. */
export interface LoadStore {
  tenantId: string;
  storeId: string;
  caller: Caller;
  /** Path of its public interface. */
  base: string;
  /** Barcodes of its labels; the label at an index shows the item of that index. */
  barcodes: readonly string[];
}

export interface SetUpOrder {
  origin: string;
  caller: Caller;
  /** The tenant of the token; undefined if it is the operator's, and tenants of their own are created. */
  tenantId: string | undefined;
  tenants: number;
  /** How the ids of tenants and stores begin. */
  prefix: string;
  stores: number;
  labels: number;
  labelType: string;
  /** Seconds since 1970: prices count from here. */
  start: number;
  /** Called as stores become ready. */
  onReady(stores: number): void;
}

/** Tenants and stores of the load test have this name with their number; others are never changed. */
export const LOAD_NAME = "Load test ";
const STORES_AT_ONCE = 4;
const TOKEN_LIFETIME_SECONDS = 7 * 86_400;
const POLL_INTERVAL_MS = 1_000;
const SETTLING_LOOKS = 300;
const STORE_SCOPE = "items:read items:write labels:read labels:write";
const PACK = "load";

export const itemIdOf = (index: number): string => `load-${String(index + 1).padStart(5, "0")}`;
export const itemNameOf = (index: number): string => `Load test item ${index + 1}`;

/**
 * Creates what the load test needs and what is not there yet: tenants with designs and rules (by the operator's token), stores,
 * items, and a label for each item. Resolves once no picture waits, with the stores and how many labels show theirs.
 */
export async function setUp(order: SetUpOrder): Promise<{ stores: LoadStore[]; shown: number }> {
  const { tenantId, tenants, prefix, stores, caller, onReady } = order;
  const tenantIds = tenantId ? [tenantId] : Array.from({ length: tenants }, (_, index) => `${prefix}${index + 1}`);
  if (tenantId === undefined) for (const id of tenantIds) await setUpTenant(order, caller, id);
  const limit = pLimit(STORES_AT_ONCE);
  let ready = 0;
  let shown = 0;
  const made = Array.from({ length: stores }, (_, index) =>
    limit(async () => {
      const store = await setUpStore(order, index, tenantIds[index % tenantIds.length] ?? "");
      shown += await untilSettled(store);
      ready += 1;
      onReady(ready);
      return store;
    }),
  );
  return { stores: await Promise.all(made), shown };
}

const management = (tenantId: string): string => `/t/${tenantId}/api/management/v1`;

/** A tenant of the load test's own: a label type, its model, and the demo's designs of its size. */
async function setUpTenant({ origin, labelType }: SetUpOrder, operator: Caller, tenantId: string): Promise<void> {
  const type = labelTypes.find((one) => String(one.type) === labelType);
  const model = models.find(
    ({ labelTypes: types, linkPositions }) => linkPositions === 1 && types.includes(Number(labelType)),
  );
  if (!type || !model)
    throw new Refusal(`--label-type must be one of the demo's for labels of one item, not "${labelType}".`);
  await assertOwn(operator, `/api/platform/v1/tenants/${tenantId}`, `tenant "${tenantId}"`);
  const { type: _, ...typeOrder } = type;
  const path = management(tenantId);
  await operator.obtain("PUT", `/api/platform/v1/tenants/${tenantId}`, { name: `${LOAD_NAME}${tenantId}` });
  await operator.obtain("PUT", `${path}/label-types/${labelType}`, typeOrder);
  const modelOrder = { labelTypes: [Number(labelType)], linkPositions: model.linkPositions };
  await operator.obtain("PUT", `${path}/models/${encodeURIComponent(model.name)}`, modelOrder);
  const token = await issueToken(operator, tenantId, { stores: "*", scope: "*", subject: "load-set-up" });
  await setUpDesigns(createCaller(origin, token), path, type);
}

/** Designs and rules are written once: each change of them draws every label again. */
async function setUpDesigns(
  caller: Caller,
  path: string,
  { type, width, height }: (typeof labelTypes)[number],
): Promise<void> {
  const { status, body } = await caller.send("GET", `${path}/communication-packs/${PACK}`);
  if (status === 200 && (body as { active: boolean }).active) return;
  const fitting = demoDesigns.filter(({ canvas }) => canvas.width === width && canvas.height === height);
  for (const { id, canvas, design } of fitting) {
    await caller.obtain("PUT", `${path}/canvas-designs/${id}`, canvas);
    await caller.obtain("PUT", `${path}/designs/${id}`, {
      name: design.name,
      canvasId: id,
      compatible_esltype_ids: [type],
    });
  }
  const regular = fitting.filter(({ id }) => id.startsWith("regular")).map(({ id }) => id);
  const scenarios = [{ id: "regular", name: "Regular price", design_ids: regular }];
  await caller.obtain("PUT", `${path}/communication-packs/${PACK}`, { name: "Load test", scenarios });
  await caller.obtain("POST", `${path}/communication-packs/${PACK}/activate`);
}

async function setUpStore(order: SetUpOrder, index: number, tenantId: string): Promise<LoadStore> {
  const { origin, caller: given, labels, labelType, tenantId: ofToken } = order;
  const storeId = `${order.prefix}${String(index + 1).padStart(4, "0")}`;
  const path = `${management(tenantId)}/stores/${storeId}`;
  await assertOwn(given, path, `store "${storeId}"`);
  await given.obtain("PUT", path, {
    ...{ name: `${LOAD_NAME}${storeId}`, timeZone: "Europe/Zagreb", currency: "EUR", locale: "hr-HR" },
    linkDepartments: [{ id: "1", transceivers: ["load"] }],
  });
  const ownToken = { stores: [storeId], scope: STORE_SCOPE, subject: storeId };
  const caller = ofToken === undefined ? createCaller(origin, await issueToken(given, tenantId, ownToken)) : given;
  const indexes = Array.from({ length: labels }, (_, label) => label);
  const barcodes = indexes.map((label) => barcodeFor(`${tenantId} ${storeId} ${itemIdOf(label)}`, labelType));
  const store = { tenantId, storeId, caller, base: `/t/${tenantId}/s/${storeId}/api/public/core/v1`, barcodes };
  if ((await summaryOf(store)).labels < labels) {
    const price = (label: number) => priceOf(order.start, { store: index, label, change: 0 });
    const items = indexes.map((label) => ({
      itemId: itemIdOf(label),
      itemName: itemNameOf(label),
      price: price(label),
    }));
    const links = (label: number) => [{ itemId: itemIdOf(label), displayPosition: 0 }];
    await caller.obtain("PATCH", `${store.base}/items`, items);
    await caller.obtain(
      "PATCH",
      `${store.base}/labels`,
      indexes.map((label) => ({ barcode: barcodes[label], links: links(label) })),
    );
  }
  return store;
}

async function assertOwn(caller: Caller, path: string, what: string): Promise<void> {
  const { status, body } = await caller.send("GET", path);
  if (status !== 200) return;
  const { name, removal } = body as { name: string; removal?: object };
  if (!name.startsWith(LOAD_NAME)) throw new Refusal(`The ${what} has the name "${name}": it is not of a load test.`);
  if (removal)
    throw new Refusal(
      `The ${what} is being removed: clean-up, which runs once an hour, deletes its data. Use another --prefix until then.`,
    );
}

async function issueToken(operator: Caller, tenantId: string, order: object): Promise<string> {
  const body = { ...order, lifetime: TOKEN_LIFETIME_SECONDS };
  return (await operator.obtain<{ token: string }>("POST", `${management(tenantId)}/tokens`, body)).token;
}

interface Summary {
  labels: number;
  plState: Readonly<Record<"NEW" | "PENDING" | "OK", number>>;
}
const summaryOf = ({ caller, base }: LoadStore) => caller.obtain<Summary>("GET", `${base}/labels/summary`);

/** Waits until no label of a store waits for a picture, or for five minutes; returns how many show theirs. */
async function untilSettled(store: LoadStore): Promise<number> {
  for (let look = 1; ; look += 1) {
    const { labels, plState } = await summaryOf(store);
    const isSettled = labels >= store.barcodes.length && plState.NEW + plState.PENDING === 0;
    if (isSettled || look === SETTLING_LOOKS) return plState.OK;
    await setTimeout(POLL_INTERVAL_MS);
  }
}
