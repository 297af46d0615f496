import type { ItemAnswer } from "./searched-fields.ts";

export const textFields = ["itemName", "price", "itemGroup", "department", "presentation"] as const;

/** The fields of an item that a person may change. */
export type Editable = Pick<ItemAnswer, (typeof textFields)[number] | "sics" | "properties">;

/** The differences between an item and its form: a row for the API, and what must be removed. */
export interface ItemChanges {
  patch: Record<string, unknown>;
  removedCodes: string[];
  removedProperties: string[];
}

/**
 * Returns the smallest change that makes the item match the form. An empty text field changes nothing, because the
 * interface keeps the value.
 */
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
  // A non-empty list replaces the item's; an empty one would not change it.
  if (isOther && wanted.sics.length > 0) patch.sics = wanted.sics;
  return {
    patch,
    removedCodes: isOther && wanted.sics.length === 0 ? present.sics : [],
    removedProperties: Object.keys(present.properties).filter((key) => wanted.properties[key] === ""),
  };
}

/** Returns the fields that someone else has changed since they were shown, and that are also changed here. */
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
