import { Jimp } from "jimp";
import { LRUCache } from "lru-cache";
import type { ImageFiles } from "../../records/image-files.ts";
import type { Stored } from "../../records/kind.ts";
import type { CanvasDesign, ImageElement } from "../../schemas/canvas.ts";
import { tenantOf } from "../../schemas/keys.ts";
import { type CompiledCanvas, compileCanvas, DesignError } from "./compile-canvas.ts";
import { imageId } from "./draw.ts";
import type { Bitmap } from "./map-image.ts";

/** A canvas design that is ready to draw, with its images. */
export interface ReadyCanvas {
  canvas: CompiledCanvas | Error;
  images: ReadonlyMap<string, Bitmap>;
}

const CANVASES = 1000;
/** Bytes of decoded images that are kept. */
const IMAGE_BYTES = 256 * 1024 * 1024;

/** Prepares canvas designs once for each rev: expressions compiled, images decoded and fitted. */
export function createDesigns(imageFiles: ImageFiles): (canvas: Stored<CanvasDesign>) => Promise<ReadyCanvas> {
  const ready = new LRUCache<string, ReadyCanvas>({
    max: CANVASES,
    maxSize: IMAGE_BYTES,
    sizeCalculation: ({ images }) => [...images.values()].reduce((bytes, { data }) => bytes + data.length, 1),
  });
  return async (canvas) => {
    const id = `${canvas._id}#${canvas.rev}`;
    const known = ready.get(id) ?? (await makeReady(imageFiles, canvas));
    ready.set(id, known);
    return known;
  };
}

async function makeReady(imageFiles: ImageFiles, design: Stored<CanvasDesign>): Promise<ReadyCanvas> {
  const canvas = tryToCompile(design);
  return { canvas, images: canvas instanceof Error ? new Map() : await loadImages(imageFiles, design) };
}

function tryToCompile(canvas: CanvasDesign): CompiledCanvas | Error {
  try {
    return compileCanvas(canvas);
  } catch (error) {
    if (error instanceof DesignError) return error;
    throw error;
  }
}

async function loadImages(
  imageFiles: ImageFiles,
  { _id, elements, variants = [] }: Stored<CanvasDesign>,
): Promise<Map<string, Bitmap>> {
  const all = [...elements, ...variants.flatMap((variant) => variant.elements)];
  const wanted = all.filter((element): element is ImageElement => element.kind === "image");
  const files = await imageFiles.read(
    tenantOf(_id),
    wanted.map(({ image }) => image),
  );
  const images = new Map<string, Bitmap>();
  for (const element of wanted) {
    const file = files.get(element.image);
    if (file) images.set(imageId(element), await fitImage(file.png, element));
  }
  return images;
}

/** Decoded, and scaled to the largest size that keeps its shape inside the area. */
async function fitImage(png: Uint8Array, { width, height }: ImageElement): Promise<Bitmap> {
  const image = await Jimp.read(Buffer.from(png));
  image.scaleToFit({ w: width, h: height });
  return { width: image.bitmap.width, height: image.bitmap.height, data: image.bitmap.data };
}
