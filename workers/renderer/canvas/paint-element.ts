import type { Element, ImageElement } from "../../../schemas/canvas.ts";
import type { Turn } from "../../../schemas/canvas-parts.ts";
import type { PriceElement, TextElement } from "../../../schemas/canvas-texts.ts";
import type { LabelType } from "../../../schemas/tenant.ts";
import { spendBudget } from "../../evaluator/expression/meter.ts";
import { CodeError } from "../codes/code-error.ts";
import { type CodeElement, drawCode } from "../codes/draw-code.ts";
import { type Area, clip, copyOf, type Framebuffer } from "../pixels/framebuffer.ts";
import type { Bitmap } from "../pixels/map-image.ts";
import { drawTextWithRuns } from "../runs/draw-runs.ts";
import { drawPrice, type FittedPrice } from "../text/draw-price.ts";
import { drawText } from "../text/draw-text.ts";
import { DrawingError } from "../text/drawing-error.ts";
import { quoted } from "../text/quoted.ts";
import { drawArc, drawEllipse } from "./draw-curves.ts";
import { drawImage } from "./draw-image.ts";
import { drawPolygon } from "./draw-polygon.ts";
import { drawBox, drawStroke } from "./draw-shapes.ts";
import type { NamedFont } from "./faces.ts";
import type { FilledElement } from "./fill-canvas.ts";
import { inkOn } from "./ink.ts";
import { paintingSteps } from "./painting-steps.ts";
import { belowShare, frameMargin, type SellingPrice } from "./price-share.ts";
import { openTurnedView } from "./turned-view.ts";

/** The facts with which a picture is painted, beside the design and a link's values. */
export interface PaintingFacts {
  labelType: Pick<LabelType, "type" | "width" | "height" | "colors">;
  store: { locale: string; currency: string };
  /** The tenant's images that the design shows, by the names that it has for them. */
  images: ReadonlyMap<string, NamedImage>;
  /** The tenant's fonts that the design names; absent where it names none. */
  fonts?: ReadonlyMap<string, NamedFont>;
}

/** An image that a design names: decoded, or with the reason why it cannot be. It is neither where it was deleted. */
export interface NamedImage {
  /** Full key of the file that it was decoded from. */
  file?: string;
  bitmap?: Bitmap | undefined;
  fault?: string;
}

/** Whether a later element may be drawn over an earlier one. */
export function overlap(earlier: Element, later: Element): boolean {
  const margin = marginOf(later);
  return (
    later.x - margin < earlier.x + earlier.width &&
    earlier.x < later.x + later.width + margin &&
    later.y - margin < earlier.y + earlier.height &&
    earlier.y < later.y + later.height + margin
  );
}

/** How far an element may be drawn beyond its area, in pixels. */
function marginOf(element: Element): number {
  if (element.kind === "line" || element.kind === "polygon") return element.thickness ?? 1;
  if (element.kind !== "text") return 0;
  return Math.max(element.size, ...(element.runs ?? []).map(({ size = 0 }) => size));
}

/** A picture that is being painted, with what is to be told of it. */
export interface Painting {
  facts: PaintingFacts;
  picture: Framebuffer;
  errors: string[];
  warnings: string[];
  /** Checks of the finished picture, for elements that a later element may cover. */
  checks: (() => void)[];
  /** Set where an element is a share of it. */
  sellingPrice: SellingPrice | undefined;
}

/** Paints an element over those before it; a turned one is painted upright on a turned copy of what is behind it. */
export function paintElement(painting: Painting, filled: FilledElement, mayBeCovered: boolean): void {
  const { element, text } = filled;
  const { rotate = 0 } = element;
  spendBudget(paintingSteps(element, text, painting.picture));
  if (rotate === 0) paintUpright(painting, filled, mayBeCovered);
  else paintTurned(painting, filled, rotate, mayBeCovered);
}

function paintTurned(painting: Painting, filled: FilledElement, rotate: Turn, mayBeCovered: boolean): void {
  const { element } = filled;
  const view = openTurnedView(painting.picture, element, marginOf(element), rotate);
  const checks: Painting["checks"] = [];
  const turned = { ...filled, element: { ...element, ...view.area } };
  paintUpright({ ...painting, picture: view.picture, checks }, turned, mayBeCovered);
  view.putBack();
  for (const check of checks) {
    painting.checks.push(() => {
      view.refresh();
      check();
    });
  }
}

