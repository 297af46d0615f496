import type { LabelType } from "../../schemas/label-type.ts";
import type { Model } from "../../schemas/model.ts";

/** A size and palette at which labels show an image of a page. */
export type PageSize = Pick<LabelType, "width" | "height" | "colors">;

interface Catalogue {
  models: readonly Model[];
  labelTypes: readonly LabelType[];
}

/** Whether labels of this type show images on a page. Segment labels show text instead. */
export const showsPage = ({ display, pages }: LabelType, page: number): boolean => display === "matrix" && page < pages;

/**
 * Returns the sizes and palettes at which an item's labels show a page (docs/integrators/items.md#images-of-pages): one for
 * each size and palette of the label types of the `linked` models, which are the models of the labels that show only this item.
 * `linked` is undefined if no label shows the item; every model then counts.
 */
export function pageSizes(
  linked: readonly Model[] | undefined,
  { models, labelTypes }: Catalogue,
  page: number,
): PageSize[] {
  const types = new Set((linked ?? models).flatMap((model) => model.labelTypes));
  const withPage = labelTypes.filter((type) => types.has(type.type) && showsPage(type, page));
  const sizes = withPage.map(({ width, height, colors }) => ({ width, height, colors }));
  return [...new Map(sizes.map((size) => [JSON.stringify(size), size])).values()];
}

/** Returns sizes as text for messages, each once. */
export const sizesText = (sizes: readonly PageSize[]): string =>
  [...new Set(sizes.map(({ width, height }) => `${width} x ${height}`))].join(", ");
