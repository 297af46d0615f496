import type { LabelType, Model } from "../../../schemas/tenant.ts";

/** A size and palette at which labels show an image of a page. */
export type PageSize = Pick<LabelType, "width" | "height" | "colors">;

interface Catalogue {
  models: readonly Model[];
  labelTypes: readonly LabelType[];
}

/**
 * The sizes and palettes at which an item's labels show a page (docs/integrators.md#images-of-pages): one for each size
 * and palette of the label types of its linked labels' models, or of every model if no label is linked. Labels that
 * show several items, or a text instead of a picture, show no page images.
 */
export function pageSizes(linked: readonly Model[], { models, labelTypes }: Catalogue, page: number): PageSize[] {
  const shown = (linked.length > 0 ? linked : models).filter(({ linkPositions }) => linkPositions === 1);
  const types = new Set(shown.flatMap((model) => model.labelTypes));
  const withPage = labelTypes.filter(
    ({ type, display, pages }) => types.has(type) && display === "matrix" && page < pages,
  );
  const sizes = withPage.map(({ width, height, colors }) => ({ width, height, colors }));
  return [...new Map(sizes.map((size) => [JSON.stringify(size), size])).values()];
}

/** Sizes as text for messages, each once. */
export const sizesText = (sizes: readonly PageSize[]): string =>
  [...new Set(sizes.map(({ width, height }) => `${width} x ${height}`))].join(", ");
