import { bytesOf } from "../trial/preview-call.ts";

type Pair = readonly [file: readonly number[], paper: readonly number[]];

/** A decoded picture from the renderer, upright even if the design is rotated. */
export interface Picture {
  width: number;
  height: number;
  pixels: ImageData;
}

/** Decodes a picture from the renderer and reverses its design's rotation. */
export async function pictureOf(png: string, rotate = 0): Promise<Picture> {
  const bitmap = await createImageBitmap(new Blob([bytesOf(png)], { type: "image/png" }), {
    colorSpaceConversion: "none",
  });
  const isSideways = rotate === 90 || rotate === 270;
  const [width, height] = isSideways ? [bitmap.height, bitmap.width] : [bitmap.width, bitmap.height];
  const context = contextOf(new OffscreenCanvas(width, height));
  context.translate(width / 2, height / 2);
  context.rotate((-rotate * Math.PI) / 180);
  context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
  bitmap.close();
  return { width, height, pixels: context.getImageData(0, 0, width, height) };
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("this browser draws no canvas");
  context.imageSmoothingEnabled = false;
  return context;
}

/** Shows a picture pixel for pixel in a canvas, which takes up this many pixels of the page. */
export function showPicture(canvas: HTMLCanvasElement, { width, height, pixels }: Picture, shownWidth: number): void {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.getContext("2d")?.putImageData(pixels, 0, 0);
  canvas.style.width = `${shownWidth}px`;
  canvas.style.height = `${(shownWidth * height) / width}px`;
}

/** Returns a picture in the colours that e-paper shows, instead of the file's colours. */
export function onPaper(picture: Picture, colors: Readonly<Record<string, Pair>>): Picture {
  const shown = new Map(Object.values(colors).map(([file, paper]) => [wordOf(file), wordOf(paper)]));
  const pixels = new ImageData(new Uint8ClampedArray(picture.pixels.data), picture.width, picture.height);
  const words = new Uint32Array(pixels.data.buffer);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? 0;
    words[at] = shown.get(word) ?? word;
  }
  return { ...picture, pixels };
}

/** Returns an opaque pixel as stored in memory. */
const wordOf = ([red = 0, green = 0, blue = 0]: readonly number[]): number =>
  new Uint32Array(new Uint8Array([red, green, blue, 0xff]).buffer)[0] ?? 0;
