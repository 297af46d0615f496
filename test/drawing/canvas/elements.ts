import type { CanvasDesign, Element } from "../../../schemas/canvas.ts";

/** An area that covers the whole label. */
export const area = { x: 0, y: 0, width: 300, height: 120 };
/** Large bold letters. */
export const type = { font: "bold", size: 40, color: "black" } as const;
/** A text element whose area covers the whole label. */
export const text = (template: string, more: object = {}): Element => ({
  kind: "text",
  ...area,
  ...type,
  text: template,
  ...more,
});

/** A canvas with these elements, valid or not. */
export const canvas = (elements: unknown[]) =>
  ({ name: "hostile", width: 300, height: 120, background: "white", elements }) as CanvasDesign;
