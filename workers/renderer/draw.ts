import type { BoxElement, Ean13Element, Element, ImageElement, LineElement } from "../../schemas/canvas.ts";
import type { LabelType } from "../../schemas/tenant.ts";
import type { Variables } from "../evaluator/expression.ts";
import { colorPlace } from "./colors.ts";
import type { CompiledCanvas, CompiledElement } from "./compile-canvas.ts";
import { DrawingError, drawPrice, drawText } from "./draw-text.ts";
import { CodeError, fitEan13 } from "./ean13.ts";
import { createFramebuffer, drawLine, type Framebuffer, fillRectangle } from "./framebuffer.ts";
import { type Bitmap, mapImage, TRANSPARENT } from "./map-image.ts";

/** What a picture is drawn from, apart from the design. */
export interface DrawingFacts {
  labelType: Pick<LabelType, "width" | "height" | "colors">;
  variables: Variables;
  store: { locale: string; currency: string };
  /** The tenant's images that the design names, fitted to their areas, by `imageId`. */
  images: ReadonlyMap<string, Bitmap>;
}

export interface Drawing {
  picture: Framebuffer;
  warnings: string[];
}

const TEXT_FACE = "regular";
const CODE_TEXT_SIZE = 10;
/** Below this height of bars the digits are left away. */
const LEAST_BARS = 20;

/** An image element's image at its size. */
export const imageId = ({ image, width, height }: Pick<ImageElement, "image" | "width" | "height">): string =>
  `${image}/${width}x${height}`;

/** The picture of a label that shows nothing: its background. */
export const blankPicture = ({ width, height, colors }: DrawingFacts["labelType"], background = 0): Framebuffer =>
  createFramebuffer(width, height, colors, background);

/** A design is for labels of exactly its size. */
export function assertSize(canvas: CompiledCanvas, { width, height }: DrawingFacts["labelType"]): void {
  if (canvas.width === width && canvas.height === height) return;
  throw new DrawingError(`the design is ${canvas.width} x ${canvas.height} pixels, the label ${width} x ${height}`);
}

/** Draws a design with a link's values. Throws DrawingError where the picture would be wrong. */
export function draw(canvas: CompiledCanvas, facts: DrawingFacts): Drawing {
  assertSize(canvas, facts.labelType);
  const picture = blankPicture(facts.labelType, colorPlace(canvas.background, facts.labelType.colors));
  const warnings: string[] = [];
  for (const compiled of canvas.elements) {
    if (compiled.visible && !compiled.visible.evaluate(facts.variables)) continue;
    warnings.push(...drawElement(picture, compiled, facts));
  }
  return { picture, warnings };
}

function drawElement(picture: Framebuffer, { element, template }: CompiledElement, facts: DrawingFacts): string[] {
  const { text, missing } = template?.fill(facts.variables) ?? { text: "", missing: [] };
  const warnings = missing.map((source) => `\${${source}} has no value`);
  if (template && text.trim() === "") return warnings;
  return [...warnings, ...drawFilled(picture, element, text, facts)];
}

function drawFilled(picture: Framebuffer, element: Element, text: string, { store, images }: DrawingFacts): string[] {
  const place = (choice: Parameters<typeof colorPlace>[0]) => colorPlace(choice, picture.palette);
  switch (element.kind) {
    case "text":
      return drawText(picture, insideOf(element, picture), text, place(element.color));
    case "price":
      return drawPrice(picture, insideOf(element, picture), text, store, place(element.color));
    case "box":
      return drawBox(picture, element);
    case "line":
      return drawStroke(picture, element);
    case "image":
      return drawImage(picture, element, images.get(imageId(element)));
    case "ean13":
      return drawEan13(picture, insideOf(element, picture), text);
  }
}

/** An element with the part of its area that is on the label: what must be read whole must fit there. */
function insideOf<E extends Element>(element: E, { width, height }: Framebuffer): E {
  const left = Math.max(0, element.x);
  const top = Math.max(0, element.y);
  const right = Math.min(width, element.x + element.width);
  const bottom = Math.min(height, element.y + element.height);
  return { ...element, x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

function drawBox(picture: Framebuffer, { x, y, width, height, fill, stroke, thickness = 1 }: BoxElement): string[] {
  if (fill) fillRectangle(picture, x, y, width, height, colorPlace(fill, picture.palette));
  if (stroke) {
    const color = colorPlace(stroke, picture.palette);
    fillRectangle(picture, x, y, width, thickness, color);
    fillRectangle(picture, x, y + height - thickness, width, thickness, color);
    fillRectangle(picture, x, y, thickness, height, color);
    fillRectangle(picture, x + width - thickness, y, thickness, height, color);
  }
  return [];
}

function drawStroke(picture: Framebuffer, { x, y, width, height, thickness = 1, color }: LineElement): string[] {
  drawLine(picture, [x, y], [x + width - 1, y + height - 1], thickness, colorPlace(color, picture.palette));
  return [];
}

function drawImage(picture: Framebuffer, element: ImageElement, bitmap: Bitmap | undefined): string[] {
  if (bitmap === undefined) return [`the image ${element.image} is not there`];
  const pixels = mapImage(bitmap, picture.palette, element.dither ?? false);
  const left = element.x + Math.floor((element.width - bitmap.width) / 2);
  const top = element.y + Math.floor((element.height - bitmap.height) / 2);
  for (let row = 0; row < bitmap.height; row += 1) {
    for (let column = 0; column < bitmap.width; column += 1) {
      const pixel = pixels[row * bitmap.width + column] as number;
      if (pixel !== TRANSPARENT) fillRectangle(picture, left + column, top + row, 1, 1, pixel);
    }
  }
  return [];
}

/** A code that is not valid is left away and told: the price beside it is still right. */
function drawEan13(
  picture: Framebuffer,
  { x, y, width, height, color = "black" }: Ean13Element,
  value: string,
): string[] {
  try {
    const { bars, left, right } = fitEan13(value, width);
    const ink = colorPlace(color, picture.palette);
    const hasText = height - CODE_TEXT_SIZE >= LEAST_BARS;
    const barHeight = hasText ? height - CODE_TEXT_SIZE - 1 : height;
    fillRectangle(picture, x + left, y, right - left, height, colorPlace("white", picture.palette));
    for (const bar of bars) fillRectangle(picture, x + bar.x, y, bar.width, barHeight, ink);
    if (hasText) {
      const size = {
        x: x + left,
        y: y + barHeight + 1,
        width: right - left,
        height: CODE_TEXT_SIZE,
        size: CODE_TEXT_SIZE,
      };
      drawText(picture, { kind: "text", font: TEXT_FACE, align: "center", text: value, color, ...size }, value, ink);
    }
    return [];
  } catch (error) {
    if (error instanceof CodeError) return [error.message];
    throw error;
  }
}