function paintUpright(painting: Painting, filled: FilledElement, mayBeCovered: boolean): void {
  const { picture, sellingPrice } = painting;
  const { element, text, parts } = filled;
  switch (element.kind) {
    case "box":
      drawBox(picture, element, element);
      break;
    case "line":
      drawStroke(picture, element);
      break;
    case "ellipse":
      drawEllipse(picture, element);
      break;
    case "polygon":
      drawPolygon(picture, element);
      break;
    case "arc":
      drawArc(picture, element);
      break;
    case "image":
      paintImage(painting, element, text);
      break;
    case "text":
      paintText(painting, insideOf(element, text, picture), text, parts);
      break;
    case "price":
      paintPrice(painting, insideOf(element, text, picture), text, mayBeCovered, sellingPrice?.fitted.get(filled));
      break;
    default:
      paintCode(painting, element, text, mayBeCovered);
  }
}

function paintImage({ picture, errors, facts }: Painting, element: ImageElement, name: string): void {
  const { bitmap, fault } = facts.images.get(name) ?? {};
  const seen = clip(element, picture);
  if (bitmap === undefined) {
    errors.push(`the image ${quoted(name)} ${fault === undefined ? "is not there" : `is left out: ${fault}`}`);
  } else if (seen.width * seen.height > 0) drawImage(picture, element, bitmap);
}

function paintText(
  { facts, picture, warnings, sellingPrice }: Painting,
  element: TextElement,
  text: string,
  parts?: readonly string[],
): void {
  const { inside, drawFrame } = framed(picture, element);
  const { color, warnings: hardToRead } = inkOn(picture, element, text);
  const { locale } = facts.store;
  const drawn = parts
    ? drawTextWithRuns(picture, inside, parts, color, locale, drawFrame)
    : drawText(picture, inside, text, color, locale, drawFrame);
  const whole = parts?.join("") ?? text;
  warnings.push(...drawn.warnings, ...hardToRead, ...belowShare(element, whole, drawn.size, sellingPrice));
}

/** What a text's box leaves of the element, and what draws the box around the text that is about to be drawn. */
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

function paintPrice(
  { facts, picture, warnings, checks, sellingPrice }: Painting,
  element: PriceElement,
  text: string,
  check: boolean,
  known: FittedPrice | undefined,
) {
  const { inside, drawFrame } = framed(picture, element);
  const ink = inkOn(picture, element, text);
  const drawn = drawPrice(picture, inside, text, facts.store, ink.color, drawFrame, known);
  warnings.push(...drawn.warnings, ...ink.warnings, ...belowShare(element, text, drawn.size, sellingPrice));
  if (!check) return;
  checks.push(() => {
    if (!drawn.isWhole()) throw new DrawingError(`the price ${quoted(text)} is covered by a later element`);
  });
}

/** A code that is invalid or has no room is left out and reported: the price beside it is still right. */
function paintCode({ picture, errors, checks }: Painting, element: CodeElement, text: string, check: boolean): void {
  const covered = tryToDraw();
  if (covered === undefined || !check) return;
  const drawn = copyOf(picture, covered);
  checks.push(() => {
    if (Buffer.compare(drawn, copyOf(picture, covered)) === 0) return;
    errors.push(`the code ${quoted(text)} is covered by a later element: it may not scan`);
  });

  function tryToDraw(): Area | undefined {
    try {
      return drawCode(picture, insideOf(element, text, picture), text);
    } catch (error) {
      if (error instanceof CodeError) errors.push(`${quoted(text)} ${error.message}`);
      else if (error instanceof DrawingError) errors.push(error.message);
      else throw error;
      return undefined;
    }
  }
}

/**
 * Clips an element's area to the label; its content must fit into the rest as a whole. Throws DrawingError where the
 * area is outside the label.
 */
function insideOf<E extends Element>(element: E, text: string, { width, height }: Framebuffer): E {
  const inside = clip(element, { width, height });
  if (inside.width === 0 || inside.height === 0) throw new DrawingError(`${quoted(text)} lies outside of the label`);
  return { ...element, ...inside };
}
