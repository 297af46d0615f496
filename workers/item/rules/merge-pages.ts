import type { ItemPageImage, ItemPages } from "../../../schemas/page-image.ts";

const none = (itemId: string): ItemPages => ({ itemId, images: [], removed: [] });

/** An item's images with those of an upload: the newest replaces what the page shows at its size and in its colours. */
export function setPages(current: ItemPages | undefined, itemId: string, images: readonly ItemPageImage[]): ItemPages {
  const pages = current ?? none(itemId);
  const merged = new Map(pages.images.map((image) => [slotOf(image), image]));
  for (const image of images) {
    const newest = Math.max(pages.floor ?? -1, removedAt(pages, image.page), merged.get(slotOf(image))?.stamp ?? -1);
    if (image.stamp > newest) merged.set(slotOf(image), image);
  }
  return { ...pages, images: [...merged.values()].sort(inOrder) };
}

/** An item's images without those of a page. The removal stays: an older upload that is applied again is not shown. */
export function removePage(current: ItemPages, page: number, stamp: number): ItemPages {
  const images = current.images.filter((image) => image.page !== page || image.stamp > stamp);
  if (images.length === current.images.length) return current;
  return { ...current, images, removed: [...current.removed.filter((one) => one.page !== page), { page, stamp }] };
}

/** The images of a deleted item: none that are older than its deletion. */
export function clearPages(current: ItemPages, stamp: number): ItemPages {
  const images = current.images.filter((image) => image.stamp > stamp);
  return { ...current, images, floor: Math.max(stamp, current.floor ?? 0) };
}

const removedAt = ({ removed }: ItemPages, page: number): number =>
  removed.find((one) => one.page === page)?.stamp ?? -1;

/** What an image is shown at: a page of labels of one size and palette. */
const slotOf = ({ page, width, height, colors }: ItemPageImage): string =>
  `${page} ${width}x${height} ${colors.join(" ")}`;

const inOrder = (one: ItemPageImage, other: ItemPageImage): number =>
  one.page - other.page ||
  one.width - other.width ||
  one.height - other.height ||
  (slotOf(one) < slotOf(other) ? -1 : 1);
