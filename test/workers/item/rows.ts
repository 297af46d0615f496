import fc from "fast-check";
import { deleteItem, mergeItem } from "../../../domain/items/merge-item.ts";
import { removeProperty, removeSic } from "../../../domain/items/remove-parts.ts";
import { exists, type Item, type ItemPatch, itemTexts, propertiesOf } from "../../../schemas/item.ts";

/** A write to an item under its stamp: a row that sets fields, a removal, or a deletion. */
export type Step = { stamp: number } & (
  | { patch: ItemPatch }
  | { deletes: true }
  | { removesProperty: string }
  | { removesSic: string }
);

/** An item as callers see it: without stamps, and with properties in any order. */
export interface Visible {
  texts: Record<string, string>;
  sics: readonly string[];
  properties: Record<string, string>;
}

const text = fc.constantFrom("", "1", "2", "3", null);
const property = fc.tuple(
  fc.constantFrom("brand", "unit", "a.b", "$set", "__proto__", "constructor"),
  fc.constantFrom("", "x", "y"),
);

/** A row that sets some fields, including some empty strings. */
export const anyPatch: fc.Arbitrary<ItemPatch> = fc
  .record(
    {
      itemName: text,
      price: text,
      itemGroup: text,
      department: text,
      presentation: text,
      sics: fc.oneof(fc.constant(null), fc.uniqueArray(fc.constantFrom("s1", "s2", "s3"))),
      properties: fc.array(property, { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
    },
    { requiredKeys: [] },
  )
  .map((fields) => ({ itemId: "milk", ...fields }));

/** Rows with different stamps, smallest stamp first. */
export const anyRows: fc.Arbitrary<{ stamp: number; patch: ItemPatch }[]> = fc
  .tuple(fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 7 }), fc.array(anyPatch, { minLength: 7 }))
  .map(([stamps, patches]) =>
    stamps.sort((a, b) => a - b).map((stamp, index) => ({ stamp, patch: patches[index] ?? { itemId: "milk" } })),
  );

/** A permutation of all elements. */
export const shuffled = <T>(all: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...all], { minLength: all.length });

/** Merges the steps in the given order; returns the item. */
export const mergeAll = (steps: readonly Step[], isLatest: boolean, from?: Item): Item | undefined =>
  steps.reduce<Item | undefined>((item, step) => mergeStep(item, step, isLatest) ?? item, from);

function mergeStep(item: Item | undefined, step: Step, isLatest: boolean): Item | undefined {
  if ("patch" in step) return mergeItem(item, step.patch, step.stamp, isLatest);
  if ("removesProperty" in step) return removeProperty(item, step.removesProperty, step.stamp);
  if ("removesSic" in step) return removeSic(item, step.removesSic, step.stamp);
  return deleteItem(item, step.stamp);
}

export function visible(item: Item | undefined): Visible | undefined {
  if (item === undefined || !exists(item)) return undefined;
  return {
    texts: Object.fromEntries(itemTexts.flatMap((field) => (item[field] === undefined ? [] : [[field, item[field]]]))),
    sics: item.sics,
    properties: Object.fromEntries(propertiesOf(item).map(({ key, value }) => [key, value])),
  };
}

/** The expected item: all steps applied in stamp order. */
export function oneAfterTheOther(steps: readonly Step[]): Visible | undefined {
  let seen: Visible | undefined;
  for (const step of [...steps].sort((a, b) => a.stamp - b.stamp)) {
    if ("deletes" in step) seen = undefined;
    else if ("removesProperty" in step) {
      if (seen) seen = { ...seen, properties: without(seen.properties, step.removesProperty) };
    } else if ("removesSic" in step) {
      if (seen) seen = { ...seen, sics: seen.sics.filter((sic) => sic !== step.removesSic) };
    } else {
      const { itemId: _, sics, properties, ...texts } = step.patch;
      const filled = (pairs: object) => Object.entries(pairs).filter(([, value]) => value);
      seen = {
        texts: { ...seen?.texts, ...Object.fromEntries(filled(texts)) },
        sics: sics?.length ? sics : (seen?.sics ?? []),
        properties: Object.fromEntries([...filled(seen?.properties ?? {}), ...filled(properties ?? {})]),
      };
    }
  }
  return seen;
}

const without = (properties: Record<string, string>, key: string): Record<string, string> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => name !== key));
