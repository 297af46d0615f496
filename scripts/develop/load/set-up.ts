import { setTimeout } from "node:timers/promises";
import pLimit from "p-limit";
import { templateCanvas } from "../../../drawing/templates/templates.ts";
import { Refusal } from "../../operate/admin/command.ts";
import { barcodeFor } from "../../operate/import/label-rows.ts";
import { type Caller, createCaller } from "./caller.ts";
import { priceOf } from "./prices.ts";

/** A load-test store with its own caller. */
export interface LoadStore {
  tenantId: string;
  storeId: string;
  caller: Caller;
  /** Path of the store's public interface. */
  base: string;
  /** Barcodes of the store's labels. The label at an index shows the item at that index. */
  barcodes: readonly string[];
}

export interface SetUpOrder {
  origin: string;
  caller: Caller;
  /** The tenant of the token. Undefined for the operator's token, with which separate tenants are created. */
  tenantId: string | undefined;
  tenants: number;
  /** Prefix for the ids of tenants and stores. */
  prefix: string;
  stores: number;
  labels: number;
  labelType: string;
  /** Seconds since 1970 from which prices count. */
  start: number;
  /** How long to wait for a store without progress, in milliseconds. */
  patienceMs: number;
  /** Called as stores become ready. */
  onReady(stores: number): void;
}

/** Tenants and stores of the load test have this name and their number. Others are never changed. */
export const LOAD_NAME = "Load test ";
const STORES_AT_ONCE = 4;
const TOKEN_LIFETIME_SECONDS = 7 * 86_400;
const POLL_INTERVAL_MS = 1_000;
const STORE_SCOPE = "items:read items:write labels:read labels:write";
/** The label type of the load test's own tenants, with a model that shows one item. */
export const OWN_TYPE = 1328;
const OWN_MODEL = "Price";
const OWN_PACK = "load";
const LOCALE = "hr-HR";
const ownType = {
  width: 296,
  height: 128,
  colors: ["white", "black", "red"],
  display: "matrix" as const,
  flash: true,
  pages: 1,
};

export const itemIdOf = (index: number): string => `load-${String(index + 1).padStart(5, "0")}`;
export const itemNameOf = (index: number): string => `Load test item ${index + 1}`;

/**
 * Creates what the load test needs and does not find: tenants with designs and rules (with the operator's token), stores,
 * items, and a label for each item. Resolves once no picture is waiting, with the stores and how many labels show their
 * pictures.
 */
export async function setUp(order: SetUpOrder): Promise<{ stores: LoadStore[]; shown: number }> {
  const { tenantId, tenants, prefix, stores, caller, onReady } = order;
  const tenantIds = tenantId ? [tenantId] : Array.from({ length: tenants }, (_, index) => `${prefix}${index + 1}`);
  const ids = Array.from({ length: stores }, (_, index) => ({
    tenantId: tenantIds[index % tenantIds.length] ?? "",
    storeId: `${prefix}${String(index + 1).padStart(4, "0")}`,
  }));
  const limit = pLimit(STORES_AT_ONCE);
  const newTenants = tenantId ? [] : tenantIds;
  // Everything is checked before anything is changed.
  for (const id of newTenants) await assertOwn(caller, tenantPath(id), `tenant "${id}"`);
  await Promise.all(ids.map((id) => limit(() => assertOwn(caller, storePath(id), `store "${id.storeId}"`))));
  for (const id of newTenants) await setUpTenant(order, caller, id);
  const patience: Patience = { ms: order.patienceMs, isOver: false };
  let ready = 0;
  const made = ids.map((id, index) =>
    limit(async () => {
      const store = await setUpStore(order, index, id);
      const shown = await untilSettled(store, patience);
      ready += 1;
      onReady(ready);
      return { store, shown };
    }),
  );
  const found = await Promise.all(made).catch((error) => {
    limit.clearQueue();
    throw error;
  });
  return { stores: found.map(({ store }) => store), shown: found.reduce((sum, { shown }) => sum + shown, 0) };
}

