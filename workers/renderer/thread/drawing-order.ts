import type { ImageFile } from "../../../records/files/image-files.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import type { Item } from "../../../schemas/item.ts";
import type { EccFacts } from "../links/render-ecc-link.ts";
import type { Rendering, RenderingFacts } from "../links/render-link.ts";

/** A link to draw, by the design with an id or by an ECC model. Its fields are copied to the drawing thread. */
export type LinkOrder = (Omit<RenderingFacts, "canvas" | "images"> & { designId: string | undefined }) | EccFacts;

/** An item with only the fields that a drawing reads, because it is copied to the drawing thread for each link. */
export function itemToDraw({ sics: _, stamps: __, properties, ...item }: Item): Item {
  return { ...item, sics: [], stamps: {}, properties: properties.map(({ key, value }) => ({ key, value, stamp: 0 })) };
}

/** A canvas design at one rev, which its id names, with the image files that it shows. */
export interface LoadedDesign {
  id: string;
  canvas: CanvasDesign;
  files: ReadonlyMap<string, Uint8Array>;
}

/** Links to draw, and designs that the drawing thread may lack. */
export interface DrawingOrder {
  links: readonly LinkOrder[];
  designs: readonly LoadedDesign[];
}

/** A drawn link, with its picture as the file that is stored. */
export type DrawnLink = Rendering<ImageFile>;

export interface DrawingCounts {
  hits: number;
  misses: number;
}

/** The pictures in the order of the links, or the ids of designs that the order needs and the drawing thread lacks. */
export type DrawingAnswer = { drawn: DrawnLink[]; counts: DrawingCounts } | { lacking: string[] };
