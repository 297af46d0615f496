import type { Variables } from "../../domain/expression/expression.ts";
import { compileCanvas } from "../../drawing/canvas/compile-canvas.ts";
import { type Drawing, type DrawingFacts, draw } from "../../drawing/canvas/draw.ts";
import type { Framebuffer } from "../../drawing/pixels/framebuffer.ts";
import { rotatedSize } from "../../drawing/pixels/rotate.ts";
import type { LayoutElement } from "../../schemas/canvas.ts";
import type { Rotation } from "../../schemas/canvas-parts.ts";
import type { Color } from "../../schemas/color.ts";
import { type DrawingNotice, noticeText } from "../../schemas/drawing-notice.ts";

interface Circumstances extends Partial<Pick<DrawingFacts, "store" | "images" | "fonts">> {
  width?: number;
  height?: number;
  colors?: Color[];
  background?: Color;
  rotate?: Rotation;
  item?: Variables[string];
}

/** Draws elements on a label: by default a white 300 x 120 label in black, white and red, in a store in Croatia. */
export function drawElements(elements: LayoutElement[], circumstances: Circumstances = {}): Told<Drawing> {
  const {
    width = 300,
    height = 120,
    colors = ["white", "black", "red"],
    background = "white",
    rotate = 0,
    item = {},
    store = { locale: "hr-HR", currency: "EUR" },
    images = new Map(),
    fonts = new Map(),
  } = circumstances;
  const canvas = compileCanvas({
    name: "test",
    ...rotatedSize({ width, height }, rotate),
    rotate,
    background,
    elements,
  });
  const variables = { item, link: {}, device: {}, store: { ...store, timeZone: "Europe/Zagreb" } };
  return told(draw(canvas, { labelType: { type: 1, width, height, colors }, variables, store, images, fonts }));
}

/** A drawing with its notices as sentences. */
export type Told<Drawn> = Omit<Drawn, "errors" | "warnings"> & { errors: string[]; warnings: string[] };

interface Reported {
  errors: readonly DrawingNotice[];
  warnings: readonly DrawingNotice[];
}

export const told = <Drawn extends Reported>(drawn: Drawn): Told<Drawn> => ({
  ...drawn,
  errors: drawn.errors.map(noticeText),
  warnings: drawn.warnings.map(noticeText),
});

/** A picture's colours, row by row, with one letter for each pixel (White, blacK, Red, Yellow, Green, Blue, Orange). */
export function rowsOf({ width, height, palette, pixels }: Framebuffer): string[] {
  const letters = { white: "W", black: "K", red: "R", yellow: "Y", green: "G", blue: "B", orange: "O" };
  const letterAt = (index: number) => letters[palette[index] ?? "white"];
  return Array.from({ length: height }, (_, y) =>
    Array.from(pixels.subarray(y * width, (y + 1) * width), letterAt).join(""),
  );
}

/** The smallest rectangle that contains everything that is not white; undefined if all is white. */
export function inkOf(picture: Framebuffer): { left: number; right: number; top: number; bottom: number } | undefined {
  const rows = rowsOf(picture);
  const inked = [...rows.entries()].filter(([, row]) => /[^W]/.test(row));
  if (inked.length === 0) return undefined;
  return {
    left: Math.min(...inked.map(([, row]) => row.search(/[^W]/))),
    right: Math.max(...inked.map(([, row]) => row.replace(/W+$/, "").length)),
    top: inked.at(0)?.[0] ?? 0,
    bottom: (inked.at(-1)?.[0] ?? 0) + 1,
  };
}

/** Every possible pixel index, whether or not the palette has a colour for it. */
const INDEXES = Array.from({ length: 256 }, (_, index) => index);

/** The colours that a picture shows, sorted by name. */
export function colorsIn({ palette, pixels }: Framebuffer): (Color | undefined)[] {
  // The native search finds each index; a loop over all pixels would take longer than drawing them.
  const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length);
  return INDEXES.filter((index) => bytes.includes(index))
    .map((index) => palette[index])
    .toSorted();
}
