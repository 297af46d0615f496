import type { Framebuffer } from "../../../../drawing/pixels/framebuffer.ts";
import { readPicture } from "../../../../drawing/pixels/read-picture.ts";
import { rotatePicture } from "../../../../drawing/pixels/rotate.ts";
import type { Rgb } from "../../../../schemas/color.ts";

/** A kind of tag, as its access point describes it. */
export interface TagType {
  name: string;
  /** The size of the pictures to upload; the access point turns them for the tag by `rotatebuffer`. */
  width: number;
  height: number;
  colors: Readonly<Record<string, Rgb>>;
}

type JpegOrRefusal = { jpeg: Buffer; refusal?: undefined } | { jpeg?: undefined; refusal: string };

/** Converts a PNG from the renderer for a tag of this type; returns the reason if that is impossible. */
export async function jpegFor(png: Uint8Array, type: TagType): Promise<JpegOrRefusal> {
  try {
    const picture = readPicture(png);
    const misfit = misfitOf(picture, type);
    if (misfit !== undefined) return { refusal: misfit };
    return { jpeg: await encodeJpeg(turnedFor(picture, type), type.colors) };
  } catch (error) {
    return { refusal: `the picture cannot be converted for the tag "${type.name}": ${(error as Error).message}` };
  }
}

/** Returns why a tag of this type cannot show a picture; undefined if it can. */
export function misfitOf({ width, height, palette }: Omit<Framebuffer, "pixels">, type: TagType): string | undefined {
  const fits = (width === type.width && height === type.height) || (width === type.height && height === type.width);
  if (!fits)
    return `the picture has ${width} x ${height} pixels, but the tag "${type.name}" takes ${type.width} x ${type.height}: change the size of the label type`;
  const missing = palette.find((color) => type.colors[color] === undefined);
  return missing === undefined
    ? undefined
    : `the tag "${type.name}" has no ${missing}, only ${Object.keys(type.colors).join(", ")}: change the colours of the label type`;
}

/** Returns the picture in the tag's size, turned clockwise if the label hangs upright. */
export const turnedFor = (picture: Framebuffer, { width, height }: Pick<TagType, "width" | "height">): Framebuffer =>
  picture.width === width && picture.height === height ? picture : rotatePicture(picture, 90);

/**
 * Encodes a picture in the tag's colours as a JPEG at the highest quality and without chroma subsampling, so that each pixel's
 * nearest colour is still the intended one.
 */
export async function encodeJpeg(
  { width, height, palette, pixels }: Framebuffer,
  colors: TagType["colors"],
): Promise<Buffer> {
  const { Jimp } = await import("jimp");
  const data = Buffer.alloc(width * height * 4, 255);
  const values = palette.map((color) => colors[color] ?? [0, 0, 0]);
  for (const [index, color] of pixels.entries()) {
    const [red, green, blue] = values[color] as Rgb;
    data[4 * index] = red;
    data[4 * index + 1] = green;
    data[4 * index + 2] = blue;
  }
  return new Jimp({ width, height, data }).getBuffer("image/jpeg", { quality: 100 });
}
