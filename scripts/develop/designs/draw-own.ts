import { type CompiledCanvas, compileCanvas, DesignError } from "../../../drawing/canvas/compile-canvas.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import { withoutComments } from "../../../schemas/canvas-comments.ts";
import { unknownFieldsOf } from "../../../schemas/check-canvas.ts";
import type { Item } from "../../../schemas/item.ts";
import type { Fault } from "../../../schemas/problem.ts";
import type { Sheet } from "./contact-sheet.ts";
import { fits, type Named, positionsOf, titleOf } from "./draw-label.ts";
import { rowOfAll, rowOfHardest } from "./draw-row.ts";
import { demoLabels, type OwnLabels } from "./own-labels.ts";

/** A design in a file, as JSON. */
export interface OwnDesign {
  file: string;
  design: unknown;
}

/**
 * Draws designs on every label type for which they have a layout, with all items or with those that are hardest to draw.
 * Returns the designs' faults instead if there are any.
 */
export const drawOwn = (
  designs: readonly OwnDesign[],
  items: readonly Item[],
  named: Named = {},
  { labelTypes, models, store }: OwnLabels = demoLabels,
  { isAll = false } = {},
): Sheet[] =>
  designs.map(({ file, design }) => {
    const faults = [...unknownFieldsOf(design)];
    const canvas = tryToCompile(withoutComments(design), faults);
    const title = canvas ? `${file}: ${canvas.name}` : file;
    const messages = faults.map(({ pointer, detail }) => `${pointer || "/"} ${detail}`);
    if (canvas === undefined) return { title, rows: [], messages };
    const fitting = labelTypes.filter((labelType) => fits(canvas, labelType));
    if (fitting.length === 0) messages.push("no label type has the size of one of its layouts");
    const rows = fitting.map((labelType) => {
      const around = { labelType, store, positions: positionsOf(labelType, models), ...named };
      return isAll
        ? rowOfAll(titleOf(labelType), canvas, items, around)
        : rowOfHardest(titleOf(labelType), canvas, items, around);
    });
    return { title, messages, rows };
  });

function tryToCompile(design: unknown, faults: Fault[]): CompiledCanvas | undefined {
  try {
    return compileCanvas(design as CanvasDesign);
  } catch (error) {
    if (!(error instanceof DesignError)) throw error;
    faults.push(...error.faults);
    return undefined;
  }
}
