import type { Element, ImageElement, PriceElement, TextElement } from "../../../schemas/canvas.ts";
import type { LabelType } from "../../../schemas/tenant.ts";
import type { Variables } from "../../evaluator/expression/expression.ts";
import { spendBudget, withBudget } from "../../evaluator/expression/meter.ts";
import { CodeError } from "../codes/code-error.ts";
import { type CodeElement, drawCode } from "../codes/draw-code.ts";
import { blankPicture } from "../pixels/blank-picture.ts";
import { colorIndex } from "../pixels/colors.ts";
import { type Area, copyOf, type Framebuffer } from "../pixels/framebuffer.ts";
import type { Bitmap } from "../pixels/map-image.ts";
import { drawPrice } from "../text/draw-price.ts";
import { drawText } from "../text/draw-text.ts";
import { DrawingError } from "../text/drawing-error.ts";
import { quoted } from "../text/quoted.ts";
import { type CompiledCanvas, type CompiledLayout, layoutFor } from "./compile-canvas.ts";
import { drawBox, drawImage, drawStroke } from "./draw-shapes.ts";
import { type FilledElement, type FilledLayout, fillLayout } from "./fill-canvas.ts";
import { PAINTING_STEPS, paintingSteps } from "./painting-steps.ts";

/** The facts with which a picture is painted, beside the design and a link's values. */
export interface PaintingFacts {
  labelType: Pick<LabelType, "type" | "width" | "height" | "colors">;
  store: { locale: string; currency: string };
  /** The tenant's images that the design names, fitted to their areas, by `imageId`. */
  images: ReadonlyMap<string, Bitmap>;
}

/** The facts from which a picture is drawn, beside the design. */
export interface DrawingFacts extends PaintingFacts {
  variables: Variables;
}

export interface Drawing {
  picture: Framebuffer;
  /** Elements that were left out because they are invalid, such as a code with a wrong check digit. */
  errors: string[];
  /** Elements that are shown otherwise than the design or the item says. */
  warnings: string[];
}

/** Maximum number of errors, and of warnings, of a picture: each record stores them. */
const MAX_REPORTED = 20;

/** Identifies an image at the size of an element. */
export const imageId = ({ image, width, height }: Pick<ImageElement, "image" | "width" | "height">): string =>
  `${image}/${width}x${height}`;

/** Draws a design with a link's values. Throws DrawingError where the picture would be wrong. */
export function draw(canvas: CompiledCanvas, facts: DrawingFacts): Drawing {
  const layout = layoutOf(canvas, facts.labelType);
  return paint(layout, fillLayout(layout, facts.variables), facts);
}

/** The layout of a design for a label. Throws DrawingError where the design has none. */
export function layoutOf(canvas: CompiledCanvas, labelType: PaintingFacts["labelType"]): CompiledLayout {
  const layout = layoutFor(canvas, labelType);
  if (layout) return layout;
  const sizes = new Set(canvas.layouts.map(({ width, height }) => `${width} x ${height}`));
  throw new DrawingError(
    `the design is ${[...sizes].join(", ")} pixels, the label ${labelType.type} is ${labelType.width} x ${labelType.height}`,
  );
}

/** Paints a layout that is filled with a link's values. Throws DrawingError where the picture would be wrong. */
export function paint(layout: CompiledLayout, filled: FilledLayout, facts: PaintingFacts): Drawing {
  return withBudget("the drawing", PAINTING_STEPS, () => paintElements(layout, filled, facts));
}

function paintElements({ background }: CompiledLayout, filled: FilledLayout, facts: PaintingFacts): Drawing {
  const picture = blankPicture(facts.labelType, colorIndex(background, facts.labelType.colors));
  const painting: Painting = { facts, picture, errors: [], warnings: [...filled.warnings], checks: [] };
  for (const [index, current] of filled.elements.entries()) {
    const mayBeCovered = filled.elements.slice(index + 1).some((later) => overlap(current.element, later.element));
    paintElement(painting, current, mayBeCovered);
  }
  for (const check of painting.checks) check();
  return { picture, errors: atMost(painting.errors), warnings: atMost(painting.warnings) };
}

/** The distinct messages, at most MAX_REPORTED of them, and how many more there are. */
export function atMost(messages: readonly string[]): string[] {
  const distinct = [...new Set(messages)];
  const more = distinct.length - MAX_REPORTED;
  return more > 0 ? [...distinct.slice(0, MAX_REPORTED), `and ${more} more`] : distinct;
}

/** Whether a later element may be drawn over an earlier one. */
function overlap(earlier: Element, later: Element): boolean {
  const margin = later.kind === "line" ? (later.thickness ?? 1) : later.kind === "text" ? later.size : 0;
  return (
    later.x - margin < earlier.x + earlier.width &&
    earlier.x < later.x + later.width + margin &&
    later.y - margin < earlier.y + earlier.height &&
    earlier.y < later.y + later.height + margin
  );
}

/** A picture that is being painted. */
interface Painting extends Drawing {
  facts: PaintingFacts;
  /** Checks of the finished picture, for elements that a later element may cover. */
  checks: (() => void)[];
}

function paintElement(painting: Painting, { element, text }: FilledElement, mayBeCovered: boolean): void {
  const { picture } = painting;
  spendBudget(paintingSteps(element, text, picture));
  switch (element.kind) {
    case "box":
      drawBox(picture, element);
      break;
    case "line":
      drawStroke(picture, element);
      break;
    case "image":
      paintImage(painting, element);
      break;
    case "text":
      paintText(painting, insideOf(element, text, picture), text);
      break;
    case "price":
      paintPrice(painting, insideOf(element, text, picture), text, mayBeCovered);
      break;
    default:
      paintCode(painting, element, text, mayBeCovered);
  }
}

function paintImage({ picture, errors, facts }: Painting, element: ImageElement): void {
  const bitmap = facts.images.get(imageId(element));
  if (bitmap) drawImage(picture, element, bitmap);
  else errors.push(`the image ${element.image} is not there`);
}

function paintText({ facts, picture, warnings }: Painting, element: TextElement, text: string): void {
  const color = colorIndex(element.color, picture.palette);
  warnings.push(...drawText(picture, element, text, color, facts.store.locale));
}

function paintPrice(
  { facts, picture, warnings, checks }: Painting,
  element: PriceElement,
  text: string,
  check: boolean,
) {
  const drawn = drawPrice(picture, element, text, facts.store, colorIndex(element.color, picture.palette));
  warnings.push(...drawn.warnings);
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
  const left = Math.max(0, element.x);
  const top = Math.max(0, element.y);
  const right = Math.min(width, element.x + element.width);
  const bottom = Math.min(height, element.y + element.height);
  if (left >= right || top >= bottom) throw new DrawingError(`${quoted(text)} lies outside of the label`);
  return { ...element, x: left, y: top, width: right - left, height: bottom - top };
}
