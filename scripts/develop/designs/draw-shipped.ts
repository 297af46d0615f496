import { compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { templateIds } from "../../../drawing/templates/listed.ts";
import { templateCanvas } from "../../../drawing/templates/templates.ts";
import type { Item } from "../../../schemas/item.ts";
import type { Sheet } from "./contact-sheet.ts";
import { titleOf } from "./draw-label.ts";
import { rowOfAll, rowOfHardest } from "./draw-row.ts";
import type { OwnLabels } from "./own-labels.ts";

/** Draws the shipped designs on every label type that they support, with the hardest items or with all. */
export const drawShipped = (
  items: readonly Item[],
  { labelTypes, store }: OwnLabels,
  { isAll = false } = {},
): Sheet[] =>
  templateIds.map((template) => ({
    title: template,
    rows: labelTypes.flatMap((labelType) => {
      const canvas = templateCanvas(template, labelType, store.locale);
      if (canvas === undefined) return [];
      // The strip shows two items, any other design one.
      const positions = template === "two-items" ? 2 : 1;
      const around = { labelType, store, positions };
      const compiled = compileCanvas(canvas);
      return isAll
        ? [rowOfAll(titleOf(labelType), compiled, items, around)]
        : [rowOfHardest(titleOf(labelType), compiled, items, around)];
    }),
  }));
