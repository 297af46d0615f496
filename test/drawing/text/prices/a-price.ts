import type { PriceElement } from "../../../../schemas/canvas-texts.ts";
import { drawElements, inkOf } from "../../drawing.ts";

const area = { x: 20, y: 20, width: 200, height: 60 };
/** A price in the middle of a label. */
export const price: PriceElement = { kind: "price", ...area, font: "bold", size: 60, value: "19.99", color: "black" };

/** Draws the price with additional fields. */
export const draw = (more: Partial<PriceElement>, currency = "EUR", locale = "hr-HR") =>
  drawElements([{ ...price, ...more }], { store: { locale, currency } });
/** The rectangle of the price's ink. */
export const inkOfPrice = (more: Partial<PriceElement>) => inkOf(draw(more).picture);
/** The distance between two numbers. */
export const near = (one: number | undefined, other: number) => Math.abs((one ?? Number.NaN) - other);
