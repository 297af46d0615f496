import type { DrawingNotice } from "../../schemas/drawing-notice.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { HoldingPrice } from "../checks/crossing-lines.ts";
import type { Bitmap } from "../pixels/dither-image.ts";
import type { Framebuffer } from "../pixels/framebuffer.ts";
import type { NamedFont } from "./faces.ts";
import type { FilledElement } from "./place.ts";
import type { SellingPrice } from "./price-share.ts";

/** A picture that is being painted, with its errors and warnings. */
export interface Painting {
  facts: PaintingFacts;
  picture: Framebuffer;
  errors: DrawingNotice[];
  warnings: DrawingNotice[];
  /** Checks to run on the finished picture, for elements that a later element may cover. */
  checks: (() => void)[];
  /** Elements that may be drawn over the current one: later elements whose areas overlap its area. */
  later: readonly FilledElement[];
  /** Prices that are not struck through: no line should cross them. */
  prices: HoldingPrice[];
  /** The selling price, if an element's size is relative to it. */
  sellingPrice: SellingPrice | undefined;
  /** Reports how the letters of the current element fit, if it is inspected. */
  noteFit?: (fit: LetterFit) => void;
}

/** How the letters of an element fit its area. */
export interface LetterFit {
  /** The size at which the letters are drawn, in pixels. */
  size?: number;
  lines?: number;
}

/** The facts needed to paint a picture, in addition to the design and a link's values. */
export interface PaintingFacts {
  labelType: Pick<LabelType, "type" | "width" | "height" | "colors">;
  store: { locale: string; currency: string };
  /** The tenant's images that the design shows, by their names in the design. */
  images: ReadonlyMap<string, NamedImage>;
  /** The tenant's fonts that the design uses. Absent if it uses none. */
  fonts?: ReadonlyMap<string, NamedFont>;
}

/**
 * An image that a design uses: decoded, or with the reason why it cannot be decoded. Neither is set if the image was deleted.
 */
export interface NamedImage {
  /** Full key of the file from which the image was decoded. */
  file?: string;
  bitmap?: Bitmap | undefined;
  fault?: string;
}
