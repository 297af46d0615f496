import { createRequire } from "node:module";
import { createCanvas, GlobalFonts, type SKRSContext2D } from "@napi-rs/canvas";
import { itemVariables } from "../../../../domain/expression/variables.ts";
import { compileCanvas } from "../../../../drawing/canvas/compile-canvas.ts";
import { layoutOf } from "../../../../drawing/canvas/draw.ts";
import { fillLayout } from "../../../../drawing/canvas/fill-canvas.ts";
import type { FilledElement } from "../../../../drawing/canvas/place.ts";
import { linearSymbol } from "../../../../drawing/codes/encode-codes.ts";
import { type Framebuffer, rgb } from "../../../../drawing/pixels/framebuffer.ts";
import { colorIndex } from "../../../../drawing/pixels/nearest-color.ts";
import { layOutText } from "../../../../drawing/text/draw-text.ts";
import { fitPrice } from "../../../../drawing/text/prices/fit-price.ts";
import type { Element } from "../../../../schemas/canvas.ts";
import type { LinearCodeElement } from "../../../../schemas/canvas-codes.ts";
import type { InkChoice, Typeface } from "../../../../schemas/canvas-parts.ts";
import type { PriceElement, TextElement } from "../../../../schemas/canvas-texts.ts";
import type { Item } from "../../../../schemas/item.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";
import { demoStore } from "../../../demo/catalogue.ts";
import { demoDesigns } from "../../../demo/designs.ts";

const require = createRequire(import.meta.url);
const fontFiles: Readonly<Record<Typeface, string>> = {
  regular: "DejaVuSans",
  bold: "DejaVuSans-Bold",
  condensed: "DejaVuSansCondensed",
  "condensed-bold": "DejaVuSansCondensed-Bold",
  narrow: "DejaVuSansCondensed",
};

type Step = (context: SKRSContext2D) => void;

/**
 * Draws the same labels with a canvas. The layout is computed beforehand, so only the drawing and the mapping of the canvas's
 * colours to the label's are measured.
 */
export function createCanvasDrawing(
  orders: readonly { item: Item; labelType: LabelType; design: string | undefined }[],
): (index: number) => Framebuffer {
  for (const [face, file] of Object.entries(fontFiles)) {
    GlobalFonts.registerFromPath(require.resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`), `Bench ${face}`);
  }
  const [first] = orders;
  if (first === undefined) throw new Error("there is nothing to draw");
  const { width, height, colors } = first.labelType;
  const context = createCanvas(width, height).getContext("2d");
  const drawings = orders.map(({ item, labelType, design }) => {
    const canvas = demoDesigns.find(({ key }) => key === design)?.canvas;
    if (canvas === undefined) throw new Error(`there is no design ${design}`);
    const variables = { item: itemVariables(item), link: {}, device: {}, store: { ...demoStore } };
    const { elements } = fillLayout(layoutOf(compileCanvas(canvas), labelType), variables);
    return elements.flatMap((element) => stepsOf(element, labelType));
  });
  return (index) => {
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
    for (const step of drawings[index] ?? []) step(context);
    const { data } = context.getImageData(0, 0, width, height);
    return { width, height, palette: colors, pixels: pixelsOf(data, colors.indexOf("red")) };
  };
}

function stepsOf({ element, text }: FilledElement, { colors }: LabelType): Step[] {
  const color = (choice: InkChoice): string => {
    // Nearly all text in the demo's designs is on white.
    const [red, green, blue] = rgb[colors[colorIndex(choice === "contrast" ? "black" : choice, colors)] ?? "black"];
    return `rgb(${red}, ${green}, ${blue})`;
  };
  switch (element.kind) {
    case "text":
      return textSteps(element, text, color(element.color));
    case "price":
      return priceSteps(element, text, color(element.color));
    case "box":
      return [fill(color(element.fill ?? "black"), [element])];
    case "line":
      return [fill(color(element.color), [element])];
    case "ean13":
    case "ean8":
    case "upca":
      return [
        fill("black", barsOf(element, text)),
        write("regular", 10, "black", [[text, element.x, element.y + element.height]]),
      ];
    default:
      return [];
  }
}

const fill =
  (color: string, areas: readonly Pick<Element, "x" | "y" | "width" | "height">[]): Step =>
  (context) => {
    context.fillStyle = color;
    for (const { x, y, width, height } of areas) context.fillRect(x, y, width, height);
  };

const write =
  (face: string, size: number, color: string, lines: readonly (readonly [string, number, number])[]): Step =>
  (context) => {
    context.font = `${size}px "Bench ${face}"`;
    context.fillStyle = color;
    for (const [text, x, y] of lines) context.fillText(text, x, y);
  };

function textSteps(element: TextElement, text: string, color: string): Step[] {
  const { fitted, ascent, lineHeight } = layOutText(element, text);
  const lines = fitted.lines.map((line, index): [string, number, number] => [
    line,
    element.x,
    element.y + (ascent + index * lineHeight) * fitted.size,
  ]);
  return [write(element.font, fitted.size, color, lines)];
}

function priceSteps(element: PriceElement, text: string, color: string): Step[] {
  const { layout, above } = fitPrice(text, element, demoStore);
  return layout.pieces.map((piece) =>
    write(element.font, piece.size, color, [[piece.text, element.x + piece.at, element.y + above - piece.rise]]),
  );
}

function barsOf(element: LinearCodeElement, value: string) {
  const { bars, modules } = linearSymbol(element.kind, value);
  const module = Math.floor(element.width / modules);
  return Array.from({ length: bars.length / 2 }, (_, index) => {
    const [from = 0, to = 0] = bars.subarray(index * 2, index * 2 + 2);
    const width = (to - from) * module;
    return { x: element.x + from * module, y: element.y, width, height: element.height - 11 };
  });
}

/**
 * Maps pixels to white, black and red. Pixels with much green become white, those with much red but little green become red,
 * and all others black.
 */
function pixelsOf(data: Uint8ClampedArray, red: number): Uint8Array {
  const pixels = new Uint8Array(data.length / 4);
  for (let pixel = 0, at = 0; pixel < pixels.length; pixel += 1, at += 4) {
    const [r, g] = [data[at] as number, data[at + 1] as number];
    if (g < 128) pixels[pixel] = red > 0 && r >= 128 ? red : 1;
  }
  return pixels;
}
