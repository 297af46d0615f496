import { type Static, Type } from "typebox";
import { Stamp } from "./stamp.ts";
import { Color } from "./tenant.ts";

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

/** pageimage.v1: the page images of an item. */
export const ItemPages = Type.Object({
  itemId: Type.String(),
  images: Type.Array(ItemPageImage),
  /** Pages whose images were removed, with the stamp: an image with a smaller stamp is not shown again. */
  removed: Type.Array(Type.Object({ page: Page, stamp: Stamp })),
  /** Stamp of the last deletion of the item. */
  floor: Type.Optional(Stamp),
});
export type ItemPages = Static<typeof ItemPages>;

/** How an upload is resized to a label: not at all, keeping its aspect ratio, or stretched. */
export const Resize = Type.Unsafe<0 | 1 | 2>({
  type: "integer",
  minimum: 0,
  maximum: 2,
  default: 0,
  description: "0 NO_RESIZE (default), 1 MAINTAIN_ASPECT_RATIO, 2 FORCED_FIT",
});
export type Resize = Static<typeof Resize>;

/** A row of an upload of a page image, in the journal. */
export interface PageRow {
  itemId: string;
  page: number;
  resize: Resize;
  /** SHA-256 of the uploaded file. */
  upload: string;
  /** How many pixels the upload has. */
  pixels: number;
}

/** A row of the drawing of an upload, in the journal. */
export interface PageDrawing extends PageRow {
  /** Stamp of the upload's row: an image or a deletion with a larger one stays. */
  stamp: number;
  /** Whether the upload made its item. */
  isNewItem: boolean;
}
