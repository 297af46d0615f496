import type { Element } from "../../schemas/canvas.ts";
import type { PriceElement, TextElement } from "../../schemas/canvas-texts.ts";
import { notice } from "../../schemas/drawing-notice.ts";
import { watchOwnColor } from "../checks/cover.ts";
import { type Area, clip, type Framebuffer } from "../pixels/framebuffer.ts";
import { drawTextWithRuns } from "../runs/draw-runs.ts";
import { drawBox } from "../shapes/draw-shapes.ts";
import { inkAreaOf, isStillShown } from "../text/draw-characters.ts";
import { drawText } from "../text/draw-text.ts";
import { DrawingError } from "../text/drawing-error.ts";
import { drawPrice } from "../text/prices/draw-price.ts";
import type { FittedPrice } from "../text/prices/fit-price.ts";
import { shortened } from "../text/shortened.ts";
import { notForLegalUnit } from "../values/unit-price.ts";
import { inkOn } from "./ink.ts";
import type { Painting } from "./painting.ts";
import type { FilledElement } from "./place.ts";
import { belowShare, frameMargin } from "./price-share.ts";

/**
 * Paints text. Unless it must be whole, text that does not fit is left out and reported, since the rest of the label is correct
 * without it.
 */
export function paintText(
  painting: Painting,
  element: TextElement,
  text: string,
  mayBeCovered: boolean,
  parts?: readonly string[],
): void {
  const { picture, errors } = painting;
  try {
    drawTextOf(painting, insideOf(element, text, picture), text, mayBeCovered, parts);
  } catch (error) {
    if (element.whole || !(error instanceof DrawingError)) throw error;
    errors.push(notice("LEFT_OUT", { reason: error.notice }));
  }
}

function drawTextOf(
  { facts, picture, warnings, checks, sellingPrice, noteFit }: Painting,
  element: TextElement,
  text: string,
  mayBeCovered: boolean,
  parts: readonly string[] | undefined,
): void {
  const { inside, drawFrame } = framed(picture, element);
  const ink = inkOn(picture, element, text);
  const { locale } = facts.store;
  const drawn = parts
    ? drawTextWithRuns(picture, inside, parts, ink, locale, drawFrame)
    : drawText(picture, inside, text, ink, locale, drawFrame);
  noteFit?.(drawn);
  const whole = parts?.join("") ?? text;
  warnings.push(...drawn.warnings, ...ink.warnings, ...belowShare(element, whole, drawn.size, sellingPrice));
  warnings.push(...notForLegalUnit(whole));
  const { inked } = drawn;
  if (inked === undefined || !mayBeCovered) return;
  const isUnread = watchOwnColor(picture, inkAreaOf(inked), ink.color);
  checks.push(() => {
    if (isUnread() || !isStillShown(picture, inked)) warnings.push(notice("TEXT_COVERED", { text: shortened(whole) }));
  });
}

/** Returns the part of the element inside a text's box, and a function that draws the box around the text. */
function framed<E extends TextElement | PriceElement>(picture: Framebuffer, element: E) {
  const { box } = element;
  if (box === undefined) return { inside: element };
  const margin = frameMargin(element);
  const [width, height] = [element.width - 2 * margin, element.height - 2 * margin];
  const inside = { ...element, x: element.x + margin, y: element.y + margin, width, height };
  return { inside, drawFrame: (area: Area) => drawBox(picture, widened(area, margin), box) };
}

const widened = ({ x, y, width, height }: Area, margin: number): Area => ({
  x: x - margin,
  y: y - margin,
  width: width + 2 * margin,
  height: height + 2 * margin,
});

/** Paints a price. Throws DrawingError if any part of it would be hidden. */
export function paintPrice(
  { facts, picture, warnings, checks, later, prices, sellingPrice, noteFit }: Painting,
  given: PriceElement,
  text: string,
  check: boolean,
  known: FittedPrice | undefined,
) {
  const element = insideOf(given, text, picture);
  const { inside, drawFrame } = framed(picture, element);
  const ink = inkOn(picture, element, text);
  const drawn = drawPrice(picture, inside, text, facts.store, ink, drawFrame, known);
  warnings.push(...drawn.warnings, ...ink.warnings, ...belowShare(element, text, drawn.size, sellingPrice));
  noteFit?.({ size: drawn.size, lines: 1 });
  if (!element.struck) prices.push({ text, digits: drawn.digits });
  if (!check) return;
  const isUnread = watchOwnColor(picture, drawn.digits, ink.color);
  checks.push(() => {
    if (isUnread()) warnings.push(notice("PRICE_COVERED_UNSEEN", { text: shortened(text) }));
    if (!drawn.isWhole())
      throw new DrawingError(notice("PRICE_COVERED", { text: shortened(text), by: coverOf(drawn.digits, later) }));
  });
}

const PAPER_KINDS: ReadonlySet<string> = new Set(["text", "line", "arc"]);

/** Names the element that covers digits, preferably an element that fills an area rather than a text or a line. */
function coverOf(digits: Area, later: readonly FilledElement[]): string {
  const over = later.filter(({ element: { x, y, width, height } }) => {
    const isBeside = x >= digits.x + digits.width || digits.x >= x + width;
    return !isBeside && y < digits.y + digits.height && digits.y < y + height;
  });
  const cover = over.find(({ element }) => !PAPER_KINDS.has(element.kind)) ?? over[0] ?? later[0];
  return cover ? ` (${cover.element.kind} at ${cover.pointer})` : "";
}

/**
 * Clips an element's area to the label. The element's content must fit completely into what remains. Throws DrawingError if
 * the area is outside the label.
 */
export function insideOf<E extends Element>(element: E, text: string, { width, height }: Framebuffer): E {
  const inside = clip(element, { width, height });
  if (inside.width === 0 || inside.height === 0) throw new DrawingError(notice("OUTSIDE", { text: shortened(text) }));
  return { ...element, ...inside };
}
