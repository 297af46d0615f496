import type { Commit } from "../../queues/changes/commit.ts";
import { labelStates, labels } from "../../records/kinds/labels.ts";
import { labelTypes, models, stores } from "../../records/kinds/tenants.ts";
import type { SchemeOf } from "../../records/linking/barcode-schemes.ts";
import { type Records, readAll } from "../../records/records.ts";
import { idOf, ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { Label } from "../../schemas/label.ts";
import type { LabelState } from "../../schemas/label-state.ts";
import type { Stored } from "../../schemas/record.ts";

/**
 * Returns the keys of existing labels and their states. A reported label is created if its store exists and a model has the
 * type that its barcode states. `states` holds states of existing labels that the caller already has. Label types are read only
 * for labels for which they matter.
 */
export type ObtainLabels = (
  labelKeys: readonly string[],
  states?: ReadonlyMap<string, Stored<LabelState>>,
  countsType?: (label: string) => boolean,
) => Promise<{
  known: string[];
  states: ReadonlyMap<string, Stored<LabelState>>;
  /** The label types of labels that existed before, by key. */
  types: ReadonlyMap<string, number>;
}>;

export function createObtainLabels(records: Records, commit: Commit, schemeOf: SchemeOf): ObtainLabels {
  /** Reads, for each type, the model of new labels. */
  async function readModels(tenant: string): Promise<Map<number, string>> {
    const types = await readAll(records, labelTypes, `${tenant}/labeltypes/`);
    const known = await readAll(records, models, `${tenant}/models/`);
    const modelOf = (type: number) => known.find((model) => model.labelTypes.includes(type))?.name;
    return new Map(types.flatMap(({ type }) => [[type, modelOf(type) ?? ""] as const]).filter(([, name]) => name));
  }

  async function make(missing: readonly string[]): Promise<string[]> {
    const present = await records.readRevs(stores, missing.map(ownerOf));
    const inStores = missing.filter((key) => present.has(ownerOf(key)));
    const tenants = [...new Set(inStores.map(tenantOf))];
    const byTenant = new Map(
      await Promise.all(
        tenants.map(async (tenant) => {
          const [readType, models] = await Promise.all([schemeOf(tenant), readModels(tenant)]);
          return [tenant, { readType, models }] as const;
        }),
      ),
    );
    const made = new Map<string, Label>();
    for (const key of inStores) {
      const barcode = idOf(key);
      const { readType, models } = byTenant.get(tenantOf(key)) ?? {};
      const type = readType?.(barcode) ?? 0;
      const modelName = models?.get(type);
      if (modelName !== undefined) made.set(key, { barcode, type, modelName, stamps: {} });
    }
    await commit.change(labels, [...made.keys()], (key, current) => (current ? undefined : made.get(key)), "bulk");
    return [...made.keys()];
  }

  return async (labelKeys, before = new Map(), countsType = () => false) => {
    const [read, typed] = await records.readTogether([
      { kind: labelStates, keys: labelKeys.filter((key) => !before.has(key)) },
      { kind: labels, keys: labelKeys.filter(countsType), fields: ["type"] },
    ]);
    const states = new Map([...before, ...read]);
    // A label with a state exists. A label without a state has not reported yet and was never linked.
    const doubtful = labelKeys.filter((key) => !states.has(key) && !typed.has(key));
    const others = await records.readFields(labels, doubtful, ["type"]);
    const types = new Map([...typed, ...others].map(([key, { type }]) => [key, type]));
    const missing = doubtful.filter((key) => !others.has(key));
    const present = labelKeys.filter((key) => states.has(key) || types.has(key));
    return { known: [...present, ...(missing.length > 0 ? await make(missing) : [])], states, types };
  };
}
