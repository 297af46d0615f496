import { readJson } from "../../../read-all.ts";
import type { TrialItem } from "./preview-shapes.ts";

const MAX_READ = 1000;
const fields = ["itemName", "price", "itemGroup", "department", "presentation"] as const;

type ItemAnswer = Readonly<Record<string, unknown>> & { itemId: string };

/** Reads the first items of a store, to try a design with; none if the session may not read them. */
export async function readItems(base: string): Promise<TrialItem[]> {
  const found = await readJson<ItemAnswer[]>(`${base}/items?projection=M&limit=${MAX_READ}`).catch(() => []);
  return found.map(trialItem);
}

function trialItem(answer: ItemAnswer): TrialItem {
  const own = fields.flatMap((name) => (typeof answer[name] === "string" ? [[name, answer[name]] as const] : []));
  const { properties } = answer as { properties?: unknown };
  return { itemId: answer.itemId, ...Object.fromEntries(own), ...(isTexts(properties) && { properties }) };
}

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An item property, with an example and the number of the read items that have it. */
export interface Property {
  name: string;
  items: number;
  example: string;
}

interface Catalogue {
  properties: readonly { name: string; items: number; values: readonly { value: string }[] }[];
}

/** Returns the properties of all stores' items, as counted by the interface, or else of the items that were read. */
export async function readCatalogue(manage: string, items: readonly TrialItem[]): Promise<Property[]> {
  const found = await readJson<Catalogue>(`${manage}/item-properties`).catch(() => undefined);
  if (found === undefined) return catalogueOf(items);
  return found.properties.map(({ name, items, values: [most] }) => ({ name, items, example: most?.value ?? "" }));
}

/** Returns every item property, most frequent first. */
function catalogueOf(items: readonly TrialItem[]): Property[] {
  const found = new Map<string, Property>();
  for (const { properties = {}, ...item } of items)
    for (const [name, value] of Object.entries({ ...item, ...properties })) {
      const known = found.get(name);
      if (known) known.items += 1;
      else found.set(name, { name, items: 1, example: value });
    }
  return [...found.values()].sort((one, other) => other.items - one.items || one.name.localeCompare(other.name));
}
