import { Jimp } from "jimp";
import { LRUCache } from "lru-cache";
import type { CanvasDesign, ImageElement } from "../../../schemas/canvas.ts";
import { type CompiledCanvas, compileCanvas, DesignError } from "../canvas/compile-canvas.ts";
import { imageId } from "../canvas/paint-element.ts";
import type { Bitmap } from "../pixels/map-image.ts";
import type { LoadedDesign } from "./drawing-order.ts";
import { imagesOf } from "./read-design.ts";

/** A canvas design that is ready to draw: compiled, with its images decoded and scaled. */
export interface ReadyCanvas {
  canvas: CompiledCanvas | Error;
  images: ReadonlyMap<string, Bitmap>;
}

export interface Designs {
  /** Prepares a design: compiles its expressions, decodes and scales its images. */
  add(design: LoadedDesign): Promise<void>;
  get(id: string | undefined): ReadyCanvas | undefined;
}

const MAX_CANVASES = 1000;
/** Maximum size of the decoded images in the cache, in bytes. */
const MAX_IMAGE_BYTES = 256 * 1024 * 1024;

/** Caches the designs that were used last. Each rev of a design is prepared once. */
export function createDesigns(): Designs {
  const ready = new LRUCache<string, ReadyCanvas>({
    max: MAX_CANVASES,
    maxSize: MAX_IMAGE_BYTES,
    sizeCalculation: ({ images }) => [...images.values()].reduce((bytes, { data }) => bytes + data.length, 1),
  });
  return {
    async add({ id, canvas, files }) {
      const compiled = tryToCompile(canvas);
      const images = compiled instanceof Error ? new Map() : await fitImages(canvas, files);
      ready.set(id, { canvas: compiled, images });
    },
    get: (id) => (id === undefined ? undefined : ready.get(id)),
  };
}

function tryToCompile(canvas: CanvasDesign): CompiledCanvas | Error {
  try {
    return compileCanvas(canvas);
  } catch (error) {
    if (error instanceof DesignError) return error;
    throw error;
  }
}

async function fitImages(canvas: CanvasDesign, files: ReadonlyMap<string, Uint8Array>): Promise<Map<string, Bitmap>> {
  const images = new Map<string, Bitmap>();
  for (const element of imagesOf(canvas)) {
    const png = files.get(element.image);
    if (png) images.set(imageId(element), await fitImage(png, element));
  }
  return images;
}

/** Decodes an image and scales it to the largest size that fits the area with its aspect ratio kept. */
async function fitImage(png: Uint8Array, { width, height }: ImageElement): Promise<Bitmap> {
  const image = await Jimp.read(Buffer.from(png));
  image.scaleToFit({ w: width, h: height });
  return { width: image.bitmap.width, height: image.bitmap.height, data: image.bitmap.data };
}
