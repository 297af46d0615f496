import type { LayoutElement } from "../../../../../../schemas/canvas.ts";
import type { Layout } from "./elements.ts";

/** The kinds of elements that the editor offers first. */
export const kinds = ["text", "price", "box", "line", "image", "ean13", "qr", "datamatrix", "ellipse"] as const;
export type Kind = (typeof kinds)[number];

/** Creates an element of usual size in the middle of a layout, with content that every item has. */
export function newElement(kind: Kind, { width, height }: Layout): LayoutElement {
  const share = (across: number, down: number) => {
    const [w, h] = [Math.max(8, Math.round(width * across)), Math.max(8, Math.round(height * down))];
    return { x: Math.round((width - w) / 2), y: Math.round((height - h) / 2), width: w, height: h };
  };
  const side = Math.max(8, Math.round(Math.min(width, height) * 0.5));
  const square = { x: Math.round((width - side) / 2), y: Math.round((height - side) / 2), width: side, height: side };
  const letters = (percent: number) => ({ font: "bold", size: Math.max(8, Math.round(height * percent)) });
  switch (kind) {
    case "text":
      return { kind, ...share(0.9, 0.25), ...letters(0.16), color: "contrast", lines: 1, text: "${item.itemName}" };
    case "price":
      return { kind, ...share(0.6, 0.45), ...letters(0.45), color: "contrast", value: "${item.price}" };
    case "box":
      return { kind, ...share(0.5, 0.3), stroke: "black" };
    case "ellipse":
      return { kind, ...square, stroke: "black" };
    case "line":
      return { kind, ...share(0.8, 0), height: 1, color: "black" };
    case "image":
      return { kind, ...square, image: "logo" };
    case "ean13":
      return { kind, ...share(0.6, 0.35), value: "${item.ean}" };
    default:
      return { kind, ...square, value: "${item.itemId}" };
  }
}
