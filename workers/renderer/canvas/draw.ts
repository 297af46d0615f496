import type { Element, ImageElement, PriceElement, TextElement } from "../../../schemas/canvas.ts";
import type { LabelType } from "../../../schemas/tenant.ts";
import type { Variables } from "../../evaluator/expression/expression.ts";
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

/** What a picture is painted on and with, apart from the design and a link's values. */
export interface PaintingFacts {
  labelType: Pick<LabelType, "type" | "width" | "height" | "colors">;
  store: { locale: string; currency: string };
  /** The tenant's images that the design names, fitted to their areas, by `imageId`. */
  images: ReadonlyMap<string, Bitmap>;
}

/** What a picture is drawn from, apart from the design. */
export interface DrawingFacts extends PaintingFacts {
  variables: Variables;
}

export interface Drawing {
  picture: Framebuffer;
  /** What was left out because it is wrong, such as a code with a wrong check digit. */
  errors: string[];
  /** What is shown otherwise than the design or the item has it. */
  warnings: string[];
}

/** Errors and warnings of a picture: more than a reader needs helps nobody, and has its price in every record. */
const MAX_REPORTED = 20;

/** An image element's image at its size. */
export const imageId = ({ image, width, height }: Pick<ImageElement, "image" | "width" | "height">): string =>
  `${image}/${width}x${height}`;

/** Draws a design with a link's values. Throws DrawingError where the picture would be wrong. */
export function draw(canvas: CompiledCanvas, facts: DrawingFacts): Drawing {
  const layout = layoutOf(canvas, facts.labelType);
  return paint(layout, fillLayout(layout, facts.variables), facts);
}

/** The layout of a design for a label. Throws DrawingError where it has none. */
export function layoutOf(canvas: CompiledCanvas, labelType: PaintingFacts["labelType"]): CompiledLayout {
  const layout = layoutFor(canvas, labelType);
  if (layout) return layout;
  const sizes = new Set(canvas.layouts.map(({ width, height }) => `${width} x ${height}`));
  throw new DrawingError(
    `the design is ${[...sizes].join(", ")} pixels, the label ${labelType.type} is ${labelType.width} x ${labelType.height}`,
  );
}

/** Paints a layout that is filled with a link's values. Throws DrawingError where the picture would be wrong. */
export function paint({ background }: CompiledLayout, filled: FilledLayout, facts: PaintingFacts): Drawing {
  const picture = blankPicture(facts.labelType, colorIndex(background, facts.labelType.colors));
  const painting: Painting = { facts, picture, errors: [], warnings: [...filled.warnings], checks: [] };
  for (const [index, one] of filled.elements.entries()) {
    const mayBeCovered = filled.elements.slice(index + 1).some((later) => overlap(one.element, later.element));
    paintElement(painting, one, mayBeCovered);
  }
  for (const check of painting.checks) check();
  return { picture, errors: atMost(painting.errors), warnings: atMost(painting.warnings) };
}

/** Each once, and not more than a reader needs. */
export function atMost(told: readonly string[]): string[] {
  const distinct = [...new Set(told)];
  const more = distinct.length - MAX_REPORTED;
  return more > 0 ? [...distinct.slice(0, MAX_REPORTED), `and ${more} more`] : distinct;
}

/** Whether what is drawn of an element may lie on another one. */
function overlap(one: Element, later: Element): boolean {
  const margin = later.kind === "line" ? (later.thickness ?? 1) : later.kind === "text" ? later.size : 0;
  return (
    later.x - margin < one.x + one.width &&
    one.x < later.x + later.width + margin &&
    later.y - margin < one.y + one.height &&
    one.y < later.y + later.height + margin
  );
}

/** A picture in the making. */
interface Painting extends Drawing {
  facts: PaintingFacts;
  /** Looks at the finished picture, for what a later element may lie on. */
  checks: (() => void)[];
}

function paintElement(painting: Painting, { element, text }: FilledElement, mayBeCovered: boolean): void {
  const { picture } = painting;
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

function paintText({ picture, warnings }: Painting, element: TextElement, text: string): void {
  warnings.push(...drawText(picture, element, text, colorIndex(element.color, picture.palette)));
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

/** A code that is not valid or has no room is left away and told: the price beside it is still right. */
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
 * An element with the part of its area that is on the label: what must be read whole must fit there. Throws DrawingError
 * where there is none.
 */
function insideOf<E extends Element>(element: E, text: string, { width, height }: Framebuffer): E {
  const left = Math.max(0, element.x);
  const top = Math.max(0, element.y);
  const right = Math.min(width, element.x + element.width);
  const bottom = Math.min(height, element.y + element.height);
  if (left >= right || top >= bottom) throw new DrawingError(`${quoted(text)} lies outside of the label`);
  return { ...element, x: left, y: top, width: right - left, height: bottom - top };
}
