import { spendBudget } from "../../domain/expression/meter.ts";
import type { Element } from "../../schemas/canvas.ts";
import { isSideways } from "../../schemas/canvas-parts.ts";
import type { PriceElement, TextElement } from "../../schemas/canvas-texts.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { type Area, clip, type Framebuffer } from "../pixels/framebuffer.ts";
import { type FittedPrice, fitPrice, tidyPrice } from "../text/prices/fit-price.ts";
import { shortened } from "../text/shortened.ts";
import { paintingSteps } from "./painting-steps.ts";
import type { FilledElement } from "./place.ts";

/** Pixels between text and the box around it. */
const PADDING = 2;

/** Returns how many pixels the box around an element's text (its padding and stroke) adds on each side. */
export const frameMargin = ({ box }: TextElement | PriceElement): number =>
  box === undefined ? 0 : (box.padding ?? PADDING) + (box.stroke ? (box.thickness ?? 1) : 0);

/** The selling price of a filled layout. Other sizes are relative to its size. */
export interface SellingPrice {
  text: string;
  /** The size at which the price will be drawn, in pixels. */
  size: number;
  /** How each compared price fits. Kept so that a price is not fitted again when it is drawn. */
  fitted: ReadonlyMap<FilledElement, FittedPrice>;
}

/**
 * Returns the largest price that is neither struck through nor sized relative to another price. Undefined if no element's size is
 * relative to it, or if there is no such price. Throws DrawingError if a price does not fit.
 */
export function sellingPriceOf(
  elements: readonly FilledElement[],
  picture: Framebuffer,
  store: { locale: string; currency: string },
): SellingPrice | undefined {
  if (!elements.some(({ element }) => isShare(element))) return undefined;
  const fitted = new Map<FilledElement, FittedPrice>();
  let largest: SellingPrice | undefined;
  for (const filled of elements) {
    const { element, text } = filled;
    if (element.kind !== "price" || element.struck || isShare(element)) continue;
    spendBudget(paintingSteps(element, text, picture));
    const found = fitPrice(tidyPrice(text), { ...element, ...roomOf(element, picture) }, store);
    fitted.set(filled, found);
    if (found.layout.size > (largest?.size ?? 0)) largest = { text, size: found.layout.size, fitted };
  }
  return largest;
}

const isShare = (element: Element): boolean =>
  (element.kind === "text" || element.kind === "price") && element.minimumPercentOfPrice !== undefined;

/** Returns the element with its size relative to the selling price. If it does not fit at that size, it is drawn smaller. */
export function inShare(filled: FilledElement, price: SellingPrice | undefined): FilledElement {
  const { element } = filled;
  if (price === undefined || (element.kind !== "text" && element.kind !== "price")) return filled;
  const size = leastSize(element, price);
  if (element.size >= size) return filled;
  if (element.kind === "price" || element.runs === undefined) return { ...filled, element: { ...element, size } };
  // Runs keep their relative sizes.
  const runs = element.runs.map((run) => ({ ...run, ...(run.size && { size: (run.size * size) / element.size }) }));
  return { ...filled, element: { ...element, size, runs } };
}

/** Returns warnings for an element that is drawn smaller than its share of the selling price. */
export function belowShare(
  element: TextElement | PriceElement,
  text: string,
  size: number | undefined,
  price: SellingPrice | undefined,
): DrawingNotice[] {
  if (price === undefined || size === undefined || size >= leastSize(element, price)) return [];
  const { minimumPercentOfPrice: percent = 0 } = element;
  const share = { percent, price: shortened(price.text), priceSize: price.size };
  return [notice("BELOW_SHARE", { text: shortened(text), size, ...share })];
}

/** Returns the minimum size in whole pixels. */
const leastSize = ({ minimumPercentOfPrice = 0 }: TextElement | PriceElement, { size }: SellingPrice): number =>
  Math.ceil((size * minimumPercentOfPrice) / 100);

/** Returns the width and height for the price itself, in reading direction. */
function roomOf(element: PriceElement, picture: Framebuffer): Pick<Area, "width" | "height"> {
  const seen = clip(element, picture);
  const [width, height] = isSideways(element.rotate) ? [seen.height, seen.width] : [seen.width, seen.height];
  const margin = 2 * frameMargin(element);
  return { width: width - margin, height: height - margin };
}
