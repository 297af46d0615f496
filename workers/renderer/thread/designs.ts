import { Jimp } from "jimp";
import { LRUCache } from "lru-cache";
import type { CanvasDesign, ImageElement } from "../../../schemas/canvas.ts";
import { type CompiledCanvas, compileCanvas, DesignError } from "../canvas/compile-canvas.ts";
import { imageId } from "../canvas/draw.ts";
import type { Bitmap } from "../pixels/map-image.ts";
import type { LoadedDesign } from "./drawing-order.ts";
import { imagesOf } from "./read-design.ts";

/** A canvas design that is ready to draw, with its images. */
export interface ReadyCanvas {
  canvas: CompiledCanvas | Error;
  images: ReadonlyMap<string, Bitmap>;
}

export interface Designs {
  /** Makes a design ready: its expressions compiled, its images decoded and fitted. */
  add(design: LoadedDesign): Promise<void>;
  get(id: string | undefined): ReadyCanvas | undefined;
}

const CANVASES = 1000;
/** Bytes of decoded images that are kept. */
const IMAGE_BYTES = 256 * 1024 * 1024;

/** The designs that were used last, each made ready once for each of its revs. */
export function createDesigns(): Designs {
  const ready = new LRUCache<string, ReadyCanvas>({
    max: CANVASES,
    maxSize: IMAGE_BYTES,
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

/** Decoded, and scaled to the largest size that keeps its shape inside the area. */
async function fitImage(png: Uint8Array, { width, height }: ImageElement): Promise<Bitmap> {
  const image = await Jimp.read(Buffer.from(png));
  image.scaleToFit({ w: width, h: height });
  return { width: image.bitmap.width, height: image.bitmap.height, data: image.bitmap.data };
}
