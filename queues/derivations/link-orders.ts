import type { Loader } from "../../drawing/thread/draw-within-limits.ts";
import { itemToDraw, type LinkOrder } from "../../drawing/thread/drawing-order.ts";
import { type CanvasDesign, inPixels } from "../../schemas/canvas.ts";
import { dpiOf } from "../../schemas/panels.ts";
import type { Stored } from "../../schemas/record.ts";
import { designIdOf, type StudioFacts } from "./load-facts.ts";

/** Links to draw, and the loader of their designs. */
export interface LinkOrders {
  orders: LinkOrder[];
  design: Loader["design"];
}

/** Returns the drawing orders for links with these facts. */
export function linkOrdersOf(all: readonly StudioFacts[]): LinkOrders {
  const canvases = new Map<string, { canvas: Stored<CanvasDesign>; dpi: number }>();
  const orders = all.map(({ canvas, item, ...facts }): LinkOrder => {
    const drawn = { ...facts, item: item && itemToDraw(item) };
    if (canvas === undefined) return { ...drawn, designId: undefined };
    const designId = designIdOf(canvas, facts.labelType);
    canvases.set(designId, { canvas, dpi: dpiOf(facts.labelType) });
    return { ...drawn, designId };
  });
  return {
    orders,
    design(id) {
      const found = canvases.get(id);
      if (found === undefined) throw new Error(`no drawn link has the design ${id}`);
      return { id, canvas: inPixels(found.canvas, found.dpi) };
    },
  };
}
