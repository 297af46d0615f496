import { isDeepStrictEqual } from "node:util";
import type { DrawingFault, EslImage, PageImage, RenderedImage } from "../../schemas/image.ts";
import type { ItemPages } from "../../schemas/page-image.ts";
import type { LabelType } from "../../schemas/tenant.ts";

/** What a label is composed of. */
export interface LabelImages {
  /** The pictures of its links, in order of display positions. */
  drawn: readonly RenderedImage[];
  /** The uploaded images of the one item that the label shows, and the rev of their record. */
  uploaded?: { rev: number; pages: readonly PageImage[] };
}

/** The pictures of several positions laid over each other: what a label shows that shows several items. */
export interface Composed {
  image: string;
  fault?: DrawingFault;
}

/** The positions that draw something. An empty one, and one with a fault, leave the label bare. */
export const drawingPictures = (drawn: readonly RenderedImage[]): RenderedImage[] =>
  drawn.filter(({ empty, fault }) => !empty && fault === undefined);

/**
 * A label's pages: what is drawn on page 0, and what was uploaded. An uploaded image replaces what is drawn on its page
 * (decisions, page image), with its fault: the label shows what it should. `composed` is given where several positions
 * draw; of a segment label, which has one text, the first is shown.
 */
export function mergeImages({ drawn, uploaded }: LabelImages, composed?: Composed): EslImage {
  const pages = uploaded?.pages ?? [];
  const replaces = pages.some(({ page }) => page === 0);
  const fault = replaces ? undefined : (drawn.find((image) => image.fault)?.fault ?? composed?.fault);
  const own = drawingPictures(drawn)[0] ?? drawn[0];
  const first =
    replaces || own === undefined
      ? []
      : [{ page: 0, image: composed?.image ?? own.image, ...(own.text !== undefined && { text: own.text }) }];
  return {
    pages: [...first, ...pages],
    shows: drawn
      .filter(({ empty }) => !empty)
      .map(({ shows }) => (uploaded ? { ...shows, pagesRev: uploaded.rev } : shows)),
    ...(fault && { fault }),
  };
}

/** The images of an item that a label of this type shows, in order of pages: those of its size and its colours. */
export const pagesFor = ({ images }: Pick<ItemPages, "images">, type: LabelType): PageImage[] =>
  images
    .filter(({ page, width, height, colors }) => {
      const fits = width === type.width && height === type.height && isDeepStrictEqual(colors, type.colors);
      return fits && page < type.pages && type.display === "matrix";
    })
    .map(({ page, image }) => ({ page, image }))
    .sort((one, other) => one.page - other.page);

/** Whether two pictures of a label look alike and say the same of themselves: then nothing is sent (battery). */
export const looksAlike = (one: EslImage, other: EslImage): boolean =>
  one.fault?.reason === other.fault?.reason &&
  one.fault?.detail === other.fault?.detail &&
  one.pages.length === other.pages.length &&
  one.pages.every(({ page, image }, index) => page === other.pages[index]?.page && image === other.pages[index]?.image);
