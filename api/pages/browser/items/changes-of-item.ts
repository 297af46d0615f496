import type { ItemAnswer } from "./item-words.ts";

export const textFields = ["itemName", "price", "itemGroup", "department", "presentation"] as const;

/** What a person may change of an item. */
export type Editable = Pick<ItemAnswer, (typeof textFields)[number] | "sics" | "properties">;

/** What differs between an item and what a person wants of it: a row of the interface, and what is to be removed. */
export interface ItemChanges {
  patch: Record<string, unknown>;
  removedCodes: string[];
  removedProperties: string[];
}

/** The least that makes the item what is wanted. An empty text is no wish: the interface keeps what is there. */
export function changesOf(present: Editable, wanted: Editable): ItemChanges {
  const patch: Record<string, unknown> = {};
  for (const field of textFields) {
    const value = wanted[field] ?? "";
    if (value !== "" && value !== (present[field] ?? "")) patch[field] = value;
  }
  const properties = Object.entries(wanted.properties).filter(
    ([key, value]) => value !== "" && value !== present.properties[key],
  );
  if (properties.length > 0) patch.properties = Object.fromEntries(properties);
  const isOther = wanted.sics.join("\n") !== present.sics.join("\n");
  // A non-empty list replaces the item's; an empty one would leave it as it is.
  if (isOther && wanted.sics.length > 0) patch.sics = wanted.sics;
  return {
    patch,
    removedCodes: isOther && wanted.sics.length === 0 ? present.sics : [],
    removedProperties: Object.keys(present.properties).filter((key) => wanted.properties[key] === ""),
  };
}

/** The fields that someone else changed since they were shown, and that are to be changed here too. */
export function changedMeanwhile(shown: Editable, now: Editable, wanted: Editable): string[] {
  const flat = (item: Editable): Record<string, string> => ({
    ...Object.fromEntries(textFields.map((field) => [field, item[field] ?? ""])),
    sics: item.sics.join(", "),
    ...Object.fromEntries(Object.entries(item.properties).map(([key, value]) => [`/${key}`, value])),
  });
  const [before, present, wish] = [flat(shown), flat(now), flat(wanted)];
  return Object.keys({ ...before, ...present, ...wish }).filter((name) => {
    const at = (values: Record<string, string>) => values[name] ?? "";
    return at(before) !== at(present) && at(wish) !== at(before) && at(wish) !== at(present);
  });
}
