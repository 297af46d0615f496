import { compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import type { Item } from "../../../schemas/item.ts";
import { demoStore, labelTypes, models } from "../../demo/catalogue.ts";
import { demoDesigns } from "../../demo/designs.ts";
import { chooseDemoDesign } from "../../demo/draw.ts";
import type { Sheet } from "./contact-sheet.ts";
import { positionsOf, titleOf } from "./draw-label.ts";
import { rowOf, rowOfAll } from "./draw-row.ts";

const canvases = new Map(demoDesigns.map(({ id, canvas }) => [id, compileCanvas(canvas)]));

/**
 * Draws every design of the demo on every label type that it fits, each with the products that are hardest for it, or with
 * all products for which the demo's rules choose it.
 */
export const drawSheets = (items: readonly Item[], { isAll = false } = {}): Sheet[] => {
  const withoutPrice = items.map(({ price: _, ...item }): Item => item);
  return labelTypes.map((labelType) => {
    const around = { labelType, store: demoStore, positions: positionsOf(labelType, models) };
    const designs = demoDesigns.filter(({ design }) => design.compatible_esltype_ids.includes(labelType.type));
    const rows = designs.flatMap(({ id, key }) => {
      const canvas = canvases.get(id);
      if (canvas === undefined) return [];
      const chosen = [...items, ...withoutPrice].filter((item) => chooseDemoDesign(item, labelType.type) === key);
      if (isAll) return [rowOfAll(id, canvas, chosen, around)];
      const hardest = extremeCases(chosen).map((item) => ({ item }));
      return [rowOf(id, canvas, hardest, chosen, around)];
    });
    return { title: titleOf(labelType), rows };
  });
};

/** Returns the shortest and the longest name, the highest price, and a product without a code. */
function extremeCases(chosen: readonly Item[]): Item[] {
  const byName = chosen.toSorted((a, b) => (a.itemName?.length ?? 0) - (b.itemName?.length ?? 0));
  const byPrice = chosen.toSorted((a, b) => Number(a.price ?? 0) - Number(b.price ?? 0));
  const withoutCode = chosen.find(({ properties }) => !properties.some(({ key }) => key === "ean"));
  const found = [byName.at(0), byName.at(-1), byPrice.at(-1), withoutCode].filter((item) => item !== undefined);
  return [...new Set(found)];
}
