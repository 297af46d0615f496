import { type Canvas, layoutsOf } from "../document/document.ts";
import type { Layout } from "../document/elements.ts";
import type { TrialType } from "../editor-data.ts";

/** Returns the size of the labels that show a layout. */
export const labelSize = ({ width, height, rotate }: Layout): { width: number; height: number } =>
  rotate === 90 || rotate === 270 ? { width: height, height: width } : { width, height };

const isOfSize = (layout: Layout, { width, height }: Pick<TrialType, "width" | "height">): boolean => {
  const size = labelSize(layout);
  return size.width === width && size.height === height;
};

/**
 * Returns the index of the layout for a label: a layout for its type takes precedence over a layout for all types of its
 * size.
 */
export function layoutFor(layouts: readonly Layout[], type: TrialType): number | undefined {
  const named = layouts.findIndex((layout) => isOfSize(layout, type) && layout.labelTypes?.includes(type.type));
  const found =
    named >= 0 ? named : layouts.findIndex((layout) => isOfSize(layout, type) && layout.labelTypes === undefined);
  return found >= 0 ? found : undefined;
}

/** Returns the label types that show a layout. */
export const typesFor = (layouts: readonly Layout[], index: number, types: readonly TrialType[]): TrialType[] =>
  types.filter((type) => layoutFor(layouts, type) === index);

/**
 * Returns the label types to try a design on: types on which the rules can show it, or all of its sizes if there are none
 * yet.
 */
export function typesToTry(canvas: Canvas, types: readonly TrialType[], most: number): readonly TrialType[] {
  const layouts = layoutsOf(canvas);
  const fitting = types.filter((type) => layoutFor(layouts, type) !== undefined);
  const shown = fitting.filter(({ isShown }) => isShown);
  return (shown.length > 0 ? shown : fitting).slice(0, Math.max(1, most));
}
