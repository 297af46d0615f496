import { scaledElements } from "./areas.ts";
import type { Canvas } from "./document.ts";
import { layoutsOf } from "./document.ts";
import type { Layout } from "./elements.ts";

interface Size {
  width: number;
  height: number;
}

/** Returns a new design with a layout for each size, empty or with the elements of another design, scaled in proportion. */
export function beginDesign(name: string, sizes: readonly Size[], from: Canvas | undefined): Canvas {
  const distinct = [...new Map(sizes.map((size) => [`${size.width}x${size.height}`, size])).values()];
  const [own, ...variants] = distinct.map(({ width, height }) => beginLayout({ width, height }, from));
  if (own === undefined) throw new Error("a design needs a size");
  return { name, ...own, ...(variants.length > 0 && { variants }) } as Canvas;
}

/**
 * Returns a layout for a size: the other design's layout for it if there is one, otherwise the nearest of its layouts,
 * scaled in proportion.
 */
function beginLayout({ width, height }: Size, from: Canvas | undefined): Layout {
  if (from === undefined) return { width, height, background: "white", elements: [] };
  const upright = layoutsOf(from).filter(({ rotate = 0 }) => rotate === 0);
  const [nearest = layoutsOf(from)[0] as Layout] = upright.toSorted((one, other) => distance(one) - distance(other));
  const [across, down] = [width / nearest.width, height / nearest.height];
  const isSame = across === 1 && down === 1;
  const elements = isSame ? nearest.elements : scaledElements(nearest.elements, across, down);
  return { width, height, background: nearest.background, elements };

  function distance(layout: Layout): number {
    const shape = Math.abs(Math.log(layout.width / layout.height / (width / height)));
    return shape + Math.abs(Math.log((layout.width * layout.height) / (width * height))) / 4;
  }
}
