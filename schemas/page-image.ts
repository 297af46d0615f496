import { type Static, Type } from "typebox";
import { Color } from "./label-type.ts";
import { Stamp } from "./stamp.ts";

const Page = Type.Integer({ minimum: 0, maximum: 127 });

/** An uploaded image of a page, converted for labels of one size and palette. */
const ItemPageImage = Type.Object({
  page: Page,
  width: Type.Integer(),
  height: Type.Integer(),
  colors: Type.Array(Color),
  /** SHA-256 of the pixels; the image file's name. */
  image: Type.String(),
  stamp: Stamp,
});
export type ItemPageImage = Static<typeof ItemPageImage>;

/** How an upload is resized to a label: not at all, preserving its aspect ratio, or stretched. */
export const Resize = Type.Unsafe<0 | 1 | 2>({
  type: "integer",
  minimum: 0,
  maximum: 2,
  default: 0,
  description: "0 NO_RESIZE (default), 1 MAINTAIN_ASPECT_RATIO, 2 FORCED_FIT",
});
export type Resize = Static<typeof Resize>;

/** The upload from which a page's images are drawn, kept for labels of other sizes that will show the item later. */
const PageSource = Type.Object({
  page: Page,
  /** SHA-256 of the uploaded file, which is stored as long as a source refers to it. */
  upload: Type.String(),
  resize: Resize,
  width: Type.Integer(),
  height: Type.Integer(),
  stamp: Stamp,
  /** The sizes that could not be drawn, and why: they are not retried. */
  failed: Type.Optional(
    Type.Array(
      Type.Object({
        width: Type.Integer(),
        height: Type.Integer(),
        colors: Type.Array(Color),
        reason: Type.String(),
      }),
    ),
  ),
});
export type PageSource = Static<typeof PageSource>;

/** pageimage.v1: the page images of an item. */
export const ItemPages = Type.Object({
  itemId: Type.String(),
  images: Type.Array(ItemPageImage),
  /** Absent from records of earlier releases, whose uploads are no longer stored. */
  sources: Type.Optional(Type.Array(PageSource)),
  /** Pages whose images were removed, with the stamp: an image with a smaller stamp is not shown again. */
  removed: Type.Array(Type.Object({ page: Page, stamp: Stamp })),
  /** Stamp of the last deletion of the item. */
  floor: Type.Optional(Stamp),
});
export type ItemPages = Static<typeof ItemPages>;

/**
 * The item whose page images a label shows: the one item that all of its active links show. A label with several items
 * shows no page images (docs/integrators/items.md#images-of-pages).
 */
export function itemWithPages(items: readonly string[]): string | undefined {
  const [item] = items;
  return items.every((other) => other === item) ? item : undefined;
}

/** The journal's row for the upload of a page image. */
export interface PageRow {
  itemId: string;
  page: number;
  resize: Resize;
  /** SHA-256 of the uploaded file. */
  upload: string;
  /** Number of pixels in the upload. */
  pixels: number;
}

/** The journal's row for the drawing of an upload. */
export interface PageDrawing extends PageRow {
  /** Stamp of the upload's row: images and deletions with a larger stamp take precedence. */
  stamp: number;
  /** Whether the upload created its item. */
  isNewItem: boolean;
}
