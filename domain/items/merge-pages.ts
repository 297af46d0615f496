import type { ItemPageImage, ItemPages, PageSource } from "../../schemas/page-image.ts";
import type { PageSize } from "./page-sizes.ts";
import { fits, isSameSize } from "./page-sources.ts";

const noPages = (itemId: string): ItemPages => ({ itemId, images: [], removed: [] });

/**
 * Returns an item's page images after an upload has been drawn. For a page, a size and a palette, the image with the largest
 * stamp wins. `source` is the upload, which is kept until a newer upload has been drawn for all of its sizes. Images of older
 * uploads are outdated in every size that the upload fits, even if no label currently has that size.
 */
export function setPages(
  current: ItemPages | undefined,
  itemId: string,
  images: readonly ItemPageImage[],
  source?: PageSource,
): ItemPages {
  const pages = withSource(current ?? noPages(itemId), source);
  const merged = new Map(pages.images.map((image) => [slotOf(image), image]));
  for (const image of images) {
    const newest = Math.max(floorOf(pages, image.page), merged.get(slotOf(image))?.stamp ?? -1);
    if (image.stamp > newest) merged.set(slotOf(image), image);
  }
  const isCurrent = (image: ItemPageImage) =>
    !pages.sources?.some(({ page, stamp, ...upload }) => {
      return page === image.page && stamp > image.stamp && fits(upload, image);
    });
  return { ...pages, images: [...merged.values()].filter(isCurrent).sort(inOrder) };
}

function withSource(pages: ItemPages, source: PageSource | undefined): ItemPages {
  const { sources = [] } = pages;
  const isKnown = sources.some(({ page, stamp }) => page === source?.page && stamp === source.stamp);
  if (source === undefined || isKnown || source.stamp <= floorOf(pages, source.page)) return pages;
  const kept = [...sources, source].filter((one, _, all) => !all.some((other) => replaces(other, one)));
  return { ...pages, sources: kept.sort((a, b) => a.page - b.page || a.stamp - b.stamp) };
}

/** Whether an upload is newer than another upload of its page and is drawn for every size of the other. */
const replaces = (newer: PageSource, older: PageSource): boolean =>
  newer.page === older.page &&
  newer.stamp > older.stamp &&
  (newer.resize !== 0 || (older.resize === 0 && fits(newer, older)));

/** Records that an upload cannot be drawn at a size, so that drawing it is not attempted again. */
export function failPage(
  current: ItemPages,
  { page, stamp }: Pick<PageSource, "page" | "stamp">,
  size: PageSize,
  reason: string,
): ItemPages {
  const noted = (source: PageSource): PageSource => {
    const { failed = [] } = source;
    const isOther = source.page !== page || source.stamp !== stamp || failed.some((known) => isSameSize(known, size));
    return isOther ? source : { ...source, failed: [...failed, { ...size, colors: [...size.colors], reason }] };
  };
  return { ...current, ...(current.sources && { sources: current.sources.map(noted) }) };
}

/**
 * Returns an item's page images after the removal of a page. The removal is stored even if the page has no image, so that an
 * older upload that is still being drawn, or is applied again, is not shown.
 */
export function removePage(current: ItemPages, page: number, stamp: number): ItemPages {
  if (removedAt(current, page) >= stamp) return current;
  return {
    ...without(current, (image) => image.page === page && image.stamp <= stamp),
    removed: [...current.removed.filter((removal) => removal.page !== page), { page, stamp }],
  };
}

/** Returns a deleted item's page images: only those newer than the deletion. */
export function clearPages(current: ItemPages, stamp: number): ItemPages {
  return { ...without(current, (image) => image.stamp <= stamp), floor: Math.max(stamp, current.floor ?? 0) };
}

/** Removes the images and uploads to which a removal or a deletion applies. */
function without(current: ItemPages, isGone: (of: { page: number; stamp: number }) => boolean): ItemPages {
  const images = current.images.filter((image) => !isGone(image));
  const sources = current.sources?.filter((source) => !isGone(source));
  return { ...current, images, ...(sources && { sources }) };
}

/** Returns the stamp of the latest removal of the page or deletion of the item. */
const floorOf = (pages: ItemPages, page: number): number => Math.max(pages.floor ?? -1, removedAt(pages, page));

const removedAt = ({ removed }: ItemPages, page: number): number =>
  removed.find((removal) => removal.page === page)?.stamp ?? -1;

/** Returns the key of an image: its page, and the size and palette of the labels that show it. */
const slotOf = ({ page, width, height, colors }: ItemPageImage): string =>
  `${page} ${width}x${height} ${colors.join(" ")}`;

const inOrder = (a: ItemPageImage, b: ItemPageImage): number =>
  a.page - b.page || a.width - b.width || a.height - b.height || (slotOf(a) < slotOf(b) ? -1 : 1);
