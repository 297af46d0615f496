import { readFile } from "node:fs/promises";
import type { LabelType, LabelTypeOrder } from "../../../schemas/label-type.ts";
import type { Model, ModelOrder } from "../../../schemas/model.ts";
import type { Store } from "../../../schemas/store.ts";
import { demoStore, labelTypes, models } from "../../demo/catalogue.ts";

/** The labels on which designs are drawn, and the store that determines locale, currency and time. */
export interface OwnLabels {
  labelTypes: readonly LabelType[];
  /** The models, which say how many items a label of a type shows. */
  models: readonly Model[];
  store: Store;
}

export const demoLabels: OwnLabels = { labelTypes, models, store: demoStore };

interface InstallationFile {
  tenants?: Record<
    string,
    { labelTypes?: Record<string, LabelTypeOrder>; models?: Record<string, ModelOrder>; stores?: Record<string, Store> }
  >;
}

/**
 * Returns the label types and a store of a tenant, from a file for `npm run admin -- apply`. Without names, it uses the first
 * tenant with its first store. Throws if the file has no tenant or store with the name.
 */
export async function readLabels(file: string, tenant?: string, store?: string): Promise<OwnLabels> {
  const { tenants = {} }: InstallationFile = JSON.parse(await readFile(file, "utf8"));
  const own = named(tenants, tenant, "tenant", file);
  const chosen = named(own.stores ?? {}, store, "store", file);
  const types = Object.entries(own.labelTypes ?? {}).map(([type, order]) => ({ type: Number(type), ...order }));
  const ownModels = Object.entries(own.models ?? {}).map(([name, order]) => ({ name, ...order }));
  return { labelTypes: types, models: ownModels, store: chosen };
}

function named<T>(all: Readonly<Record<string, T>>, id: string | undefined, what: string, file: string): T {
  const ids = Object.keys(all);
  const found = all[id ?? ids[0] ?? ""];
  if (found === undefined)
    throw new Error(`${file} has no ${what}${id === undefined ? "" : ` "${id}"; it has ${ids.join(", ")}`}`);
  return found;
}
