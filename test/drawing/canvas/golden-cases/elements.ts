import type { Framebuffer } from "../../../../drawing/pixels/framebuffer.ts";
import type { Element } from "../../../../schemas/canvas.ts";
import type { PriceElement, TextElement } from "../../../../schemas/canvas-texts.ts";
import type { Color } from "../../../../schemas/color.ts";

/** A golden picture: it must not change before a developer has seen the difference. */
export interface GoldenCase {
  name: string;
  draw(): Framebuffer;
}

/** The colours of most labels. */
export const BWR: Color[] = ["white", "black", "red"];

/** A text element on the first line of a label. */
export const text = (more: Partial<TextElement>): Element => ({
  kind: "text",
  x: 0,
  y: 0,
  width: 296,
  height: 20,
  font: "regular",
  size: 16,
  text: "",
  color: "black",
  ...more,
});
/** A price in the upper half of a label. */
export const price = (more: Partial<PriceElement>): Element => ({
  kind: "price",
  x: 0,
  y: 0,
  width: 296,
  height: 60,
  font: "bold",
  size: 48,
  value: "12.49",
  color: "black",
  ...more,
});
/** A red frame. */
export const frame = (x: number, y: number, width: number, height: number): Element => ({
  kind: "box",
  x,
  y,
  width,
  height,
  stroke: "red",
});

/** A name that needs more than one line. */
export const NAME = "Domaći kruh iz krušne peći, s köminom 1,5 kg";
