import { readFileSync } from "node:fs";
import type { LabelType, LabelTypeOrder } from "../../schemas/label-type.ts";
import type { Model, ModelOrder } from "../../schemas/model.ts";
import type { Store } from "../../schemas/store.ts";
import type { Tenant } from "../../schemas/tenant.ts";

/** The demo tenant and its store. */
export const TENANT_ID = "demo";
export const STORE_ID = "main";

interface DemoTenant extends Tenant {
  labelTypes: Record<string, LabelTypeOrder>;
  models: Record<string, ModelOrder>;
  stores: Record<string, Store>;
}

/**
 * The demo as an operator would set it up: `npm run admin -- apply scripts/demo/installation.json`. 1210 is a segment label,
 * which no vendor's catalogue defines. Each size has a model, and so do labels with two items and labels with three pages.
 */
const file = new URL("./installation.json", import.meta.url);
const installation: { tenants: { demo: DemoTenant } } = JSON.parse(readFileSync(file, "utf8"));
const { labelTypes: ordersOfTypes, models: ordersOfModels, stores, ...tenant } = installation.tenants[TENANT_ID];

export const demoTenant: Tenant = tenant;
export const demoStore: Store = stores[STORE_ID] as Store;

/** The label types of the demo. */
export const labelTypes: readonly LabelType[] = Object.entries(ordersOfTypes).map(([type, order]) => ({
  type: Number(type),
  ...order,
}));

/** The models of the demo. */
export const models: readonly Model[] = Object.entries(ordersOfModels).map(([name, order]) => ({ name, ...order }));