type StoreIds = Pick<LoadStore, "tenantId" | "storeId">;
const tenantPath = (tenantId: string): string => `/api/platform/v1/tenants/${tenantId}`;
const storePath = ({ tenantId, storeId }: StoreIds): string => `${management(tenantId)}/stores/${storeId}`;
const management = (tenantId: string): string => `/t/${tenantId}/api/management/v1`;

/** Creates a tenant of the load test: a label type, its model, and the demo's designs for it. */
async function setUpTenant({ origin }: SetUpOrder, operator: Caller, tenantId: string): Promise<void> {
  const path = management(tenantId);
  await operator.obtain("PUT", tenantPath(tenantId), { name: `${LOAD_NAME}${tenantId}` });
  await operator.obtain("PUT", `${path}/label-types/${OWN_TYPE}`, ownType);
  await operator.obtain("PUT", `${path}/models/${OWN_MODEL}`, { labelTypes: [OWN_TYPE], linkPositions: 1 });
  const token = await issueToken(operator, tenantId, { stores: "*", scope: "*", subject: "load-set-up" });
  await setUpDesign(createCaller(origin, token), path);
}

/** The design and the rule are written once, because each change to them redraws every label. */
async function setUpDesign(caller: Caller, path: string): Promise<void> {
  const pack = `${path}/communication-packs/${OWN_PACK}`;
  if ((await caller.find<{ active: boolean }>(pack))?.active) return;
  const canvas = templateCanvas("standard", ownType, LOCALE);
  if (canvas === undefined)
    throw new Error(`the load test's label of ${ownType.width} x ${ownType.height} has no room`);
  await caller.obtain("PUT", `${path}/canvas-designs/price`, canvas);
  const design = { name: "Price", canvasId: "price", compatible_esltype_ids: [OWN_TYPE] };
  await caller.obtain("PUT", `${path}/designs/price`, design);
  const scenarios = [{ id: "price", name: "Price", design_ids: ["price"] }];
  await caller.obtain("PUT", pack, { name: "Load test", scenarios });
  await caller.obtain("POST", `${pack}/activate`);
}

async function setUpStore(order: SetUpOrder, index: number, ids: StoreIds): Promise<LoadStore> {
  const { origin, caller: given, labels, labelType, tenantId: ofToken } = order;
  const { tenantId, storeId } = ids;
  await given.obtain("PUT", storePath(ids), {
    ...{ name: `${LOAD_NAME}${storeId}`, timeZone: "Europe/Zagreb", currency: "EUR", locale: LOCALE },
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
  const found = await caller.find<{ name: string; removal?: object }>(path);
  if (found === undefined) return;
  const { name, removal } = found;
  if (!name.startsWith(LOAD_NAME))
    throw new Refusal(`The ${what} has the name "${name}": it does not belong to a load test.`);
  if (removal)
    throw new Refusal(
      `The ${what} is being removed: clean-up, which runs once an hour, deletes its data. Use another --prefix until then.`,
    );
}

async function issueToken(operator: Caller, tenantId: string, order: object): Promise<string> {
  const body = { ...order, lifetime: TOKEN_LIFETIME_SECONDS };
  return (await operator.obtain<{ token: string }>("POST", `${management(tenantId)}/tokens`, body)).token;
}

interface Patience {
  ms: number;
  isOver: boolean;
}

interface Summary {
  labels: number;
  plState: Readonly<Record<"NEW" | "PENDING" | "OK", number>>;
}
const summaryOf = ({ caller, base }: LoadStore) => caller.obtain<Summary>("GET", `${base}/labels/summary`);

/**
 * Waits until no label of a store is waiting for a picture. Returns how many labels show theirs. Once a store has made no
 * progress for `patience`, for example because no label server accepts pictures, the waiting ends for all stores.
 */
async function untilSettled(store: LoadStore, patience: Patience): Promise<number> {
  let progress = 0;
  let progressAt = performance.now();
  for (;;) {
    const { labels, plState } = await summaryOf(store);
    if (labels >= store.barcodes.length && plState.NEW + plState.PENDING === 0) return plState.OK;
    if (labels + plState.OK > progress) progressAt = performance.now();
    progress = labels + plState.OK;
    if (performance.now() - progressAt > patience.ms) patience.isOver = true;
    if (patience.isOver) return plState.OK;
    await setTimeout(POLL_INTERVAL_MS);
  }
}
