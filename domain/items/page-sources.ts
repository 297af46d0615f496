import { isDeepStrictEqual } from "node:util";
import type { LabelType } from "../../schemas/label-type.ts";
import type { ItemPages, PageSource } from "../../schemas/page-image.ts";
import { type PageSize, showsPage } from "./page-sizes.ts";

/** A size of a page for which an item has an upload but no picture yet. */
export interface MissingPage {
  page: number;
  size: PageSize;
}

/** Whether an upload is drawn for labels of this size. An upload that is not resized fits only its own size. */
export const fits = (
  { resize, width, height }: Pick<PageSource, "resize" | "width" | "height">,
  size: Pick<PageSize, "width" | "height">,
): boolean => resize !== 0 || (width === size.width && height === size.height);

export const isSameSize = (one: PageSize, other: PageSize): boolean =>
  one.width === other.width && one.height === other.height && isDeepStrictEqual(one.colors, other.colors);

/** Returns the pages that a label of this type can show only once they are drawn at its size. */
export function missingPages(pages: ItemPages, type: LabelType): MissingPage[] {
  const { width, height, colors } = type;
  const size = { width, height, colors };
  return [...new Set(pages.sources?.map(({ page }) => page))]
    .filter((page) => showsPage(type, page) && missingSource(pages, { page, size }) !== undefined)
    .map((page) => ({ page, size }));
}

/**
 * Returns the upload from which the picture of a page at this size must be drawn. Undefined if the picture exists, no upload fits
 * the size, or the newest upload that fits could not be drawn.
 */
export function missingSource(pages: ItemPages, { page, size }: MissingPage): PageSource | undefined {
  const newest = newestSource(pages, { page, size });
  const isDrawn = pages.images.some(
    (image) => image.page === page && isSameSize(image, size) && image.stamp >= (newest?.stamp ?? 0),
  );
  return isDrawn || failureIn(newest, size) !== undefined ? undefined : newest;
}

/** Returns the pages that labels of this type would show, but that could not be drawn at their size, each with the reason. */
export function failedPages(pages: ItemPages, type: LabelType): { page: number; reason: string }[] {
  const { width, height, colors } = type;
  const size = { width, height, colors };
  return [...new Set(pages.sources?.map(({ page }) => page))]
    .filter((page) => showsPage(type, page))
    .flatMap((page) => {
      const reason = failureIn(newestSource(pages, { page, size }), size);
      return reason === undefined ? [] : [{ page, reason }];
    });
}

const newestSource = (pages: ItemPages, { page, size }: MissingPage): PageSource | undefined =>
  sourcesOf(pages)
    .filter((source) => source.page === page && fits(source, size))
    .reduce<PageSource | undefined>((one, other) => (one && one.stamp > other.stamp ? one : other), undefined);

const failureIn = (source: PageSource | undefined, size: PageSize): string | undefined =>
  source?.failed?.find((failed) => isSameSize(failed, size))?.reason;

/**
 * Returns the sources that are not obsolete. Processes of an earlier release keep sources even if their removals, deletions
 * and uploads make them obsolete. Such an upload leaves an image without a source.
 */
function sourcesOf({ sources = [], images, removed, floor = -1 }: ItemPages): PageSource[] {
  const known = new Set(sources.map(({ page, stamp }) => `${page} ${stamp}`));
  const unknown = images.filter(({ page, stamp }) => !known.has(`${page} ${stamp}`));
  return sources.filter(
    ({ page, stamp }) =>
      stamp > floor && ![...removed, ...unknown].some((later) => later.page === page && later.stamp > stamp),
  );
}
