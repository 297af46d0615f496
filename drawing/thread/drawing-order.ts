import type { AssetFile } from "../../schemas/asset.ts";
import type { CanvasDesign } from "../../schemas/canvas.ts";
import type { ImageFile } from "../../schemas/image-file.ts";
import type { Item } from "../../schemas/item.ts";
import type { NamedImage } from "../canvas/painting.ts";
import type { EccFacts } from "../links/render-ecc-link.ts";
import type { Rendering, RenderingFacts } from "../links/render-link.ts";
import type { LayingOut } from "../templates/listed.ts";

/** A link to draw, with a design that an id names or by an ECC model. Its fields are copied to the drawing thread. */
export type LinkOrder = StudioOrder | EccFacts;

/** A link to draw with a design. */
export type StudioOrder = Omit<RenderingFacts, "canvas" | "images" | "fonts"> & {
  designId: string | undefined;
  /** The images that the design shows, by their names in the design. */
  images: ReadonlyMap<string, NamedFile>;
  /** The tenant's fonts that the design uses. Absent if it uses none. */
  fonts?: ReadonlyMap<string, NamedFontFile>;
  /**
   * Set if the caller wants to know how each element is drawn. If an element of a draft has a fault, the rest of the picture is
   * still shown.
   */
  inspection?: { isDraft: boolean };
};

/** A link to a design that chooses its images by the item. */
export type NamingLink = Omit<StudioOrder, "images" | "fonts" | "designId"> & { designId: string };

/** An image that a design uses: the full key of its file, or the reason why it has none. */
export type NamedFile = Pick<NamedImage, "file" | "fault">;

/** A font that a design uses: the full key of its file, or the reason why it has none. */
export type NamedFontFile = NamedFile & Pick<AssetFile, "readableFrom">;

/** An item with only the fields that a drawing reads, because it is copied to the drawing thread for each link. */
export function itemToDraw({ sics: _, stamps: __, properties, ...item }: Item): Item {
  return { ...item, sics: [], stamps: {}, properties: properties.map(({ key, value }) => ({ key, value, stamp: 0 })) };
}

/** A canvas design at one rev. The id names both. */
export interface LoadedDesign {
  id: string;
  canvas: CanvasDesign;
}

/** A file by its full key. Without content if the file is missing. */
export interface LoadedFile {
  key: string;
  content: Uint8Array | undefined;
}

/** The data that the drawing thread lacks: ids of designs, and full keys of the files of images and of fonts. */
export interface Lacking {
  designs: readonly string[];
  images: readonly string[];
  fonts: readonly string[];
}

/**
 * A picture from the renderer, the factor by which to enlarge it, and whether to show its colours as on e-paper or as in
 * files.
 */
export interface Enlarging {
  png: Uint8Array;
  scale: number;
  isMeasured?: boolean;
}

/** Links to draw, with designs and files that the drawing thread may lack. */
export interface DrawingOrder {
  /** Set if only the names of the images that the links' designs show are requested. The names depend on the items. */
  isNaming?: true;
  /** Set if only this picture is requested, enlarged. */
  enlarging?: Enlarging;
  /** Set if only this template is requested, laid out. */
  layingOut?: LayingOut;
  links: readonly LinkOrder[];
  designs: readonly LoadedDesign[];
  images: readonly LoadedFile[];
  fonts: readonly LoadedFile[];
}

/** A drawn link, with its picture as the file that is stored. */
export type DrawnLink = Rendering<ImageFile>;

export interface DrawingCounts {
  hits: number;
  misses: number;
}

/**
 * Pictures or names in the order of the links, an enlarged picture, a template laid out, or what the drawing thread lacks for the
 * order.
 */
export type DrawingAnswer =
  | { drawn: DrawnLink[]; counts: DrawingCounts }
  | { named: string[][] }
  | { enlarged: Uint8Array }
  | { laidOut: CanvasDesign | undefined }
  | { lacking: Lacking };
