import { setImmediate } from "node:timers/promises";
import { Jimp } from "jimp";
import type { PageSize } from "../../domain/items/page-sizes.ts";
import type { ImageFile } from "../../schemas/image-file.ts";
import type { Resize } from "../../schemas/page-image.ts";
import { type Bitmap, type Dithering, ditheringFor, mapImage } from "../pixels/dither-image.ts";
import { imageFileOf } from "../pixels/image-file.ts";

/** An upload and the sizes at which labels may show it. */
export interface PageDrawingOrder {
  file: Uint8Array;
  resize: Resize;
  sizes: readonly PageSize[];
}

/** The size of an upload in pixels, and its pictures: one for each size and palette of the labels that show it. */
export interface DrawnPages {
  width: number;
  height: number;
  pictures: { size: PageSize; file: ImageFile }[];
}

/** The upload's background where it is transparent. */
const WHITE = 0xffffffff;

/**
 * Decodes an upload and draws its pictures (docs/integrators/items.md#images-of-pages): unchanged if it has a label's size, or
 * fitted to each size on white with its aspect ratio kept, or stretched. The first frame of an animated GIF is used. A
 * photograph is rotated according to its EXIF data.
 */
export async function drawPages({ file, resize, sizes }: PageDrawingOrder): Promise<DrawnPages> {
  const { width, height, data } = (await Jimp.read(Buffer.from(file))).bitmap;
  const wanted = sizes.filter((size) => resize !== 0 || (size.width === width && size.height === height));
  const image = onWhite(resize === 0 ? { width, height, data } : shrink({ width, height, data }, wanted));
  // Decided from the upload itself, because a scaled logo has as many shades as a photograph.
  const dithering = ditheringFor({ width, height, data });
  const pictures: DrawnPages["pictures"] = [];
  for (const size of wanted) {
    await setImmediate();
    pictures.push({ size, file: pictureOf(fitTo(image, size, resize), size.colors, dithering) });
  }
  return { width, height, pictures };
}

function fitTo(image: Bitmap, { width, height }: PageSize, resize: Resize): Bitmap {
  const scale = Math.min(width / image.width, height / image.height);
  const w = resize === 1 ? Math.max(1, Math.round(image.width * scale)) : width;
  const h = resize === 1 ? Math.max(1, Math.round(image.height * scale)) : height;
  const isSame = w === image.width && h === image.height;
  const fitted = isSame ? jimpOf(image) : jimpOf(image).resize({ w, h });
  if (w === width && h === height) return fitted.bitmap;
  const [x, y] = [Math.floor((width - w) / 2), Math.floor((height - h) / 2)];
  return blank(width, height).composite(fitted, x, y).bitmap;
}

const blank = (width: number, height: number) => new Jimp({ width, height, color: WHITE });

const onWhite = (image: Bitmap): Bitmap => blank(image.width, image.height).composite(jimpOf(image)).bitmap;

const jimpOf = ({ width, height, data }: Bitmap) =>
  new Jimp({ width, height, data: Buffer.from(data.buffer, data.byteOffset, data.length) });

/** Maps an image to a palette. Each pixel takes its nearest colour, and shades of photographs are dithered. */
function pictureOf(image: Bitmap, palette: PageSize["colors"], dithering: Dithering): ImageFile {
  const pixels = mapImage(image, palette, dithering);
  return imageFileOf({ width: image.width, height: image.height, palette, pixels });
}

/**
 * Reduces a large image to near the required sizes by averaging whole blocks of pixels. So the cost of each picture depends
 * on the label's size and not on the upload's.
 */
function shrink(image: Bitmap, sizes: readonly PageSize[]): Bitmap {
  const maxScale = Math.max(
    ...sizes.map(({ width, height }) => Math.max(width / image.width, height / image.height)),
    0,
  );
  const block = Math.floor(1 / (2 * maxScale));
  if (!Number.isFinite(block) || block < 2) return image;
  const [width, height] = [Math.floor(image.width / block), Math.floor(image.height / block)];
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) averageBlock(image, x * block, y * block, block, data, (y * width + x) * 4);
  }
  return { width, height, data };
}

/** Returns the mean of a block's pixels, each weighted by its opacity. */
function averageBlock(image: Bitmap, x0: number, y0: number, block: number, target: Uint8Array, at: number): void {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let y = y0; y < y0 + block; y += 1) {
    for (let from = (y * image.width + x0) * 4, end = from + block * 4; from < end; from += 4) {
      const opacity = image.data[from + 3] as number;
      red += (image.data[from] as number) * opacity;
      green += (image.data[from + 1] as number) * opacity;
      blue += (image.data[from + 2] as number) * opacity;
      alpha += opacity;
    }
  }
  if (alpha > 0) target.set([red / alpha, green / alpha, blue / alpha, alpha / (block * block)].map(Math.round), at);
}
