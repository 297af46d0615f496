import { spendBudget } from "../../domain/expression/meter.ts";
import { isSideways } from "../../schemas/canvas-parts.ts";
import type { PriceElement, TextElement } from "../../schemas/canvas-texts.ts";
import { measureTextWithRuns } from "../runs/draw-runs.ts";
import { measureText } from "../text/draw-text.ts";
import { DrawingError } from "../text/drawing-error.ts";
import { fitPrice, tidyPrice } from "../text/prices/fit-price.ts";
import { paintingSteps } from "./painting-steps.ts";
import { type FilledElement, type FilledPart, type Measured, placeParts } from "./place.ts";
import { frameMargin } from "./price-share.ts";

type Store = Parameters<typeof fitPrice>[2];

/**
 * Places a layout's elements again, now that content can be measured: in a stack that flows by content, each element takes only
 * the space that its text or price fills. `styled` are the elements as they will be drawn, with their faces and sizes.
 */
export function flowByContent(
  parts: readonly FilledPart[],
  styled: readonly FilledElement[],
  store: Store,
): FilledElement[] {
  const byIndex = new Map(styled.map((filled) => [filled.index, filled]));
  const restyled = (part: FilledPart): FilledPart => {
    if ("group" in part) return { ...part, parts: part.parts.map(restyled) };
    const { x, y, width, height, rotate = 0 } = part.element;
    const own = byIndex.get(part.index) ?? part;
    return { ...own, element: { ...own.element, x, y, width, height, rotate } };
  };
  return placeParts(parts.map(restyled), (filled) => contentOf(filled, store)).flatMap(({ elements }) => elements);
}

/**
 * Returns the width and height that a text or price element fills in its area. Undefined for other elements, or if the content
 * does not fit.
 */
function contentOf({ element, text, parts }: FilledElement, store: Store): Measured | undefined {
  if (element.kind !== "text" && element.kind !== "price") return undefined;
  const margin = 2 * frameMargin(element);
  const [width, height] = isSideways(element.rotate)
    ? [element.height, element.width]
    : [element.width, element.height];
  const upright = { ...element, width: width - margin, height: height - margin };
  const inner = upright.kind === "text" ? textSize(upright, text, parts, store) : priceSize(upright, text, store);
  if (inner === undefined) return undefined;
  const [across, down] = [pixels(inner.width) + margin, pixels(inner.height) + margin];
  return isSideways(element.rotate) ? { width: down, height: across } : { width: across, height: down };
}

/** Rounds up to whole pixels, so that the text still fits despite rounding errors in the sum. */
const pixels = (extent: number): number => Math.ceil(extent + 0.01);

const textSize = (element: TextElement, text: string, parts: readonly string[] | undefined, { locale }: Store) =>
  parts ? measureTextWithRuns(element, parts, locale) : measureText(element, text, locale);

function priceSize(element: PriceElement, text: string, store: Store): Measured | undefined {
  spendBudget(paintingSteps(element, text, element));
  try {
    const { layout, box, above, below } = fitPrice(tidyPrice(text), element, store);
    return { width: Math.max(layout.width, box.right - box.left), height: above + below };
  } catch (error) {
    // If the price does not fit, painting reports the fault.
    if (error instanceof DrawingError) return undefined;
    throw error;
  }
}
