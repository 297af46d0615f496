import {
  areSamePages,
  type DrawingFault,
  type EslImage,
  type PageImage,
  type RenderedImage,
} from "../../schemas/image.ts";
import type { PageSizeOrder } from "../../schemas/jobs.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { ItemPages } from "../../schemas/page-image.ts";
import { showsPage } from "../items/page-sizes.ts";
import { isSameSize } from "../items/page-sources.ts";

/** The inputs of a label's picture. */
export interface LabelImages {
  /** The pictures of the label's links, by display position. */
  drawn: readonly RenderedImage[];
  /** The uploaded images of the single item that the label shows, and the rev of their record. */
  uploaded?: { rev: number; pages: readonly PageImage[] };
  /** Pages of that item that are still to be drawn at the label's size. */
  missing?: readonly MissingSize[];
}

/** A picture to order from the pages worker. */
export type MissingSize = Omit<PageSizeOrder, "urgency">;

/** Whether an uploaded image replaces the picture drawn from the links. */
export const replacesDrawn = ({ uploaded }: LabelImages): boolean =>
  uploaded?.pages.some(({ page }) => page === 0) ?? false;

/** The composed picture of several positions. */
export interface Composed {
  image: string;
  fault?: DrawingFault;
  /** The links whose pictures are missing. */
  leftOut?: readonly string[];
}

/** Returns the pictures that draw something. A picture that is empty or has a fault leaves the label blank. */
export const drawingPictures = (drawn: readonly RenderedImage[]): RenderedImage[] =>
  drawn.filter(({ empty, fault }) => !empty && fault === undefined);

/**
 * Returns the pages of a label: the drawn picture on page 0, and the uploaded images. An uploaded image replaces its page's
 * drawn picture and fault (docs/integrators/items.md#images-of-pages). `composed` is set if several positions are drawn. A
 * segment label shows only the text of the first position.
 */
export function mergeImages(images: LabelImages, composed?: Composed): EslImage {
  const { drawn, uploaded } = images;
  const pages = uploaded?.pages ?? [];
  const replaces = replacesDrawn(images);
  const fault = replaces ? undefined : (drawn.find((image) => image.fault)?.fault ?? composed?.fault);
  const drawing = drawingPictures(drawn)[0] ?? drawn[0];
  const first =
    replaces || drawing === undefined
      ? []
      : [
          {
            page: 0,
            image: composed?.image ?? drawing.image,
            ...(drawing.text !== undefined && { text: drawing.text }),
          },
        ];
  const shown = drawn.filter(({ empty }) => !empty);
  const chosen = shown.filter(({ isChosen }) => isChosen).map(({ shows }) => shows.link);
  return {
    pages: [...first, ...pages],
    shows: shown.map(({ shows, fault }) => ({
      ...shows,
      ...(uploaded && { pagesRev: uploaded.rev }),
      ...((fault || composed?.leftOut?.includes(shows.link)) && { leftOut: true as const }),
    })),
    ...(chosen.length > 0 && !replaces && { chosen }),
    ...(fault && { fault }),
  };
}

/** Returns the images of an item that a label of this type shows, by page: the images with the label's size and palette. */
export const pagesFor = ({ images }: Pick<ItemPages, "images">, type: LabelType): PageImage[] =>
  images
    .filter((image) => isSameSize(image, type) && showsPage(type, image.page))
    .map(({ page, image }) => ({ page, image, uploaded: true as const }))
    .sort((a, b) => a.page - b.page);

/** Whether two records of a label have the same pages and fault. If so, nothing is sent, which saves battery. */
export const looksAlike = (a: EslImage, b: EslImage): boolean =>
  a.fault?.reason === b.fault?.reason && a.fault?.detail === b.fault?.detail && areSamePages(a.pages, b.pages);
