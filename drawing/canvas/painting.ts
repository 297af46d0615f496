import type { DrawingNotice } from "../../schemas/drawing-notice.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { HoldingPrice } from "../checks/crossing-lines.ts";
import type { Framebuffer } from "../pixels/framebuffer.ts";
import type { Bitmap } from "../pixels/map-image.ts";
import type { NamedFont } from "./faces.ts";
import type { FilledElement } from "./place.ts";
import type { SellingPrice } from "./price-share.ts";

/** A picture that is being painted, with its errors and warnings. */
export interface Painting {
  facts: PaintingFacts;
  picture: Framebuffer;
  errors: DrawingNotice[];
  warnings: DrawingNotice[];
  /** Checks of the finished picture, for elements that a later element may cover. */
  checks: (() => void)[];
  /** The elements that may be drawn over the present one: those after it whose areas overlap its own. */
  later: readonly FilledElement[];
  /** Prices that hold, which no line should go through. */
  prices: HoldingPrice[];
  /** Set if an element is a share of it. */
  sellingPrice: SellingPrice | undefined;
  /** Reports how the letters of the present element fit, if it is inspected. */
  noteFit?: (fit: LetterFit) => void;
}

/** How the letters of an element fit its area. */
export interface LetterFit {
  /** At which they are drawn, in pixels. */
  size?: number;
  lines?: number;
}

/** The facts with which a picture is painted, in addition to the design and a link's values. */
export interface PaintingFacts {
  labelType: Pick<LabelType, "type" | "width" | "height" | "colors">;
  store: { locale: string; currency: string };
  /** The tenant's images that the design shows, by the names that it has for them. */
  images: ReadonlyMap<string, NamedImage>;
  /** The tenant's fonts that the design uses; absent if it uses none. */
  fonts?: ReadonlyMap<string, NamedFont>;
}

/** An image that a design uses: decoded, or with the reason why it cannot be. It is neither if it was deleted. */
export interface NamedImage {
  /** Full key of the file that it was decoded from. */
  file?: string;
  bitmap?: Bitmap | undefined;
  fault?: string;
}
