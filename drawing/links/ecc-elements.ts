import type { Element, LayoutElement } from "../../schemas/canvas.ts";
import type { LinearCodeElement, MatrixCodeElement } from "../../schemas/canvas-codes.ts";
import type { Color } from "../../schemas/color.ts";
import type { Face } from "../templates/face.ts";

export const eccCodes = ["ean13", "qr", "none"] as const;
export type EccCode = (typeof eccCodes)[number];

/** The label, the language and the colours with which a model is drawn. */
export interface EccFace extends Face {
  locale: string;
  currency: string;
  ink: Color;
  accent: Color;
  /** A colour that is legible on the accent colour. */
  onAccent: Color;
  /** The accent colour if it is legible on the background, otherwise the ink colour: yellow is not legible on white. */
  priceColor: Color;
  code: EccCode;
}

/** Returns a grid over a label's area inside its margins. Rows are in hundredths of the height. */
export function gridOf({ width, height }: EccFace) {
  const margin = Math.max(3, Math.round(Math.min(width, height) / 24));
  const inner = width - 2 * margin;
  const at = (hundredths: number): number => margin + Math.round(((height - 2 * margin) * hundredths) / 100);
  return {
    margin,
    inner,
    row: (from: number, rows: number) => ({ x: margin, y: at(from), width: inner, height: at(from + rows) - at(from) }),
  };
}

export const whole = ({ width, height }: EccFace) => ({ x: 0, y: 0, width, height });

/** Returns a text element whose size is in hundredths of the label's height. */
export const textOf = ({ height, ink }: EccFace, font: "regular" | "bold" | "narrow", hundredths: number) =>
  ({ kind: "text", font, size: sizeOf(height, hundredths), minimumSize: 8, color: ink }) as const;

export const priceOf = ({ height }: EccFace, color: Color) =>
  ({
    kind: "price",
    font: "bold",
    size: sizeOf(height, 50),
    minimumSize: 9,
    decimalsPercent: 45,
    align: "right",
    verticalAlign: "middle",
    color,
  }) as const;

const sizeOf = (height: number, hundredths: number): number => Math.max(10, Math.round((height * hundredths) / 100));

export type Area = Pick<Element, "x" | "y" | "width" | "height">;

/** A parameter that a link passes to its model, in addition to the item. */
export interface EccParameter {
  key: string;
  summary: string;
  isRequired?: boolean;
}

/** A parametrised template that lays itself out for labels of any size (docs/designs/ecc-models.md). */
export interface EccModel {
  id: string;
  summary: string;
  parameters: readonly EccParameter[];
  /**
   * Returns the elements for a matrix label. In their text, which is a template, `link.parameters` holds the link's parameters.
   */
  layOut(face: EccFace): LayoutElement[];
  /** Returns the element for a segment label, which has exactly one. Absent if segments cannot show the model. */
  segments?(face: EccFace): Element;
}

/** Returns a template for a parameter's value, or for `fallback` if the parameter is absent. */
export const given = (key: string, fallback: string): string => `\${${givenValue(key, fallback)}}`;

export const givenValue = (key: string, fallback: string): string =>
  `has(link.parameters.${key}) ? link.parameters.${key} : ${fallback}`;

/** Returns the condition that a link or its item has a value with this name. */
export const isGiven = (key: string): string => `has(link.parameters.${key}) || has(item.${key})`;

export const hasUnitPrice = `(${isGiven("unitPrice")}) && has(item.quantity)`;
export const unitPriceText = `\${unitPrice(${givenValue("price", "item.price")}, item.quantity, ${givenValue("unitPrice", "item.unitPrice")})}`;

/**
 * The minimum size of a unit price relative to the price, in percent. A warning is recorded if a label cannot keep this share.
 */
export const SHARE_PERCENT = 20;

/** A price other than the item's needs a different unit price. */
export const unitPriceParameter = { key: "unitPrice", summary: "Replaces the item's `unitPrice`" };

export const priceValue = given("price", "item.price");
export const titleText = given("title", "item.itemName");

/** Width in pixels of an EAN-13 with two pixels per module, including its quiet zones. */
export const EAN_WIDTH = 226;

/** Side, in pixels, of a QR code for an address of up to 42 letters, with two pixels per module and its quiet zone. */
export const QR_SIDE = 74;

/** A 12-digit UPC is drawn as an EAN-13 with a leading zero. */
export const eanOf = (area: Area): LinearCodeElement => ({
  kind: "ean13",
  ...area,
  value: '${item.ean.size() == 12 ? "0" + item.ean : item.ean}',
  visible: "has(item.ean) && item.ean.size() in [12, 13]",
});

export const qrOf = (path: string, area: Area): MatrixCodeElement => ({
  kind: "qr",
  ...area,
  value: `\${${path}}`,
  visible: `has(${path})`,
});
