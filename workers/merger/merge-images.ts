import type { EslImage, RenderedImage } from "../../schemas/image.ts";

/** A label's picture from those of its links, in order of display positions. */
export function mergeImages(images: readonly RenderedImage[]): EslImage {
  const fault = images.find((image) => image.fault)?.fault;
  return {
    pages: images.slice(0, 1).map(({ image }) => ({ page: 0, image })),
    shows: images.filter(({ empty }) => !empty).map(({ shows }) => shows),
    ...(fault && { fault }),
  };
}

/** Whether two pictures of a label look alike and say the same of themselves: then nothing is sent (battery). */
export const looksAlike = (one: EslImage, other: EslImage): boolean =>
  one.fault?.reason === other.fault?.reason &&
  one.fault?.detail === other.fault?.detail &&
  one.pages.length === other.pages.length &&
  one.pages.every(({ page, image }, place) => page === other.pages[place]?.page && image === other.pages[place]?.image);
