import type { ItemPageImage, ItemPages } from "../../../schemas/page-image.ts";

const noPages = (itemId: string): ItemPages => ({ itemId, images: [], removed: [] });

/** An item's page images after an upload. For a page, a size and a palette the image with the largest stamp wins. */
export function setPages(current: ItemPages | undefined, itemId: string, images: readonly ItemPageImage[]): ItemPages {
  const pages = current ?? noPages(itemId);
  const merged = new Map(pages.images.map((image) => [slotOf(image), image]));
  for (const image of images) {
    const newest = Math.max(pages.floor ?? -1, removedAt(pages, image.page), merged.get(slotOf(image))?.stamp ?? -1);
    if (image.stamp > newest) merged.set(slotOf(image), image);
  }
  return { ...pages, images: [...merged.values()].sort(inOrder) };
}

/**
 * An item's page images after the removal of a page. The removal is stored, also where the page has no image: an older
 * upload that is still being drawn, or is applied again, is not shown.
 */
export function removePage(current: ItemPages, page: number, stamp: number): ItemPages {
  if (removedAt(current, page) >= stamp) return current;
  const images = current.images.filter((image) => image.page !== page || image.stamp > stamp);
  return {
    ...current,
    images,
    removed: [...current.removed.filter((removal) => removal.page !== page), { page, stamp }],
  };
}

/** A deleted item's page images: only those newer than its deletion are left. */
export function clearPages(current: ItemPages, stamp: number): ItemPages {
  const images = current.images.filter((image) => image.stamp > stamp);
  return { ...current, images, floor: Math.max(stamp, current.floor ?? 0) };
}

const removedAt = ({ removed }: ItemPages, page: number): number =>
  removed.find((removal) => removal.page === page)?.stamp ?? -1;

/** Key of an image: its page, and the size and palette of the labels that show it. */
const slotOf = ({ page, width, height, colors }: ItemPageImage): string =>
  `${page} ${width}x${height} ${colors.join(" ")}`;

const inOrder = (a: ItemPageImage, b: ItemPageImage): number =>
  a.page - b.page || a.width - b.width || a.height - b.height || (slotOf(a) < slotOf(b) ? -1 : 1);
